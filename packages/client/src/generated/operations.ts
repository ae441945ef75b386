// Generated from packages/server/openapi.json by `npm run generate`; do not edit.
import type { CallEvent, UserEvent } from "../call-event.ts";
import type { EventOptions, OptionalUser, RequestOptions, UserEventOptions } from "../options.ts";
import type { Pages } from "../pages.ts";
import type * as api from "./schema.ts";

export interface Methods {
  agents: {
    /**
     * Create an agent.
     *
     * `type` is derived from `config` unless given: `STT`, `LLM` or `TTS` if `config` has exactly that key (`stt`, `llm`, `tts`), `PIPELINE` otherwise.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `agent.created`.
     */
    create(body: OptionalUser<api.AgentCreate>, options?: RequestOptions): Promise<api.Agent>;
    /**
     * List the agents of the calling user, newest first.
     *
     * All agents of the user in one list; deleted ones are left out, inactive ones are not.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(options?: RequestOptions): Promise<api.Agent[]>;
    /**
     * Get one agent.
     *
     * 404 for an id that is unknown, malformed, or another user’s.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    get(agent_id: string, options?: RequestOptions): Promise<api.Agent>;
    /**
     * Update an agent.
     *
     * Fields that are absent stay as they are; `description: null` clears it; `config` replaces the whole configuration. An agent with `is_active: false` takes no calls. With `If-Match`, 412 if it has changed since that version.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `agent.updated`.
     */
    update(agent_id: string, body: api.AgentUpdate, options?: RequestOptions): Promise<api.Agent>;
    /**
     * Delete an agent.
     *
     * Its sessions, transcripts and costs stay. 409 while it has a phone number: release the number first; and under a legal hold.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `agent.deleted`.
     */
    delete(agent_id: string, options?: RequestOptions): Promise<void>;
    /**
     * Get the callback URL of an agent.
     *
     * Where the events of its calls go.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    callbackUrl(agent_id: string, options?: RequestOptions): Promise<api.AgentCallbackUrl>;
    /**
     * Set the callback URL of an agent.
     *
     * Holds for calls from now on, inbound ones too, unless a call has a `callback_url` of its own. Null removes it.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `agent.callback_url_changed`.
     */
    setCallbackUrl(agent_id: string, body: api.AgentCallbackUrlUpdate, options?: RequestOptions): Promise<api.AgentCallbackUrl>;
    /**
     * Get the agent with an external key.
     *
     * Among the agents of the calling user.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    byExternalKey(external_key: string, options?: RequestOptions): Promise<api.Agent>;
    /**
     * Get the external key of an agent.
     *
     * The name by which files and scripts refer to it; null: none.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    externalKey(agent_id: string, options?: RequestOptions): Promise<api.AgentExternalKey>;
    /**
     * Set the external key of an agent.
     *
     * Null removes it. 409 if another agent of the user has it. A deleted agent keeps none.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `agent.external_key_changed`.
     */
    setExternalKey(agent_id: string, body: api.AgentExternalKeyUpdate, options?: RequestOptions): Promise<api.AgentExternalKey>;
    /**
     * Get the legal hold of an agent.
     *
     * Whether none of its conversations are deleted; a hold of its user is not shown here.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    legalHold(agent_id: string, options?: RequestOptions): Promise<api.AgentLegalHold>;
    /**
     * Set or lift the legal hold of an agent.
     *
     * Like the legal hold of a user (`PATCH /api/users/{user_id}`), for the conversations of this agent alone. One that is deleted cannot be held by itself.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `legal_hold.changed`.
     */
    setLegalHold(agent_id: string, body: api.AgentLegalHoldUpdate, options?: RequestOptions): Promise<api.AgentLegalHold>;
    /**
     * Get the JSON schema of an agent’s configuration.
     *
     * The fields that workers and consoles understand: instructions, greeting, models, voice, tools, turn detection, voicemail. `config` stays free-form: agents may hold other fields, and the schema refuses nothing.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    configSchema(options?: RequestOptions): Promise<api.AgentConfigSchema>;
    /**
     * Validate an agent’s configuration.
     *
     * Returns all problems of the configuration, in the form of a 422, and the variables that its texts use. Stores nothing.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    validateConfig(body: api.AgentConfigCheckRequest, options?: RequestOptions): Promise<api.AgentConfigCheck>;
    /**
     * Call a function as a call of the agent would.
     *
     * A worker makes the request by the code of calls, with `session_id` null, and sends it: the function does its work. The response has the request, without secrets, and the answer. Nothing is stored. Takes as long as `timeout_s`; 503 `no_worker` when no worker takes it. The sandbox sends nothing, and says so.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `function.checked`.
     */
    checkFunction(agent_id: string, body: api.FunctionCheckCreate, options?: RequestOptions): Promise<api.FunctionCheck>;
  };
  drafts: {
    /**
     * Get the draft of an agent.
     *
     * A draft is what the agent may become: no phone call gets it. Without one (`has_changes: false`) this is what most calls get. The `ETag` is for `If-Match`.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(agent_id: string, options?: RequestOptions): Promise<api.AgentDraft>;
    /**
     * Save the draft of an agent.
     *
     * Replaces the whole draft. Any configuration is saved; making a version of it checks it. A draft that says what most calls get is removed. With `If-Match`, 412 if somebody has saved another one since: read it to see the other one. `type` is derived from `config` unless given.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `agent.draft_changed`.
     */
    put(agent_id: string, body: api.AgentDraftPut, options?: RequestOptions): Promise<api.AgentDraft>;
  };
  versions: {
    /**
     * Make a version of an agent.
     *
     * A version is what calls get of an agent, and never changes; calls get it once it is released. It is made from the draft, or from another version. 422 with all problems of its configuration. The same content is the same version: 200 then, and the note is added if it has none. From a draft with `If-Match`, its `revision`, 412 if somebody has saved another one since.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `agent.version_created`, where it is one.
     */
    create(agent_id: string, body: api.AgentVersionCreate, options?: RequestOptions): Promise<api.AgentVersion>;
    /**
     * List the versions of an agent, newest first.
     *
     * Without their content, with cursor pagination.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(agent_id: string, query?: NonNullable<api.operations['listAgentVersions']['parameters']['query']>, options?: RequestOptions): Pages<api.AgentVersionSummaryPage, 'items'>;
    /**
     * Get a version of an agent.
     *
     * With its content. 404 for one that is no longer kept.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(agent_id: string, number: number | string, options?: RequestOptions): Promise<api.AgentVersion>;
    /**
     * Get the changes between two versions of an agent.
     *
     * As a JSON Patch, and by lines for each long text. `draft` is the draft.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    diff(agent_id: string, from: number | string, to: number | string, options?: RequestOptions): Promise<api.AgentVersionDiff>;
  };
  releases: {
    /**
     * Get the release of an agent.
     *
     * Which versions calls get, and how many of them. The `ETag`, its `number`, is for `If-Match`.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    current(agent_id: string, options?: RequestOptions): Promise<api.AgentCurrentRelease>;
    /**
     * Release versions of an agent.
     *
     * Calls that begin from now on get these versions; a call keeps its version. The agent shows the one with the most weight. 422 for a version that was never live and whose configuration has problems. What is released already is not released again. With `gate`, a suite, 409 `gate_not_passed` unless the newest test run of the suite as it is now has passed for each version, with as many `runs` as the scenarios ask for and without `cassette: replay`; `test_run_id` is the run that has not. With `If-Match`, 412 if calls get another release since.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `agent.released`, where it is one.
     */
    put(agent_id: string, body: api.AgentReleasePut, options?: RequestOptions): Promise<api.AgentCurrentRelease>;
    /**
     * Roll an agent back to its previous release.
     *
     * Releases again what was released before; repeated, what was released before that. 409 `no_previous_release` if there is none. With `If-Match`, 412 if calls get another release since: two people who roll back at once go back by one. Send an `Idempotency-Key` to repeat the request safely.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `agent.rolled_back`.
     */
    rollBack(agent_id: string, options?: RequestOptions): Promise<api.AgentCurrentRelease>;
    /**
     * List the releases of an agent, newest first.
     *
     * Each release names its versions, its time, and who made it. An update of the agent that is live at once is a release, too.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(agent_id: string, query?: NonNullable<api.operations['listAgentReleases']['parameters']['query']>, options?: RequestOptions): Pages<api.AgentReleasePage, 'items'>;
    /**
     * Set how an agent is changed.
     *
     * At once by updating it, or only by releases.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `agent.publishing_changed`.
     */
    setPublishing(agent_id: string, body: api.AgentPublishingPut, options?: RequestOptions): Promise<api.AgentCurrentRelease>;
  };
  calls: {
    /**
     * Start an outbound call.
     *
     * Returns `RINGING` at once; the phone is dialled afterwards, exactly once. With `at` or `window` it is placed later, and the answer is `SCHEDULED`. Follow the call by its status, its event stream, or `callback_url`. Limits: concurrent calls, calls per second and per day (429), and destinations (403). Send an `Idempotency-Key` to repeat the request safely.
     *
     * Roles: `user`, `service`, `admin`.
     */
    start(body: api.OutboundCall, options?: RequestOptions): Promise<api.OutboundCallStarted>;
    /**
     * Start a call in a browser.
     *
     * Makes the room, calls the agent into it, and returns what a page needs to talk: ask for it on your server, so that the page needs no API key. The call is `RINGING` until browser and agent have joined, and ends when either leaves, at the time limit, or when one of them never joins. Limits are those of outbound calls (429). A repeated request with the same `Idempotency-Key` gets new tokens for the same call, and 409 once that has ended.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `room_token.issued`.
     */
    startWeb(body: api.WebCall, options?: RequestOptions): Promise<api.WebCallStarted>;
    /**
     * List calls, newest first.
     *
     * Pages by cursor. A named user sees its own calls. `q` finds calls by the words of their transcripts, up to the last one that was logged. With `agent_version`, `call_status`, `direction`, `end_reason`, `number`, `q`, `analysis` or `sort`, a page may have fewer items than `limit` and not be the last: go on until `next_cursor` is null.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `transcripts.read`, for an operator’s key, where it shows what was said.
     */
    list(query?: NonNullable<api.operations['listCalls']['parameters']['query']>, options?: RequestOptions): Pages<api.CallSummaryPage, 'items'>;
    /**
     * Export calls as CSV.
     *
     * All calls that the list finds with the same filters, newest first or sorted, with their costs (RFC 4180, UTF-8), and with the values of their analyses: a column for each field of the calling user’s extractors. Text that a spreadsheet would take for a formula begins with an apostrophe. Calls that begin while the file is written are not in it. A file that breaks off has no last chunk, so that clients report an error.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `data.exported`, for a file.
     */
    export(query?: NonNullable<api.operations['exportCalls']['parameters']['query']>, options?: RequestOptions): Promise<string>;
    /**
     * Get a call with its transfers and timeline.
     *
     * The call with its `end_reason`, the far end’s SIP status, its transfers and every change of its state.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    get(call_id: string, options?: RequestOptions): Promise<api.CallDetail>;
    /**
     * Get the current status of a call.
     *
     * `call_status` goes from `RINGING` to `ANSWERED`, and ends as `COMPLETED`, `FAILED` or `NO_ANSWER`.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    status(call_id: string, options?: RequestOptions): Promise<api.CallState>;
    /**
     * Get the job of a call’s worker.
     *
     * The job that the worker receives when it is dispatched into the room of the call. It is built from the version of the agent that the call has. If that is not kept, it is built from the agent as it is now, and `agent_changed` says whether that has changed since the call began. 404 once the agent is deleted.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    job(call_id: string, options?: RequestOptions): Promise<api.CallJob>;
    /**
     * End a call.
     *
     * Hangs up an answered call; cancels one that still rings. Ending an ended call changes nothing.
     *
     * Roles: `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `call.ended`, where it is one.
     */
    end(call_id: string, options?: RequestOptions): Promise<api.CallState>;
    /**
     * Listen in to an open call.
     *
     * A token that joins the room of the call hidden: its bearer hears everybody, is not seen by them, and can send neither sound nor data. It must be used within a minute. The audit log records who asked. In the sandbox nobody speaks: `is_simulated` is true, and there is nothing to connect to.
     *
     * Roles: `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `call.listened`.
     */
    listen(call_id: string, options?: RequestOptions): Promise<api.CallListening>;
    /**
     * Have the agent say a text.
     *
     * In its own voice; the text is in the transcript. 409 unless the call is answered and its agent is there. Also while somebody has taken over, and while the agent consults the target of an attended transfer.
     *
     * Roles: `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `call.steered`.
     */
    say(call_id: string, body: api.SayRequest, options?: RequestOptions): Promise<api.CommandAccepted>;
    /**
     * Give the agent of a call an instruction.
     *
     * The caller does not hear it, and it is not in the transcript. 409 unless the call is answered and its agent is there. With `reply`, also while somebody has taken over, and while the agent consults the target of an attended transfer.
     *
     * Roles: `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `call.steered`.
     */
    instruct(call_id: string, body: api.InstructRequest, options?: RequestOptions): Promise<api.CommandAccepted>;
    /**
     * Press keys of the telephone in a call.
     *
     * As for the menu of another company; the keys are stored nowhere. 409 unless the call is answered and its agent is there.
     *
     * Roles: `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `call.steered`.
     */
    press(call_id: string, body: api.PressRequest, options?: RequestOptions): Promise<api.CommandAccepted>;
    /**
     * Talk to the caller in place of the agent.
     *
     * The agent stops at once what it says, and neither answers nor acts. Then a token is returned that joins the room of the call with a microphone: everybody hears its bearer, and sees them. It must be used within 20 seconds. The agent has the call again once that participant has left, or if it does not come. In the sandbox nobody speaks: `is_simulated` is true, and there is nothing to connect to. 409 unless the call is answered and its agent is there. Also while somebody else has taken over, and while the agent must not be interrupted, as in the consultation of an attended transfer.
     *
     * Roles: `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `call.steered`.
     */
    takeOver(call_id: string, options?: RequestOptions): Promise<api.CallTakenOver>;
    /**
     * Get the signed evidence of an ended call.
     *
     * The decisions before it with their reasons, the first words, the consent to a recording, and refusals of further calls. The bytes of the response are canonical JSON (RFC 8785): keep them as they are, and verify them with `npx --no switchboard verify`, offline. The document stays the same until something in it changes; then there is a new one, which names the hash of the user’s previous one. 409 `call_not_ended` until the call has ended.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `evidence.issued`.
     */
    evidence(call_id: string, options?: RequestOptions): Promise<api.CallEvidence>;
    /**
     * Transfer an answered call.
     *
     * COLD: the caller is referred to the new number and the agent leaves; the session ends with `end_reason: transferred`. WARM: the number is dialled into the same room and the agent leaves when it is ready. The type is taken from the body, the agent’s `config.transfer.type`, or `TRANSFER_TYPE`, in this order. `attended`: the agent talks to the target first, and the caller waits (docs/telephony.md).
     *
     * Roles: `supervisor`, `user`, `worker`, `service`, `admin`.
     *
     * Audit log: `transfer.started`.
     */
    transfer(session_id: string, body: api.TransferRequest, options?: RequestOptions): Promise<api.Transfer>;
    /**
     * Complete a warm transfer.
     *
     * The agent leaves; the caller and the target stay connected. Or, with `outcome=return`, the call to the target of an attended one is ended, and the caller is back with the agent. 409 until the target has answered, and if another end was decided before.
     *
     * Roles: `supervisor`, `user`, `worker`, `service`, `admin`.
     *
     * Audit log: `transfer.completed`.
     */
    completeTransfer(session_id: string, query?: NonNullable<api.operations['completeTransfer']['parameters']['query']>, options?: RequestOptions): Promise<api.Transfer>;
    /**
     * Follow a call as server-sent events.
     *
     * Everything after `Last-Event-ID`, then new events, until the call has ended. A browser’s `EventSource`, which can send no header, shows a stream token as `token`.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `transcripts.read`, for an operator’s key.
     */
    events(call_id: string, options?: EventOptions): AsyncGenerator<CallEvent, void, undefined>;
    /**
     * Get a token for the event stream of a call.
     *
     * For a web page: `new EventSource(events_url)`. Good for the stream of this call and nothing else, until `expires_at`, or until the API key that asked for it is revoked. Ask for it on your server, so that the page needs no API key.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `stream_token.issued`.
     */
    createStreamToken(call_id: string, options?: RequestOptions): Promise<api.StreamToken>;
    /**
     * Report the outcome of a call.
     *
     * Records who or what answered, and the result in your own words. `hang_up` ends the call as well, with the `end_reason` `voicemail` if `answered_by` is `voicemail` or `unavailable`, `screening` if it is that, and `ended_by_agent` otherwise. It can be repeated and corrected at any time, after the end too.
     *
     * Roles: `user`, `worker`, `service`, `admin`.
     *
     * Audit log: `call.outcome_corrected` or `call.ended`, where it is one.
     */
    reportOutcome(call_id: string, body: api.CallOutcome, options?: RequestOptions): Promise<api.CallDetail>;
    /**
     * Get the JSON schema of a worker’s job.
     *
     * The schema of the job metadata that an agent’s worker receives when it is dispatched into a room. `version` is the version of the schema.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    workerJobSchema(options?: RequestOptions): Promise<api.WorkerJobSchema>;
  };
  scheduledCalls: {
    /**
     * List scheduled calls, newest first.
     *
     * Those that wait, and what became of the others. A placed one is a call, which `GET /api/calls` lists.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listScheduledCalls']['parameters']['query']>, options?: RequestOptions): Pages<api.ScheduledCallPage, 'items'>;
    /**
     * Get a scheduled call.
     *
     * When it is placed; or the call that it has become, or why it has not.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(scheduled_call_id: string, options?: RequestOptions): Promise<api.ScheduledCall>;
    /**
     * Give a scheduled call another time.
     *
     * With `at` or `window`, as when it was scheduled. 409 once it is placed or has ended.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `scheduled_call.moved`.
     */
    move(scheduled_call_id: string, body: api.ScheduledCallMove, options?: RequestOptions): Promise<api.ScheduledCall>;
    /**
     * Cancel a scheduled call.
     *
     * From the answer on it is not placed any more. 409 once it is placed or has ended.
     *
     * Roles: `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `scheduled_call.canceled`.
     */
    cancel(scheduled_call_id: string, options?: RequestOptions): Promise<api.ScheduledCall>;
    /**
     * Propose a time for a call back.
     *
     * For the worker of a conversation whose agent has `tools.call_back`: checks the time against these bounds and the policies, and remembers it for 15 minutes. Nothing is booked: read it back, and confirm it.
     *
     * Roles: `user`, `worker`, `service`, `admin`.
     */
    proposeCallBack(session_id: string, body: api.CallBackProposal, options?: RequestOptions): Promise<api.ProposedCallBack>;
    /**
     * Book the call back that was proposed.
     *
     * Once the person has agreed to the time. Replaces an earlier call back of this conversation. 409 unless this time was proposed.
     *
     * Roles: `user`, `worker`, `service`, `admin`.
     */
    confirmCallBack(session_id: string, body: api.CallBackConfirmation, options?: RequestOptions): Promise<api.ScheduledCall>;
  };
  recordings: {
    /**
     * Get the loudness of a recording.
     *
     * For a picture of who speaks when, without the audio. Also while it is being recorded.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    levels(call_id: string, recording_id: string, query?: NonNullable<api.operations['getRecordingLevels']['parameters']['query']>, options?: RequestOptions): Promise<api.RecordingLevels>;
    /**
     * List the recordings of a call.
     *
     * Usually one; another one for each worker that took over. Without audio: see `getRecordingAudio`.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(call_id: string, options?: RequestOptions): Promise<api.Recordings>;
    /**
     * Get the audio of a recording.
     *
     * Opus in Ogg, the agent left and the other side right. With a `Range` of bytes, a part of it; a range that cannot be satisfied is ignored. 404 until it is `stored`.
     *
     * Roles: `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `recording.played`.
     */
    audio(call_id: string, recording_id: string, query?: NonNullable<api.operations['getRecordingAudio']['parameters']['query']>, options?: RequestOptions): Promise<Blob>;
    /**
     * Get a link to the audio of a recording.
     *
     * For an `<audio>` element, which can send no key. Good for this audio and nothing else, until `expires_at`, or until the API key that asked for it is revoked.
     *
     * Roles: `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `recording.link_issued`.
     */
    link(call_id: string, recording_id: string, options?: RequestOptions): Promise<api.RecordingLink>;
    /**
     * Delete a recording.
     *
     * Its audio is gone from the storage once this answers with 204. If the storage refuses, the answer is 503: nobody can hear it any more, and the audio is deleted in the background. 409 under a legal hold.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `recording.deleted`.
     */
    delete(call_id: string, recording_id: string, options?: RequestOptions): Promise<void>;
    /**
     * Begin a recording, or report its state.
     *
     * By a worker, which chooses the id. Late and repeated reports change nothing. Accepted until a day after the session has ended.
     *
     * Roles: `worker`, `service`, `admin`.
     */
    report(session_id: string, recording_id: string, body: api.RecordingReport, options?: RequestOptions): Promise<api.Recording>;
    /**
     * Add a segment to a recording.
     *
     * By a worker: some seconds of audio. Idempotent by `seq`. 201 once it is in the storage; 503 if the storage refuses, to be repeated. Accepted until a day after the session has ended.
     *
     * Roles: `worker`, `service`, `admin`.
     */
    addSegment(session_id: string, recording_id: string, body: api.SegmentCreate, options?: RequestOptions): Promise<api.SegmentAdded>;
  };
  dialPolicies: {
    /**
     * List dial policies, and the presets.
     *
     * The newest version of each policy of the calling user. Presets apply to nobody until a policy takes their rules; they are no legal advice.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(options?: RequestOptions): Promise<api.DialPolicyList>;
    /**
     * Get a dial policy.
     *
     * The newest version, or the one that is asked for.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(name: string, query?: NonNullable<api.operations['getDialPolicy']['parameters']['query']>, options?: RequestOptions): Promise<api.DialPolicy>;
    /**
     * Create a dial policy, or a new version of it.
     *
     * Applies to calls from then on: to those of agents with `compliance.policy` in their configuration, and as the default to those of all others. Versions never change. 422 for windows that never open, places that do not exist, and rules that contradict themselves.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `dial_policy.changed`.
     */
    put(name: string, body: api.DialPolicyPut, options?: RequestOptions): Promise<api.DialPolicy>;
  };
  suppressions: {
    /**
     * Suppress numbers.
     *
     * Up to 5,000, all or none, as JSON or CSV with the fields as columns; problems of a file name the line. From the response on, calls and transfers to them are denied. Idempotent: one for the same number and scope replaces the earlier one. What a person has said (`asked`, `wrong_number`) stays while it is in force: a list (`imported`, `registry`) changes neither its reason nor its call and words, and at most has it expire later; nor does `wrong_number` what was `asked`.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `suppressions.added`.
     */
    add(body: api.SuppressionsPost, options?: RequestOptions): Promise<api.SuppressionsAdded>;
    /**
     * List suppressed numbers, oldest first.
     *
     * With `Accept: text/csv`, returns all of them as a file that `POST /api/suppressions` accepts in parts.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `data.exported`, for a file.
     */
    list(query?: NonNullable<api.operations['listSuppressions']['parameters']['query']>, options?: RequestOptions): Pages<api.SuppressionPage, 'items'>;
    /**
     * List what has changed in the suppressed numbers.
     *
     * In order, from the beginning or after a cursor, up to 1,000; removals are in it for 90 days. Ask again with `next_cursor`.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    changes(query?: NonNullable<api.operations['listSuppressionChanges']['parameters']['query']>, options?: RequestOptions): Promise<api.SuppressionChanges>;
    /**
     * Allow a number again.
     *
     * The suppression stays among the changes.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `suppression.removed`.
     */
    delete(suppression_id: string, options?: RequestOptions): Promise<void>;
  };
  consents: {
    /**
     * Record a consent.
     *
     * Consents are added and revoked, never changed.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `consent.added`.
     */
    add(body: api.ConsentPost, options?: RequestOptions): Promise<api.Consent>;
    /**
     * List consents, newest first.
     *
     * Those of the calling user, revoked ones included.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listConsents']['parameters']['query']>, options?: RequestOptions): Pages<api.ConsentPage, 'items'>;
    /**
     * Revoke a consent.
     *
     * Earlier consents of the number to the same purpose do not count any more either.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `consent.revoked`.
     */
    revoke(consent_id: string, options?: RequestOptions): Promise<api.Consent>;
  };
  campaigns: {
    /**
     * Create a campaign.
     *
     * As a draft: add recipients, then start it. Its calls keep to the limits, budgets and dial policies of all calls.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `campaign.created`.
     */
    create(body: api.CampaignCreate, options?: RequestOptions): Promise<api.Campaign>;
    /**
     * List campaigns, newest first.
     *
     * Those of the calling user, with their counts.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listCampaigns']['parameters']['query']>, options?: RequestOptions): Pages<api.CampaignPage, 'items'>;
    /**
     * Get a campaign.
     *
     * With its counts, and why it dials nobody, if it does not.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(campaign_id: string, options?: RequestOptions): Promise<api.Campaign>;
    /**
     * Change a campaign.
     *
     * Only the fields that are sent. While it runs, its name, pacing, budget, circuit and expiry; the others in a draft, or while it is paused. 409 `campaign_state` otherwise.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `campaign.changed`.
     */
    update(campaign_id: string, body: api.CampaignUpdate, options?: RequestOptions): Promise<api.Campaign>;
    /**
     * Delete a campaign.
     *
     * With its recipients. Cancel it first if it runs or is paused: 409 `campaign_state`. Calls and decisions stay.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `campaign.deleted`.
     */
    delete(campaign_id: string, options?: RequestOptions): Promise<void>;
    /**
     * Start a campaign.
     *
     * A draft, or a paused one. It runs until nobody is left to be dialled. 422 if its `expires_at` has passed: change that first.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `campaign.started`.
     */
    start(campaign_id: string, options?: RequestOptions): Promise<api.Campaign>;
    /**
     * Pause a campaign.
     *
     * From the answer on nobody is dialled, by any process. Calls in progress continue.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `campaign.paused`.
     */
    pause(campaign_id: string, options?: RequestOptions): Promise<api.Campaign>;
    /**
     * Resume a paused campaign.
     *
     * Goes on where it was. 422 if its `expires_at` has passed: change that first.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `campaign.started`.
     */
    resume(campaign_id: string, options?: RequestOptions): Promise<api.Campaign>;
    /**
     * Cancel a campaign.
     *
     * For good: from the answer on nobody is dialled, and who waits becomes `canceled`. Calls in progress continue.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `campaign.canceled`.
     */
    cancel(campaign_id: string, options?: RequestOptions): Promise<api.Campaign>;
    /**
     * Preview a campaign.
     *
     * Decides who may be dialled when, and who may not, as of now. Nothing is dialled or recorded.
     *
     * Roles: `user`, `service`, `admin`.
     */
    preview(campaign_id: string, options?: RequestOptions): Promise<api.CampaignPreview>;
    /**
     * Get the counts of a campaign.
     *
     * Recipients by state and attempts by outcome, in constant time.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    stats(campaign_id: string, options?: RequestOptions): Promise<api.CampaignStats>;
    /**
     * Add recipients to a campaign.
     *
     * Up to 1,000 as JSON, or a file of up to a million lines: CSV, whose other columns become variables and `metadata.x` an entry of the metadata, or a `RecipientInput` as JSON on each line. Idempotent by `external_id`: a file that has broken off is sent again. Refused lines are reported, the others are taken. Those that are added to a completed campaign make it run again. CSV should be UTF-8; a file that cannot be read to its end says where it stopped (`stopped_at_line`).
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `campaign.recipients_added`.
     */
    addRecipients(campaign_id: string, body: api.RecipientsAdd, options?: RequestOptions): Promise<api.RecipientsAdded>;
    /**
     * List the recipients of a campaign.
     *
     * In the order in which they were added, with their attempts. With `Accept: text/csv`, the results of all of them as a file.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `data.exported`, for a file.
     */
    recipients(campaign_id: string, query?: NonNullable<api.operations['listRecipients']['parameters']['query']>, options?: RequestOptions): Pages<api.RecipientPage, 'items'>;
    /**
     * Get a recipient of a campaign.
     *
     * With its data, its attempts, and when it may be dialled next.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    recipient(campaign_id: string, recipient_id: string, options?: RequestOptions): Promise<api.RecipientDetail>;
  };
  evidence: {
    /**
     * Get the public keys of evidence.
     *
     * A JSON Web Key Set (RFC 7517) of all keys that evidence was signed with. Needs no key.
     */
    keys(options?: RequestOptions): Promise<api.EvidenceKeySet>;
  };
  dialing: {
    /**
     * Ask whether a phone may be called.
     *
     * Decides as a call with these fields would be decided now. Nothing is dialled, counted or recorded.
     *
     * Roles: `user`, `service`, `admin`.
     */
    check(body: api.DialCheckRequest, options?: RequestOptions): Promise<api.DialCheck>;
    /**
     * List decisions about dialling, newest first.
     *
     * Why a person was called, or was not. Recorded for users with policies, and for others if a number is suppressed.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    decisions(query?: NonNullable<api.operations['listDialDecisions']['parameters']['query']>, options?: RequestOptions): Pages<api.DialDecisionPage, 'items'>;
    /**
     * Get the signed evidence of a decision about dialling.
     *
     * The decision with its reasons and all that it was decided from, the rules of its policy, and the consents of the number: also of an attempt that was denied or deferred, and led to no call. Signed, chained and verified as the evidence of calls is.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `evidence.issued`.
     */
    evidence(decision_id: string, options?: RequestOptions): Promise<api.DecisionEvidence>;
  };
  sessions: {
    /**
     * Open a session.
     *
     * For conversations that are not outbound calls. If the user already has a session in the room, that session is returned.
     *
     * Roles: `user`, `worker`, `service`, `admin`.
     */
    create(body: OptionalUser<api.SessionCreate>, options?: RequestOptions): Promise<api.Session>;
    /**
     * List sessions, newest first.
     *
     * Pages by cursor. A named user sees its own sessions.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listSessions']['parameters']['query']>, options?: RequestOptions): Pages<api.SessionPage, 'items'>;
    /**
     * Get one session.
     *
     * A session is one conversation: a phone call, or people and an agent in a media room. `status` goes from `CREATED` to `ACTIVE` to `COMPLETED` or `FAILED`.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    get(session_id: string, options?: RequestOptions): Promise<api.Session>;
    /**
     * Update a session, or end it.
     *
     * `metadata` is merged into `session_data` (JSON Merge Patch, RFC 7386). `ended_at` or `duration` end a live session and close its room; on an ended session they correct the figures.
     *
     * Roles: `user`, `worker`, `service`, `admin`.
     *
     * Audit log: `session.corrected`, where it is one.
     */
    update(session_id: string, body: api.SessionUpdate, options?: RequestOptions): Promise<api.Session>;
    /**
     * Get the session of a room.
     *
     * For agent workers, which know the room they were dispatched into.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    getByRoom(room_name: string, options?: RequestOptions): Promise<api.Session>;
    /**
     * End the session of a room and hang up.
     *
     * The session ends as `COMPLETED` with `end_reason: ended_by_agent`; everybody leaves the room. Ending an ended session changes nothing.
     *
     * Roles: `supervisor`, `user`, `worker`, `service`, `admin`.
     *
     * Audit log: `call.ended`, where it is one.
     */
    endByRoom(room_name: string, options?: RequestOptions): Promise<api.Session>;
    /**
     * Get a token for the room of a live session.
     *
     * A browser joins the media room with `token` at `url` before `expires_at`. The token is good for that room only. The first one for a conversation with an agent makes the room and calls the agent into it, which counts on the limits on calls (429).
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `room_token.issued`.
     */
    createRoomToken(body: api.RoomTokenCreate, options?: RequestOptions): Promise<api.RoomToken>;
    /**
     * Add a transcript to the session of a room.
     *
     * Accepted until a day after the session has ended. `speaker` is `USER` unless given. Send an `Idempotency-Key` to repeat the request safely.
     *
     * Roles: `user`, `worker`, `service`, `admin`.
     */
    addTranscript(room_name: string, body: api.TranscriptCreate, options?: RequestOptions): Promise<api.Transcript>;
    /**
     * List the transcripts of a session.
     *
     * In the order in which they were added, with cursor pagination.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     *
     * Audit log: `transcripts.read`, for an operator’s key.
     */
    transcripts(session_id: string, query?: NonNullable<api.operations['listTranscripts']['parameters']['query']>, options?: RequestOptions): Pages<api.TranscriptPage, 'items'>;
    /**
     * Get the cost of a session.
     *
     * In total, by event type and by provider, with a page of the events. The sums cover all events.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    costs(session_id: string, query?: NonNullable<api.operations['getSessionCosts']['parameters']['query']>, options?: RequestOptions): Pages<api.SessionCosts, 'events'>;
    /**
     * Report the latency of turns, and calls of tools.
     *
     * For each turn, the end of speech and the delay until the transcript, the first token and the first audio; and what the agent’s tools were asked and have answered. Idempotent: known turns and calls are ignored. Accepted until a day after the session has ended.
     *
     * Roles: `worker`, `service`, `admin`.
     */
    reportTurns(session_id: string, body: api.TurnsCreate, options?: RequestOptions): Promise<api.TurnsReported>;
    /**
     * Report that a model took over from another one.
     *
     * Adds an entry to the timeline, and `provider.failed_over` to the event streams. Idempotent by `id`. Accepted until a day after the session has ended.
     *
     * Roles: `worker`, `service`, `admin`.
     */
    reportFailedOver(session_id: string, body: api.FailedOverCreate, options?: RequestOptions): Promise<api.FailedOverReported>;
    /**
     * List the turns of a session.
     *
     * In the order of their numbers, with cursor pagination.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    turns(session_id: string, query?: NonNullable<api.operations['listTurns']['parameters']['query']>, options?: RequestOptions): Pages<api.TurnPage, 'items'>;
  };
  chats: {
    /**
     * Start a chat with an agent.
     *
     * A conversation in writing, with one version of the agent: the one that calls get, or `agent_version`. It is a session: its transcript, its costs and its erasure are those of calls, and so are its limits (429). It ends with `POST /api/chats/{chat_id}/end`, or a day after it began. Once its usage has arrived, `chat.ended` goes to the user’s webhook endpoints, and to `callback_url`, by default the agent’s (none for a chat with the draft).
     *
     * Roles: `user`, `service`, `admin`.
     */
    start(body: api.ChatCreate, options?: RequestOptions): Promise<api.Chat>;
    /**
     * Get a chat.
     *
     * Its messages are the transcript of the session with the same id.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(chat_id: string, options?: RequestOptions): Promise<api.Chat>;
    /**
     * Send a message to a chat, and get the answer.
     *
     * Waits until a worker has answered, at most `CHAT_ANSWER_TIMEOUT_S`; then 503 `turn_unanswered`. One message at a time: 409 `turn_in_progress`. With `Accept: text/event-stream` the answer is sent while it comes; a client that leaves changes nothing. Under the same `Idempotency-Key` the message is sent once: a repeated request waits for the same answer, or gets it at once. Its stream begins anew; if the answer is already there, it has only `sent` and `message`. A message that got no answer is a 503 again: send it under another key.
     *
     * Roles: `user`, `service`, `admin`.
     */
    send(chat_id: string, body: api.ChatMessageCreate, options?: RequestOptions): Promise<api.ChatAnswer>;
    /**
     * Rewind a chat to one of its messages.
     *
     * Deletes the messages after `to_message` from the transcript, or all of them. What they have cost stays in the ledger. 409 `turn_in_progress` while a message waits for its answer.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `chat.rewound`.
     */
    rewind(chat_id: string, body: api.ChatRewind, options?: RequestOptions): Promise<api.Chat>;
    /**
     * Start a chat with the messages of another one.
     *
     * A new chat of the same user, with copies of the messages up to `to_message`, or of all, and the same variables and metadata. It has the version of the other chat, unless `agent_version` names another one or the draft. The other chat, which may have ended, stays as it is.
     *
     * Roles: `user`, `service`, `admin`.
     */
    fork(chat_id: string, body: api.ChatFork, options?: RequestOptions): Promise<api.Chat>;
    /**
     * End a chat.
     *
     * Ending an ended chat changes nothing.
     *
     * Roles: `user`, `service`, `admin`.
     */
    end(chat_id: string, options?: RequestOptions): Promise<api.Chat>;
  };
  extractors: {
    /**
     * Create an extractor, or its next version.
     *
     * An extractor says what a model reads out of the transcripts of calls whose agent names it. 201 for a new one, 200 for the next version of the user’s extractor with this name; the same content as the newest version makes no new one. Agents keep the version that they have until they are published again. 422 names what a model cannot fill, with the place.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `extractor.saved`.
     */
    save(body: api.ExtractorPut, options?: RequestOptions): Promise<api.Extractor>;
    /**
     * List extractors, newest first.
     *
     * Those of the calling user, at their newest versions.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listExtractors']['parameters']['query']>, options?: RequestOptions): Pages<api.ExtractorPage, 'items'>;
    /**
     * Get an extractor.
     *
     * At its newest version, or at the one asked for.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(extractor_id: string, query?: NonNullable<api.operations['getExtractor']['parameters']['query']>, options?: RequestOptions): Promise<api.Extractor>;
    /**
     * Delete an extractor.
     *
     * With all its versions. Agents that name it analyse no more; the analyses that there are stay.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `extractor.deleted`.
     */
    delete(extractor_id: string, options?: RequestOptions): Promise<void>;
  };
  analyses: {
    /**
     * List the analyses of a call.
     *
     * The values that extractors have read out of its transcript, each with the lines that say so.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `transcripts.read`, for an operator’s key.
     */
    list(call_id: string, options?: RequestOptions): Promise<api.Analyses>;
    /**
     * Analyse a call, or analyse it again.
     *
     * By the extractors that are named, or by those of the call’s version of its agent. There is one analysis by each version of an extractor: its new result replaces the earlier one. Those in progress go on. Answers with all analyses of the call.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `call.analysis_requested`.
     */
    request(call_id: string, body: api.AnalysisRequest, options?: RequestOptions): Promise<api.Analyses>;
    /**
     * Analyse earlier calls, or estimate that.
     *
     * By default an estimate: 200, and nothing is done. With `estimate: false`, 201: the newest calls first, those alone that the version of the extractor has not analysed yet and whose `when` fits; its `sample` does not count.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `analysis_backfill.started`.
     */
    backfill(body: api.AnalysisBackfillCreate, options?: RequestOptions): Promise<api.AnalysisBackfill>;
    /**
     * Get the progress of a backfill.
     *
     * Kept until 30 days after it has begun.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    getBackfill(backfill_id: string, options?: RequestOptions): Promise<api.AnalysisBackfill>;
    /**
     * List backfills, newest first.
     *
     * Those of the calling user, until 30 days after they have begun.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    listBackfills(query?: NonNullable<api.operations['listAnalysisBackfills']['parameters']['query']>, options?: RequestOptions): Pages<api.AnalysisBackfillPage, 'items'>;
    /**
     * Cancel a backfill.
     *
     * Analyses that nobody has begun are not made; those that there are stay. Canceling one that has ended changes nothing.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `analysis_backfill.canceled`.
     */
    cancelBackfill(backfill_id: string, options?: RequestOptions): Promise<api.AnalysisBackfill>;
  };
  scenarios: {
    /**
     * Create or replace a scenario.
     *
     * Its name is in its text: 201 for a new one, 200 for one that replaces the user’s scenario with this name. 422 lists every mistake of the text, with `line` and `column` in `ctx`.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `scenario.saved`.
     */
    save(body: api.ScenarioPut, options?: RequestOptions): Promise<api.Scenario>;
    /**
     * List scenarios, newest first.
     *
     * Those of the calling user, without their texts.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listScenarios']['parameters']['query']>, options?: RequestOptions): Pages<api.ScenarioSummaryPage, 'items'>;
    /**
     * Get a scenario.
     *
     * With its text as it was sent.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(scenario_id: string, options?: RequestOptions): Promise<api.Scenario>;
    /**
     * Delete a scenario.
     *
     * Suites that had it go on without it. Results of test runs stay.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `scenario.deleted`.
     */
    delete(scenario_id: string, options?: RequestOptions): Promise<void>;
    /**
     * Draft a scenario of a call, or of a chat.
     *
     * The words of the caller as a script, with the variables, the time and the version of the agent. The functions of that version answer as they did, as far as that was recorded; others say that all is well: write what those should answer, and what you expect. Nothing is saved.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `transcripts.read`, for an operator’s key.
     */
    draft(call_id: string, options?: RequestOptions): Promise<api.ScenarioDraft>;
    /**
     * Get what was recorded of a scenario.
     *
     * The answers of language models that the last test run with `cassette: record` has recorded, with the requests that they answer: a file for `npm run agent-tests -- --replay`. 404 if nothing is recorded.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    cassette(scenario_id: string, options?: RequestOptions): Promise<api.ScenarioCassette>;
    /**
     * Delete what was recorded of a scenario.
     *
     * Test runs with `cassette: replay` then fail until it is recorded again.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `cassette.deleted`.
     */
    deleteCassette(scenario_id: string, options?: RequestOptions): Promise<void>;
  };
  suites: {
    /**
     * Create or replace a suite.
     *
     * Scenarios that are run together. 201 for a new one, 200 for one that replaces the user’s suite with this name.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `suite.saved`.
     */
    save(body: api.SuitePut, options?: RequestOptions): Promise<api.Suite>;
    /**
     * List suites, newest first.
     *
     * Those of the calling user.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listSuites']['parameters']['query']>, options?: RequestOptions): Pages<api.SuitePage, 'items'>;
    /**
     * Get a suite.
     *
     * 404 for an id that is unknown, malformed, or another user’s.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(suite_id: string, options?: RequestOptions): Promise<api.Suite>;
    /**
     * Delete a suite.
     *
     * Its scenarios and its test runs stay.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `suite.deleted`.
     */
    delete(suite_id: string, options?: RequestOptions): Promise<void>;
  };
  testRuns: {
    /**
     * Run scenarios with an agent.
     *
     * Runs a suite, or chosen scenarios, or the `texts` of scenarios that are not saved, or replays an agent’s calls, with one version of an agent or its draft, which becomes a version. Workers hold the conversations, as tasks of the kind `scenario`; in the sandbox the service does, by rules. It is no call, and costs no budget unless that has `count_tests`: once such a budget is spent, 402 `budget_exceeded`, and scenarios of open runs that no worker has begun end without a result. 429 `too_many_test_runs` while the user has three that have not ended. 422 lists the mistakes of `texts`, with `line` and `column` in `ctx`; only a run of a suite opens a gate.
     *
     * Roles: `user`, `service`, `admin`.
     */
    start(body: api.TestRunCreate, options?: RequestOptions): Promise<api.TestRun>;
    /**
     * List test runs, newest first.
     *
     * Those of the calling user. Ended ones are deleted after 30 days.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listTestRuns']['parameters']['query']>, options?: RequestOptions): Pages<api.TestRunPage, 'items'>;
    /**
     * Get a test run.
     *
     * `passed` once every scenario has passed, `failed` once all have ended and one has not.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(test_run_id: string, options?: RequestOptions): Promise<api.TestRun>;
    /**
     * List the results of a test run.
     *
     * For each scenario: how many runs passed, the interval of their rate, why one failed, and the conversations turn by turn. In the order of the suite; a page ends once it has 1 MiB.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `transcripts.read`, for an operator’s key.
     */
    results(test_run_id: string, query?: NonNullable<api.operations['listTestResults']['parameters']['query']>, options?: RequestOptions): Pages<api.TestResultPage, 'items'>;
    /**
     * Cancel a test run.
     *
     * Results that are there stay. Canceling one that has ended changes nothing.
     *
     * Roles: `user`, `service`, `admin`.
     */
    cancel(test_run_id: string, options?: RequestOptions): Promise<api.TestRun>;
    /**
     * Replay a call, or a chat, with a version of its agent.
     *
     * A test run that says what the caller said once more. Its result has the call as it was, and where the conversation first goes another way: with which words, and with which calls of tools. Functions answer as they did, as far as that was recorded; others say that all is well. `calls` of a test run replays many.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `transcripts.read`, for an operator’s key.
     */
    replay(call_id: string, body: api.CallReplay, options?: RequestOptions): Promise<api.TestRun>;
  };
  tasks: {
    /**
     * Claim tasks for a worker.
     *
     * Waits up to `wait_s` seconds until there is a task of the kind, and returns up to `capacity` of them, or none. Each is held by this worker alone until `lease_expires_at`; a heartbeat extends that. A key that is bound to a user gets the tasks of this user alone.
     *
     * Roles: `worker`, `service`, `admin`.
     */
    claim(body: api.TaskClaim, options?: RequestOptions): Promise<api.ClaimedTasks>;
    /**
     * Extend the lease of a task.
     *
     * 409 `lease_lost` once another worker may have the task, or nobody needs its result any more.
     *
     * Roles: `worker`, `service`, `admin`.
     */
    extend(task_id: string, body: api.TaskLease, options?: RequestOptions): Promise<api.TaskExtended>;
    /**
     * Report partial results of a task.
     *
     * Streamed to whoever waits for the result. Extends the lease as a heartbeat does. 409 `lease_lost` for a worker that does not hold the task any more.
     *
     * Roles: `worker`, `service`, `admin`.
     */
    report(task_id: string, body: api.TaskEvents, options?: RequestOptions): Promise<api.TaskExtended>;
    /**
     * Complete a task with its result.
     *
     * Each task has one result: 409 `lease_lost` for a late one. 422 for a result that does not match the schema of the kind; the worker still holds the task then.
     *
     * Roles: `worker`, `service`, `admin`.
     */
    complete(task_id: string, body: api.TaskResult, options?: RequestOptions): Promise<api.TaskEnded>;
    /**
     * Report that a task has failed.
     *
     * A `retryable` one goes to another worker after a pause: a second, up to three attempts; of the kind `analysis` five seconds, doubled each time, up to five attempts. Any other is given up.
     *
     * Roles: `worker`, `service`, `admin`.
     */
    fail(task_id: string, body: api.TaskFailure, options?: RequestOptions): Promise<api.TaskEnded>;
  };
  numbers: {
    /**
     * List the numbers of the carrier account.
     *
     * Each with the agent it is assigned to, if any.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listNumbers']['parameters']['query']>, options?: RequestOptions): Pages<api.OwnedNumberPage, 'items'>;
    /**
     * Assign a number to an agent.
     *
     * The carrier account must own the number; the service never buys any. From then on the agent answers calls to it.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `number.assigned`.
     */
    assign(body: api.NumberAssign, options?: RequestOptions): Promise<api.NumberAssigned>;
    /**
     * Release the number of an agent.
     *
     * Routing goes back to what it was before the assignment. The number stays in the carrier account.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `number.released`.
     */
    release(body: api.NumberRelease, options?: RequestOptions): Promise<api.NumberReleased>;
    /**
     * Look up the agent that answers a number.
     *
     * For agent workers that receive calls by number. Inactive agents are not found: they answer no calls.
     *
     * Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
     */
    lookup(query: NonNullable<api.operations['lookupNumber']['parameters']['query']>, options?: RequestOptions): Promise<api.NumberLookup>;
  };
  usage: {
    /**
     * List usage events.
     *
     * The events of the user, oldest first, with cursor pagination. A `service` key without a user gets those of all users. With `Accept: text/csv`, returns all of them as a file (RFC 4180, UTF-8) regardless of `limit`; text that a spreadsheet would take for a formula is prefixed with an apostrophe. Events logged during the export are not included. A failed export lacks the last chunk, so that clients report an error.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `data.exported`, for a file.
     */
    list(query?: NonNullable<api.operations['listUsageEvents']['parameters']['query']>, options?: RequestOptions): Pages<api.LedgerEventPage, 'items'>;
    /**
     * Log a usage event.
     *
     * 201 means that the event is committed. The ledger is append-only; amounts keep every digit. Negative amounts are corrections and require the role `service`. Send an `Idempotency-Key` to make retries safe.
     *
     * Roles: `worker`, `service`, `admin`.
     *
     * Audit log: `usage.corrected`, where it is one.
     */
    log(body: OptionalUser<api.UsageEventCreate>, options?: RequestOptions): Promise<api.UsageEvent>;
    /**
     * Log up to 1,000 usage events.
     *
     * All events are of one user; all are committed, or none. An event without `unit_cost` is priced by the price book, or stored as unpriced: it costs 0 until it is priced, and reports count it. Send an `Idempotency-Key` to make retries safe. An empty list uses up its key: 201 means that nothing was or will be written under the key, 422 that the original batch has arrived.
     *
     * Roles: `worker`, `service`, `admin`.
     *
     * Audit log: `usage.corrected`, where it is one.
     */
    logBatch(body: api.UsageBatchCreate, options?: RequestOptions): Promise<api.UsageBatch>;
  };
  prices: {
    /**
     * List the price book.
     *
     * The prices that were not replaced, each valid from `valid_from` on, in the order of recording, with cursor pagination; with `history`, also replaced ones. With `Accept: text/csv`, returns all of them as a file that `PUT /api/prices` accepts.
     *
     * Roles: `viewer`, `supervisor`, `service`, `admin`.
     *
     * Audit log: `data.exported`, for a file.
     */
    list(query?: NonNullable<api.operations['listPrices']['parameters']['query']>, options?: RequestOptions): Pages<api.PricePage, 'items'>;
    /**
     * Record prices.
     *
     * Adds up to 5,000 prices to the book, all or none; a refusal lists up to 100 problems (`npm run prices -- import`: all of them). Nothing is overwritten: a price with the same key (provider, event type, model, prefix, direction) and `valid_from` replaces the earlier one, which stays in the history. Idempotent: prices that are already in the book change nothing. CSV has the fields as columns; its problems name the line. Events that already have costs keep them.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `prices.changed`.
     */
    put(body: api.PricesPut, options?: RequestOptions): Promise<api.PricesChanged>;
    /**
     * Price events that have no price.
     *
     * Adds an adjusting entry for each event that was logged without a price and now has one in the book, valid on the day (UTC) of the event. The entry counts for that day; reports as of an earlier date exclude it. Idempotent: each event is priced once. Events of detached months are skipped and counted.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `prices.applied`.
     */
    apply(query?: NonNullable<api.operations['applyPrices']['parameters']['query']>, options?: RequestOptions): Pages<api.PricesApplied, 'missing'>;
  };
  costs: {
    /**
     * Get the cost summary.
     *
     * The user’s total cost, the cost of the current calendar month (UTC), and the cost of each provider. Exact to the last digit, and includes every event that was answered with 201. `start_date` and `end_date` apply to all figures except `this_month_cost`.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    summary(query?: NonNullable<api.operations['getCostSummary']['parameters']['query']>, options?: RequestOptions): Promise<api.CostSummary>;
    /**
     * Get the cost of each agent.
     *
     * Highest cost first. Events without an agent are left out; beyond 5,000 agents those that cost least are summed up under `other`.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    byAgent(query?: NonNullable<api.operations['listCostsByAgent']['parameters']['query']>, options?: RequestOptions): Promise<api.AgentCost[]>;
    /**
     * Get the cost over time.
     *
     * `date` is the first day of each period (UTC; weeks start on Monday), ascending. Periods without events are left out.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    timeline(query?: NonNullable<api.operations['getCostTimeline']['parameters']['query']>, options?: RequestOptions): Promise<api.PeriodCost[]>;
    /**
     * Get a cost report.
     *
     * Costs of the user by any combination of day, week, month, agent, version of the agent, provider, model, event type and call direction. A `service` key without a user gets those of all users, which can also be grouped by user. Exact to the last digit, and includes every event that was answered with 201. An entry that prices or corrects an earlier event counts for the day of that event; `as_of` excludes entries recorded later. With `Accept: text/csv`, returns all groups as a file from one snapshot, regardless of `limit`.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `data.exported`, for a file.
     */
    report(query: NonNullable<api.operations['getCostReport']['parameters']['query']>, options?: RequestOptions): Pages<api.CostReport, 'items'>;
    /**
     * Import what the carrier billed.
     *
     * Reads the carrier’s records of the calls that began on a day, matches each with its line by numbers and time, and adds an adjusting entry if the bill differs, so that the ledger equals the bill. Idempotent: each record is booked once; one without a price yet is booked by a later request. The response compares both sides, and lists what has no counterpart.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `carrier_costs.imported`.
     */
    importCarrier(query: NonNullable<api.operations['importCarrierCosts']['parameters']['query']>, options?: RequestOptions): Promise<api.CarrierImport>;
  };
  quotas: {
    /**
     * Get the stored bytes of a user.
     *
     * The bytes stored for the user, and those written in the current minute, with the limits for the user’s own keys and tokens. Beyond `STORED_BYTES_PER_USER` they get 403 `quota_exceeded` from operations that add something, beyond `WRITTEN_BYTES_PER_USER` 429 `too_many_requests`. After an upgrade from v0.1.0, earlier data is counted in the background.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(user_id: string, options?: RequestOptions): Promise<api.Quota>;
  };
  budgets: {
    /**
     * Get the budget of a user.
     *
     * Including the amount spent in the current month (UTC), and what is reserved for open calls. 404 for a user without a budget.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(user_id: string, options?: RequestOptions): Promise<api.Budget>;
    /**
     * Set the budget of a user.
     *
     * Replaces the whole budget. With `refuse_calls`, new calls and chats are refused with 402 `budget_exceeded` unless the limit covers the costs of the month, what open calls may still cost, and the estimate for the new one (`cost_per_minute`; chats have none); calls and chats in progress continue unless `end_calls` is set. With `count_tests`, what test runs cost counts too, and none starts once the limit is reached. Each threshold is reported once a month by `budget.threshold` to the webhook endpoints of the user.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `budget.changed`.
     */
    set(user_id: string, body: api.BudgetPut, options?: RequestOptions): Promise<api.Budget>;
  };
  stats: {
    /**
     * Get the latency of turns.
     *
     * Mean, p50 and p95 of the turns of the user, in total and by agent, version of the agent, or model. A turn counts for the day (UTC) on which it was reported. Deleted turns stay in the figures; those of an erased user do not.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    latency(query?: NonNullable<api.operations['getLatency']['parameters']['query']>, options?: RequestOptions): Promise<api.LatencyReport>;
    /**
     * Get statistics of calls.
     *
     * Ended phone and browser calls of the user: their number, the number answered, and mean, p50 and p95 of ring and talk time. A `service` key without a user gets those of all users. A call counts for the day (UTC) on which it began, from the moment of its end; an outcome that is reported later, or a duration that is corrected, moves it. With `Accept: text/csv`, returns the groups as a file, or a single record of all calls without `group_by`. 422 for more than 10,000 groups. Calls of an erased user are not counted.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `data.exported`, for a file.
     */
    calls(query?: NonNullable<api.operations['getCallStats']['parameters']['query']>, options?: RequestOptions): Promise<api.CallStats>;
    /**
     * Count calls by a value of their analyses.
     *
     * Calls by the values of a field, for example by outcome, or the mean score by version of the agent. A `service` key without a user gets those of all users. Calls of an erased user are not counted.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    analyses(query: NonNullable<api.operations['getAnalysisStats']['parameters']['query']>, options?: RequestOptions): Promise<api.AnalysisStats>;
  };
  webhookEndpoints: {
    /**
     * Create a webhook endpoint.
     *
     * Receives the events of all calls and chats of the user, whoever started them. Signed, retried and listed like the callbacks of a call. If a call’s `callback_url` is the same address, each event is sent twice, with different ids.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `webhook_endpoint.created`.
     */
    create(body: api.WebhookEndpointCreate, options?: RequestOptions): Promise<api.WebhookEndpoint>;
    /**
     * List webhook endpoints, newest first.
     *
     * Those of the calling user, with cursor pagination.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listWebhookEndpoints']['parameters']['query']>, options?: RequestOptions): Pages<api.WebhookEndpointPage, 'items'>;
    /**
     * Get a webhook endpoint.
     *
     * 404 for an id that is unknown, malformed, or another user’s.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    get(endpoint_id: string, options?: RequestOptions): Promise<api.WebhookEndpoint>;
    /**
     * Update a webhook endpoint.
     *
     * Absent fields are not changed. Pending callbacks go to the new `url`; with `is_active: false` they are given up. Delivery to an endpoint that answered 410 resumes.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `webhook_endpoint.updated`.
     */
    update(endpoint_id: string, body: api.WebhookEndpointUpdate, options?: RequestOptions): Promise<api.WebhookEndpoint>;
    /**
     * Delete a webhook endpoint.
     *
     * Pending callbacks to it are given up. All of its callbacks stay in the list.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `webhook_endpoint.deleted`.
     */
    delete(endpoint_id: string, options?: RequestOptions): Promise<void>;
    /**
     * Send a test event.
     *
     * Sends `webhook.test` to this endpoint only: signed, retried and listed like any other event, whatever events the endpoint subscribes to and whether or not it is active. The response is the queued callback; `GET /api/callbacks` shows its attempts. Limited to ten a minute per user (429).
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `webhook_endpoint.tested`.
     */
    sendTest(endpoint_id: string, options?: RequestOptions): Promise<api.Callback>;
  };
  events: {
    /**
     * Follow all calls of a user as server-sent events.
     *
     * Streams the events of all calls of the calling user: changes of state, transcripts, turns, costs, deliveries of callbacks; and changes of its campaigns. Without `Last-Event-ID` it begins now: open the stream first, then read the lists. Ids are opaque; with the last one the stream resumes without loss or repetition, on any replica. Events of one call come in their order. A service key that names no user, or nobody in open mode, follows all users. Nothing is sent while nothing happens but, every 15 seconds, an id.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `transcripts.read`, for an operator’s key.
     */
    follow(options?: UserEventOptions): AsyncGenerator<UserEvent, void, undefined>;
    /**
     * Get a token for the event stream of all calls of a user.
     *
     * For a web page: `new EventSource(events_url)`. Good for the stream of the calling user and nothing else, until `expires_at`, or until the API key that asked for it is revoked.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `stream_token.issued`.
     */
    createToken(options?: RequestOptions): Promise<api.StreamToken>;
  };
  callbacks: {
    /**
     * List callbacks, newest first.
     *
     * Each with its attempts and the receiver’s responses.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listCallbacks']['parameters']['query']>, options?: RequestOptions): Pages<api.CallbackPage, 'items'>;
    /**
     * Deliver a callback again.
     *
     * With the same `webhook-id` and body, so that receivers can recognize it as a duplicate. One of a webhook endpoint goes to its present `url`; it is a 404 if the endpoint is deleted or inactive.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `callback.redelivered`.
     */
    redeliver(callback_id: string, options?: RequestOptions): Promise<api.Callback>;
    /**
     * Deliver many callbacks again.
     *
     * Those in `ids`, or all that have failed since a time: up to 1,000 per request, each with its original `webhook-id` and body. The limits per user and host apply, so that a receiver that has just recovered is not flooded. Those of a webhook endpoint go to its present `url`, and are left alone if it is deleted or inactive. A repeated request with `failed_since` skips callbacks that are pending or were delivered meanwhile.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `callback.redelivered`.
     */
    redeliverMany(body: api.Redelivery, options?: RequestOptions): Promise<api.Redelivered>;
    /**
     * Get the callback secret.
     *
     * The secret that signs the callbacks of the calling user (Standard Webhooks). Created on the first request.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `callback_secret.revealed`.
     */
    secret(options?: RequestOptions): Promise<api.CallbackSecret>;
    /**
     * Rotate the callback secret.
     *
     * For `overlap_s` seconds both the old and the new secret sign, so that receivers can be updated one by one.
     *
     * Roles: `user`, `service`, `admin`.
     *
     * Audit log: `callback_secret.rotated`.
     */
    rotateSecret(body: api.SecretRotation, options?: RequestOptions): Promise<api.CallbackSecret>;
  };
  keys: {
    /**
     * Create an API key.
     *
     * The response contains the key; it is stored as a hash and cannot be shown again. A key has at most the role, the scopes and the lifetime of the key that creates it; keys of role `admin` are created by that role only. 409 in open mode, in which anybody could create one.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `key.created`.
     */
    create(body: api.ApiKeyCreate, options?: RequestOptions): Promise<api.ApiKeyCreated>;
    /**
     * List API keys, newest first.
     *
     * Revoked keys stay in the list. The keys themselves are not shown.
     *
     * Roles: `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listApiKeys']['parameters']['query']>, options?: RequestOptions): Pages<api.ApiKeyPage, 'items'>;
    /**
     * Revoke an API key.
     *
     * Cannot be undone. This process refuses the key and ends its event streams immediately; other processes refuse it within a second and end its streams within 5 seconds. Keys of role `admin` are revoked by that role only. Idempotent.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `key.revoked`.
     */
    revoke(key_id: string, options?: RequestOptions): Promise<api.ApiKey>;
  };
  console: {
    /**
     * Get the sign-in options of the console.
     *
     * Needs no key. If an OpenID provider is configured, browsers sign in there via `/console/openid`, and return with the cookie.
     */
    signInMethods(options?: RequestOptions): Promise<api.SignInMethods>;
    /**
     * Sign in to the console.
     *
     * Exchanges an API key for a cookie that scripts cannot read, for 12 hours or until the key is revoked or expires. Requests with the cookie have the rights of the key; requests other than GET are only accepted from pages of the service (`Origin`). Wrong keys are rate-limited like invalid tokens. 409 in open mode, which has no sign-in.
     *
     * Audit log: `console.signed_in`.
     */
    signIn(body: api.ConsoleSignIn, options?: RequestOptions): Promise<api.ConsoleSession>;
    /**
     * Get the signed-in caller.
     *
     * The role and user of the cookie, key or token, and whether phones and numbers are simulated.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     */
    session(options?: RequestOptions): Promise<api.ConsoleSession>;
    /**
     * Sign out of the console everywhere.
     *
     * Ends all sessions that were opened with the caller’s key, or by the same person at the OpenID provider, as quickly as signing out does. Keys stay valid: revoke them. Stream tokens that these sessions asked for end with them.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `console.signed_out_everywhere`.
     */
    signOutEverywhere(query?: NonNullable<api.operations['signOutEverywhere']['parameters']['query']>, options?: RequestOptions): Promise<api.SignedOut>;
    /**
     * Sign out of the console.
     *
     * Ends the session of the cookie. No effect without one. This process refuses the cookie and ends its event streams immediately; other processes refuse it within a second and end its streams within 5 seconds.
     *
     * Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
     *
     * Audit log: `console.signed_out`, where it is one.
     */
    signOut(options?: RequestOptions): Promise<void>;
  };
  audit: {
    /**
     * List the audit log, newest first.
     *
     * Entries of the audit log: actor, action, time, address and outcome; for configuration, what changed. With `Accept: text/csv` or `application/x-ndjson`, returns all entries that the filters find as a file, regardless of `limit`. `npm run audit -- verify` checks that nothing was removed or changed.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `data.exported`, for a file.
     */
    list(query?: NonNullable<api.operations['listAuditEntries']['parameters']['query']>, options?: RequestOptions): Pages<api.AuditEntryPage, 'items'>;
  };
  users: {
    /**
     * List the users that have agents.
     *
     * In the order of their ids, with cursor pagination.
     *
     * Roles: `viewer`, `supervisor`, `service`, `admin`.
     */
    list(query?: NonNullable<api.operations['listUsers']['parameters']['query']>, options?: RequestOptions): Pages<api.UserPage, 'items'>;
    /**
     * Get the legal hold and the privacy of a user.
     *
     * Also of a user without agents, or whose agents are all deleted.
     *
     * Roles: `service`, `admin`.
     */
    get(user_id: string, options?: RequestOptions): Promise<api.UserSettings>;
    /**
     * Set the legal hold and the privacy of a user.
     *
     * Under a legal hold none of the user’s conversations are deleted: not by age, not by an erasure (409), not by a `DELETE` (409). Once it is lifted, the next round of the retention deletes what is past its age. `PUT /api/agents/{agent_id}/legal-hold` holds the conversations of one agent.
     *
     * `privacy` says what is redacted and deleted of conversations of the user that begin afterwards, with any agent, in addition to the agent’s own `privacy`: what either redacts is replaced, and the shorter time counts.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `legal_hold.changed` and `user.privacy_changed`; `user.changed` if it fails.
     */
    update(user_id: string, body: api.UserUpdate, options?: RequestOptions): Promise<api.UserSettings>;
    /**
     * Erase a user.
     *
     * Ends the user’s calls, releases the user’s numbers, deletes personal data, and keeps the costs under a pseudonym. Responds when everything is done; an erasure that a provider’s failure interrupts is resumed in the background. 409 `legal_hold` while anything of the user is under one.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `user.erased`.
     */
    erase(user_id: string, options?: RequestOptions): Promise<api.ErasedUser>;
  };
  service: {
    /**
     * Whether the process is alive.
     *
     * Always 200 while the process can answer. Restart the process when this fails. Needs no key.
     */
    health(options?: RequestOptions): Promise<api.Health>;
    /**
     * Whether the service is ready.
     *
     * 503 while the database cannot be reached or its schema is not up to date: take the process out of the load balancer. The media provider, the carrier and workers are reported, but do not affect the status. Needs no key.
     */
    readiness(options?: RequestOptions): Promise<api.Readiness>;
    /**
     * Metrics in Prometheus text format.
     *
     * Counters and gauges of this process; gauges of open calls and queues are read from the database and are the same on every replica. While the database is away these keep their values, and the keys that this process has accepted in the last 15 minutes are still accepted, here alone.
     *
     * Roles: `viewer`, `supervisor`, `service`, `admin`.
     */
    metrics(options?: RequestOptions): Promise<string>;
    /**
     * Show the configuration.
     *
     * Every setting as seen by the process that responds, in the order of docs/configuration.md. Secrets are only shown as set or unset.
     *
     * Roles: `service`, `admin`.
     */
    settings(options?: RequestOptions): Promise<api.ServiceSettings>;
    /**
     * Check the configuration.
     *
     * The checks of `npm run doctor`, run by the service itself: database, storage of recordings, media server, worker and carrier. Dials nobody; stores a small object and deletes it; if LiveKit is configured, creates a room there for a few seconds. Takes up to a minute; 409 while another run is in progress in the same process.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `doctor.run`.
     */
    doctor(options?: RequestOptions): Promise<api.Diagnosis>;
    /**
     * Check whether a model answers to the key of a worker.
     *
     * A worker asks the provider for as little as possible: one word of a language model, one short word of a voice, the recognition of a second of silence. That is not booked. Takes up to half a minute; 503 `no_worker` when no worker takes it. The sandbox asks nobody, and says so.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `provider.checked`.
     */
    checkProvider(body: api.ProviderCheckCreate, options?: RequestOptions): Promise<api.ProviderCheck>;
    /**
     * List queued work.
     *
     * Background work, which the service repeats until it succeeds, and tasks of workers, which are given up after a few attempts: counts by kind over all processes, and up to 100 pieces of work whose last attempt has failed, in the order in which they were added. Work that is done is not listed.
     *
     * Roles: `service`, `admin`.
     */
    work(query?: NonNullable<api.operations['listWork']['parameters']['query']>, options?: RequestOptions): Promise<api.WorkList>;
    /**
     * Try queued work again now.
     *
     * Makes it due at once. Work that is running is done once more afterwards.
     *
     * Roles: `service`, `admin`.
     *
     * Audit log: `work.retried`.
     */
    retryWork(work_id: string, options?: RequestOptions): Promise<api.WorkItem>;
    /**
     * Receive an event of the media provider.
     *
     * Authenticated by the provider’s signature over the body instead of a key. Stored, acknowledged, then handled; repeated events are ignored.
     */
    receiveMediaEvent(body: api.MediaEvent, options?: RequestOptions): Promise<api.MediaEventReceived>;
  };
}

/** The request of each operation. */
export const OPERATIONS = {
  createAgent: {"method":"POST","path":"/api/agents/","input":"body","namesUser":true},
  listAgents: {"method":"GET","path":"/api/agents/"},
  listUsers: {"method":"GET","path":"/api/users","input":"query","list":"items"},
  getAgent: {"method":"GET","path":"/api/agents/{agent_id}"},
  updateAgent: {"method":"PATCH","path":"/api/agents/{agent_id}","input":"body"},
  deleteAgent: {"method":"DELETE","path":"/api/agents/{agent_id}","answer":"none"},
  getAgentCallbackUrl: {"method":"GET","path":"/api/agents/{agent_id}/callback-url"},
  setAgentCallbackUrl: {"method":"PUT","path":"/api/agents/{agent_id}/callback-url","input":"body"},
  getAgentExternalKey: {"method":"GET","path":"/api/agents/{agent_id}/external-key"},
  setAgentExternalKey: {"method":"PUT","path":"/api/agents/{agent_id}/external-key","input":"body"},
  getAgentByExternalKey: {"method":"GET","path":"/api/agents/by-key/{external_key}"},
  getAgentLegalHold: {"method":"GET","path":"/api/agents/{agent_id}/legal-hold"},
  setAgentLegalHold: {"method":"PUT","path":"/api/agents/{agent_id}/legal-hold","input":"body"},
  getAgentConfigSchema: {"method":"GET","path":"/api/schemas/agent-config"},
  validateAgentConfig: {"method":"POST","path":"/api/schemas/agent-config/validate","input":"body"},
  getAgentDraft: {"method":"GET","path":"/api/agents/{agent_id}/draft"},
  putAgentDraft: {"method":"PUT","path":"/api/agents/{agent_id}/draft","input":"body"},
  createAgentVersion: {"method":"POST","path":"/api/agents/{agent_id}/versions","takesKey":true,"input":"body"},
  listAgentVersions: {"method":"GET","path":"/api/agents/{agent_id}/versions","input":"query","list":"items"},
  getAgentVersion: {"method":"GET","path":"/api/agents/{agent_id}/versions/{number}","numbers":["number"]},
  diffAgentVersions: {"method":"GET","path":"/api/agents/{agent_id}/versions/{from}/diff/{to}","numbers":["from","to"]},
  getAgentRelease: {"method":"GET","path":"/api/agents/{agent_id}/release"},
  releaseAgent: {"method":"PUT","path":"/api/agents/{agent_id}/release","input":"body"},
  rollBackAgent: {"method":"POST","path":"/api/agents/{agent_id}/rollback","takesKey":true},
  listAgentReleases: {"method":"GET","path":"/api/agents/{agent_id}/releases","input":"query","list":"items"},
  setAgentPublishing: {"method":"PUT","path":"/api/agents/{agent_id}/publishing","input":"body"},
  saveExtractor: {"method":"POST","path":"/api/extractors","input":"body"},
  listExtractors: {"method":"GET","path":"/api/extractors","input":"query","list":"items"},
  getExtractor: {"method":"GET","path":"/api/extractors/{extractor_id}","input":"query"},
  deleteExtractor: {"method":"DELETE","path":"/api/extractors/{extractor_id}","answer":"none"},
  listAnalyses: {"method":"GET","path":"/api/calls/{call_id}/analyses"},
  requestAnalyses: {"method":"POST","path":"/api/calls/{call_id}/analyses","input":"body"},
  backfillAnalyses: {"method":"POST","path":"/api/analyses/backfill","input":"body"},
  getAnalysisBackfill: {"method":"GET","path":"/api/analyses/backfills/{backfill_id}"},
  listAnalysisBackfills: {"method":"GET","path":"/api/analyses/backfills","input":"query","list":"items"},
  cancelAnalysisBackfill: {"method":"POST","path":"/api/analyses/backfills/{backfill_id}/cancel"},
  getAnalysisStats: {"method":"GET","path":"/api/stats/analyses","input":"query"},
  listDialPolicies: {"method":"GET","path":"/api/dial-policies"},
  getDialPolicy: {"method":"GET","path":"/api/dial-policies/{name}","input":"query"},
  putDialPolicy: {"method":"PUT","path":"/api/dial-policies/{name}","input":"body"},
  startOutboundCall: {"method":"POST","path":"/api/calls/outbound","takesKey":true,"input":"body"},
  getWorkerJobSchema: {"method":"GET","path":"/api/schemas/worker-job"},
  checkDial: {"method":"POST","path":"/api/dial-checks","input":"body"},
  listDialDecisions: {"method":"GET","path":"/api/dial-decisions","input":"query","list":"items"},
  listScheduledCalls: {"method":"GET","path":"/api/scheduled-calls","input":"query","list":"items"},
  getScheduledCall: {"method":"GET","path":"/api/scheduled-calls/{scheduled_call_id}"},
  moveScheduledCall: {"method":"PATCH","path":"/api/scheduled-calls/{scheduled_call_id}","input":"body"},
  cancelScheduledCall: {"method":"POST","path":"/api/scheduled-calls/{scheduled_call_id}/cancel"},
  proposeCallBack: {"method":"POST","path":"/api/sessions/{session_id}/call-backs/propose","input":"body"},
  confirmCallBack: {"method":"POST","path":"/api/sessions/{session_id}/call-backs/confirm","input":"body"},
  createCampaign: {"method":"POST","path":"/api/campaigns","input":"body"},
  listCampaigns: {"method":"GET","path":"/api/campaigns","input":"query","list":"items"},
  updateCampaign: {"method":"PATCH","path":"/api/campaigns/{campaign_id}","input":"body"},
  deleteCampaign: {"method":"DELETE","path":"/api/campaigns/{campaign_id}","answer":"none"},
  getCampaign: {"method":"GET","path":"/api/campaigns/{campaign_id}"},
  getCampaignStats: {"method":"GET","path":"/api/campaigns/{campaign_id}/stats"},
  previewCampaign: {"method":"POST","path":"/api/campaigns/{campaign_id}/preview"},
  startCampaign: {"method":"POST","path":"/api/campaigns/{campaign_id}/start"},
  pauseCampaign: {"method":"POST","path":"/api/campaigns/{campaign_id}/pause"},
  resumeCampaign: {"method":"POST","path":"/api/campaigns/{campaign_id}/resume"},
  cancelCampaign: {"method":"POST","path":"/api/campaigns/{campaign_id}/cancel"},
  addRecipients: {"method":"POST","path":"/api/campaigns/{campaign_id}/recipients","input":"body"},
  listRecipients: {"method":"GET","path":"/api/campaigns/{campaign_id}/recipients","input":"query","list":"items"},
  getRecipient: {"method":"GET","path":"/api/campaigns/{campaign_id}/recipients/{recipient_id}"},
  addSuppressions: {"method":"POST","path":"/api/suppressions","input":"body"},
  listSuppressions: {"method":"GET","path":"/api/suppressions","input":"query","list":"items"},
  listSuppressionChanges: {"method":"GET","path":"/api/suppressions/changes","input":"query"},
  deleteSuppression: {"method":"DELETE","path":"/api/suppressions/{suppression_id}","answer":"none"},
  addConsent: {"method":"POST","path":"/api/consents","input":"body"},
  listConsents: {"method":"GET","path":"/api/consents","input":"query","list":"items"},
  revokeConsent: {"method":"POST","path":"/api/consents/{consent_id}/revoke"},
  getCall: {"method":"GET","path":"/api/calls/{call_id}"},
  getCallJob: {"method":"GET","path":"/api/calls/{call_id}/job"},
  getCallStatus: {"method":"GET","path":"/api/calls/{call_id}/status"},
  endCall: {"method":"POST","path":"/api/calls/{call_id}/end"},
  reportCallOutcome: {"method":"POST","path":"/api/calls/{call_id}/outcome","input":"body"},
  getCallEvidence: {"method":"GET","path":"/api/calls/{call_id}/evidence"},
  getDecisionEvidence: {"method":"GET","path":"/api/dial-decisions/{decision_id}/evidence"},
  getEvidenceKeys: {"method":"GET","path":"/.well-known/switchboard-evidence.json"},
  sayInCall: {"method":"POST","path":"/api/calls/{call_id}/say","input":"body"},
  instructAgent: {"method":"POST","path":"/api/calls/{call_id}/instructions","input":"body"},
  pressKeys: {"method":"POST","path":"/api/calls/{call_id}/dtmf","input":"body"},
  takeOverCall: {"method":"POST","path":"/api/calls/{call_id}/take-over"},
  startWebCall: {"method":"POST","path":"/api/calls/web","takesKey":true,"input":"body"},
  listenToCall: {"method":"POST","path":"/api/calls/{call_id}/listen"},
  createRoomToken: {"method":"POST","path":"/api/media/token","input":"body"},
  startChat: {"method":"POST","path":"/api/chats","takesKey":true,"input":"body"},
  getChat: {"method":"GET","path":"/api/chats/{chat_id}"},
  rewindChat: {"method":"POST","path":"/api/chats/{chat_id}/rewind","input":"body"},
  forkChat: {"method":"POST","path":"/api/chats/{chat_id}/fork","takesKey":true,"input":"body"},
  endChat: {"method":"POST","path":"/api/chats/{chat_id}/end"},
  sendChatMessage: {"method":"POST","path":"/api/chats/{chat_id}/messages","takesKey":true,"input":"body"},
  startTestRun: {"method":"POST","path":"/api/test-runs","takesKey":true,"input":"body"},
  listTestRuns: {"method":"GET","path":"/api/test-runs","input":"query","list":"items"},
  getTestRun: {"method":"GET","path":"/api/test-runs/{test_run_id}"},
  listTestResults: {"method":"GET","path":"/api/test-runs/{test_run_id}/results","input":"query","list":"items"},
  cancelTestRun: {"method":"POST","path":"/api/test-runs/{test_run_id}/cancel"},
  replayCall: {"method":"POST","path":"/api/calls/{call_id}/replay","takesKey":true,"input":"body"},
  saveScenario: {"method":"POST","path":"/api/scenarios","input":"body"},
  listScenarios: {"method":"GET","path":"/api/scenarios","input":"query","list":"items"},
  getScenario: {"method":"GET","path":"/api/scenarios/{scenario_id}"},
  deleteScenario: {"method":"DELETE","path":"/api/scenarios/{scenario_id}","answer":"none"},
  saveSuite: {"method":"POST","path":"/api/suites","input":"body"},
  listSuites: {"method":"GET","path":"/api/suites","input":"query","list":"items"},
  getSuite: {"method":"GET","path":"/api/suites/{suite_id}"},
  deleteSuite: {"method":"DELETE","path":"/api/suites/{suite_id}","answer":"none"},
  getCassette: {"method":"GET","path":"/api/scenarios/{scenario_id}/cassette"},
  deleteCassette: {"method":"DELETE","path":"/api/scenarios/{scenario_id}/cassette","answer":"none"},
  draftScenario: {"method":"POST","path":"/api/calls/{call_id}/scenario"},
  listCalls: {"method":"GET","path":"/api/calls/","input":"query","list":"items"},
  exportCalls: {"method":"GET","path":"/api/calls/export","input":"query","answer":"text"},
  streamCallEvents: {"method":"GET","path":"/api/calls/{call_id}/events","answer":"text"},
  createStreamToken: {"method":"POST","path":"/api/calls/{call_id}/events/token"},
  streamEvents: {"method":"GET","path":"/api/events","answer":"text"},
  createEventsToken: {"method":"POST","path":"/api/events/token"},
  listRecordings: {"method":"GET","path":"/api/calls/{call_id}/recordings"},
  getRecordingAudio: {"method":"GET","path":"/api/calls/{call_id}/recordings/{recording_id}/audio","input":"query","answer":"blob"},
  createRecordingLink: {"method":"POST","path":"/api/calls/{call_id}/recordings/{recording_id}/link"},
  getRecordingLevels: {"method":"GET","path":"/api/calls/{call_id}/recordings/{recording_id}/levels","input":"query"},
  deleteRecording: {"method":"DELETE","path":"/api/calls/{call_id}/recordings/{recording_id}","answer":"none"},
  reportRecording: {"method":"PUT","path":"/api/sessions/{session_id}/recordings/{recording_id}","input":"body"},
  addRecordingSegment: {"method":"POST","path":"/api/sessions/{session_id}/recordings/{recording_id}/segments","input":"body"},
  createSession: {"method":"POST","path":"/api/sessions/","input":"body","namesUser":true},
  listSessions: {"method":"GET","path":"/api/sessions/","input":"query","list":"items"},
  getSession: {"method":"GET","path":"/api/sessions/{session_id}"},
  updateSession: {"method":"PATCH","path":"/api/sessions/{session_id}","input":"body"},
  getSessionByRoom: {"method":"GET","path":"/api/sessions/by-room/{room_name}"},
  endSessionByRoom: {"method":"POST","path":"/api/sessions/by-room/{room_name}/end"},
  reportFailedOver: {"method":"POST","path":"/api/sessions/{session_id}/failovers","input":"body"},
  addTranscript: {"method":"POST","path":"/api/sessions/by-room/{room_name}/transcripts","takesKey":true,"input":"body"},
  listTranscripts: {"method":"GET","path":"/api/sessions/{session_id}/transcripts","input":"query","list":"items"},
  reportTurns: {"method":"POST","path":"/api/sessions/{session_id}/turns","input":"body"},
  listTurns: {"method":"GET","path":"/api/sessions/{session_id}/turns","input":"query","list":"items"},
  getLatency: {"method":"GET","path":"/api/stats/latency","input":"query"},
  getCallStats: {"method":"GET","path":"/api/stats/calls","input":"query"},
  transferCall: {"method":"POST","path":"/api/sessions/{session_id}/transfer","input":"body"},
  completeTransfer: {"method":"POST","path":"/api/sessions/{session_id}/transfer/complete","input":"query"},
  receiveMediaEvent: {"method":"POST","path":"/api/media/webhook","input":"body"},
  assignNumber: {"method":"POST","path":"/api/telephony/numbers/assign","input":"body"},
  releaseNumber: {"method":"POST","path":"/api/telephony/numbers/release","input":"body"},
  listNumbers: {"method":"GET","path":"/api/telephony/numbers","input":"query","list":"items"},
  lookupNumber: {"method":"GET","path":"/api/telephony/lookup","input":"query"},
  logUsageEvent: {"method":"POST","path":"/api/usage/events","takesKey":true,"input":"body","namesUser":true},
  listUsageEvents: {"method":"GET","path":"/api/usage/events","input":"query","list":"items"},
  logUsageEvents: {"method":"POST","path":"/api/usage/events/batch","takesKey":true,"input":"body"},
  listPrices: {"method":"GET","path":"/api/prices","input":"query","list":"items"},
  putPrices: {"method":"PUT","path":"/api/prices","input":"body"},
  applyPrices: {"method":"POST","path":"/api/prices/apply","input":"query","list":"missing"},
  getCostSummary: {"method":"GET","path":"/api/costs/summary","input":"query"},
  listCostsByAgent: {"method":"GET","path":"/api/costs/by-agent","input":"query"},
  getCostTimeline: {"method":"GET","path":"/api/costs/timeline","input":"query"},
  getSessionCosts: {"method":"GET","path":"/api/sessions/{session_id}/costs","input":"query","list":"events"},
  getCostReport: {"method":"GET","path":"/api/costs/report","input":"query","list":"items"},
  importCarrierCosts: {"method":"POST","path":"/api/costs/carrier-import","input":"query"},
  getBudget: {"method":"GET","path":"/api/budgets/{user_id}"},
  setBudget: {"method":"PUT","path":"/api/budgets/{user_id}","input":"body"},
  listCallbacks: {"method":"GET","path":"/api/callbacks","input":"query","list":"items"},
  redeliverCallback: {"method":"POST","path":"/api/callbacks/{callback_id}/redeliver"},
  redeliverCallbacks: {"method":"POST","path":"/api/callbacks/redeliver","input":"body"},
  createWebhookEndpoint: {"method":"POST","path":"/api/webhook-endpoints","input":"body"},
  listWebhookEndpoints: {"method":"GET","path":"/api/webhook-endpoints","input":"query","list":"items"},
  getWebhookEndpoint: {"method":"GET","path":"/api/webhook-endpoints/{endpoint_id}"},
  updateWebhookEndpoint: {"method":"PATCH","path":"/api/webhook-endpoints/{endpoint_id}","input":"body"},
  deleteWebhookEndpoint: {"method":"DELETE","path":"/api/webhook-endpoints/{endpoint_id}","answer":"none"},
  testWebhookEndpoint: {"method":"POST","path":"/api/webhook-endpoints/{endpoint_id}/test"},
  getCallbackSecret: {"method":"GET","path":"/api/callbacks/secret"},
  rotateCallbackSecret: {"method":"POST","path":"/api/callbacks/secret/rotate","input":"body"},
  createApiKey: {"method":"POST","path":"/api/keys","input":"body"},
  listApiKeys: {"method":"GET","path":"/api/keys","input":"query","list":"items"},
  revokeApiKey: {"method":"POST","path":"/api/keys/{key_id}/revoke"},
  getSignInMethods: {"method":"GET","path":"/api/console/sign-in"},
  signIn: {"method":"POST","path":"/api/console/session","input":"body"},
  getConsoleSession: {"method":"GET","path":"/api/console/session"},
  signOut: {"method":"DELETE","path":"/api/console/session","answer":"none"},
  signOutEverywhere: {"method":"DELETE","path":"/api/console/sessions","input":"query"},
  listAuditEntries: {"method":"GET","path":"/api/audit","input":"query","list":"items"},
  eraseUser: {"method":"DELETE","path":"/api/users/{user_id}"},
  getUser: {"method":"GET","path":"/api/users/{user_id}"},
  updateUser: {"method":"PATCH","path":"/api/users/{user_id}","input":"body"},
  getHealth: {"method":"GET","path":"/healthz"},
  getReadiness: {"method":"GET","path":"/readyz"},
  getMetrics: {"method":"GET","path":"/metrics","answer":"text"},
  listWork: {"method":"GET","path":"/api/work","input":"query"},
  retryWork: {"method":"POST","path":"/api/work/{work_id}/retry"},
  claimTasks: {"method":"POST","path":"/api/worker/tasks/claim","input":"body"},
  extendTask: {"method":"POST","path":"/api/worker/tasks/{task_id}/heartbeat","input":"body"},
  reportTaskEvents: {"method":"POST","path":"/api/worker/tasks/{task_id}/events","input":"body"},
  completeTask: {"method":"POST","path":"/api/worker/tasks/{task_id}/complete","input":"body"},
  failTask: {"method":"POST","path":"/api/worker/tasks/{task_id}/fail","input":"body"},
  getSettings: {"method":"GET","path":"/api/settings"},
  runDoctor: {"method":"POST","path":"/api/doctor"},
  checkProvider: {"method":"POST","path":"/api/providers/check","input":"body"},
  checkFunction: {"method":"POST","path":"/api/agents/{agent_id}/functions/check","input":"body"},
  getQuota: {"method":"GET","path":"/api/quotas/{user_id}"},
} as const;
