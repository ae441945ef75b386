// Generated from packages/server/openapi.json by `npm run generate`; do not edit.
export interface paths {
    "/api/agents/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents of the calling user, newest first
         * @description All agents of the user in one list; deleted ones are left out, inactive ones are not.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description `type` is derived from `config` unless given: `STT`, `LLM` or `TTS` if `config` has exactly that key (`stt`, `llm`, `tts`), `PIPELINE` otherwise.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `agent.created`.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users that have agents
         * @description In the order of their ids, with cursor pagination.
         *
         *     Roles: `viewer`, `supervisor`, `service`, `admin`.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one agent
         * @description 404 for an id that is unknown, malformed, or another user’s.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description Its sessions, transcripts and costs stay. 409 while it has a phone number: release the number first; and under a legal hold.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `agent.deleted`.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Update an agent
         * @description Fields that are absent stay as they are; `description: null` clears it; `config` replaces the whole configuration. An agent with `is_active: false` takes no calls. With `If-Match`, 412 if it has changed since that version.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `agent.updated`.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/api/agents/{agent_id}/callback-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the callback URL of an agent
         * @description Where the events of its calls go.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getAgentCallbackUrl"];
        /**
         * Set the callback URL of an agent
         * @description Holds for calls from now on, inbound ones too, unless a call has a `callback_url` of its own. Null removes it.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `agent.callback_url_changed`.
         */
        put: operations["setAgentCallbackUrl"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/external-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the external key of an agent
         * @description The name by which files and scripts refer to it; null: none.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getAgentExternalKey"];
        /**
         * Set the external key of an agent
         * @description Null removes it. 409 if another agent of the user has it. A deleted agent keeps none.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `agent.external_key_changed`.
         */
        put: operations["setAgentExternalKey"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/by-key/{external_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the agent with an external key
         * @description Among the agents of the calling user.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getAgentByExternalKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/legal-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the legal hold of an agent
         * @description Whether none of its conversations are deleted; a hold of its user is not shown here.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getAgentLegalHold"];
        /**
         * Set or lift the legal hold of an agent
         * @description Like the legal hold of a user (`PATCH /api/users/{user_id}`), for the conversations of this agent alone. One that is deleted cannot be held by itself.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `legal_hold.changed`.
         */
        put: operations["setAgentLegalHold"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schemas/agent-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the JSON schema of an agent’s configuration
         * @description The fields that workers and consoles understand: instructions, greeting, models, voice, tools, turn detection, voicemail. `config` stays free-form: agents may hold other fields, and the schema refuses nothing.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["getAgentConfigSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schemas/agent-config/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate an agent’s configuration
         * @description Returns all problems of the configuration, in the form of a 422, and the variables that its texts use. Stores nothing.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        post: operations["validateAgentConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the draft of an agent
         * @description A draft is what the agent may become: no phone call gets it. Without one (`has_changes: false`) this is what most calls get. The `ETag` is for `If-Match`.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getAgentDraft"];
        /**
         * Save the draft of an agent
         * @description Replaces the whole draft. Any configuration is saved; making a version of it checks it. A draft that says what most calls get is removed. With `If-Match`, 412 if somebody has saved another one since: read it to see the other one. `type` is derived from `config` unless given.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `agent.draft_changed`.
         */
        put: operations["putAgentDraft"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of an agent, newest first
         * @description Without their content, with cursor pagination.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listAgentVersions"];
        put?: never;
        /**
         * Make a version of an agent
         * @description A version is what calls get of an agent, and never changes; calls get it once it is released. It is made from the draft, or from another version. 422 with all problems of its configuration. The same content is the same version: 200 then, and the note is added if it has none. From a draft with `If-Match`, its `revision`, 412 if somebody has saved another one since.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `agent.version_created`, where it is one.
         */
        post: operations["createAgentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version of an agent
         * @description With its content. 404 for one that is no longer kept.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getAgentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions/{from}/diff/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the changes between two versions of an agent
         * @description As a JSON Patch, and by lines for each long text. `draft` is the draft.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["diffAgentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the release of an agent
         * @description Which versions calls get, and how many of them. The `ETag`, its `number`, is for `If-Match`.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getAgentRelease"];
        /**
         * Release versions of an agent
         * @description Calls that begin from now on get these versions; a call keeps its version. The agent shows the one with the most weight. 422 for a version that was never live and whose configuration has problems. What is released already is not released again. With `gate`, a suite, 409 `gate_not_passed` unless the newest test run of the suite as it is now has passed for each version, with as many `runs` as the scenarios ask for and without `cassette: replay`; `test_run_id` is the run that has not. With `If-Match`, 412 if calls get another release since.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `agent.released`, where it is one.
         */
        put: operations["releaseAgent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll an agent back to its previous release
         * @description Releases again what was released before; repeated, what was released before that. 409 `no_previous_release` if there is none. With `If-Match`, 412 if calls get another release since: two people who roll back at once go back by one. Send an `Idempotency-Key` to repeat the request safely.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `agent.rolled_back`.
         */
        post: operations["rollBackAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the releases of an agent, newest first
         * @description Each release names its versions, its time, and who made it. An update of the agent that is live at once is a release, too.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listAgentReleases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/publishing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set how an agent is changed
         * @description At once by updating it, or only by releases.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `agent.publishing_changed`.
         */
        put: operations["setAgentPublishing"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extractors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List extractors, newest first
         * @description Those of the calling user, at their newest versions.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listExtractors"];
        put?: never;
        /**
         * Create an extractor, or its next version
         * @description An extractor says what a model reads out of the transcripts of calls whose agent names it. 201 for a new one, 200 for the next version of the user’s extractor with this name; the same content as the newest version makes no new one. Agents keep the version that they have until they are published again. 422 names what a model cannot fill, with the place.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `extractor.saved`.
         */
        post: operations["saveExtractor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extractors/{extractor_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an extractor
         * @description At its newest version, or at the one asked for.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getExtractor"];
        put?: never;
        post?: never;
        /**
         * Delete an extractor
         * @description With all its versions. Agents that name it analyse no more; the analyses that there are stay.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `extractor.deleted`.
         */
        delete: operations["deleteExtractor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/analyses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the analyses of a call
         * @description The values that extractors have read out of its transcript, each with the lines that say so.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `transcripts.read`, for an operator’s key.
         */
        get: operations["listAnalyses"];
        put?: never;
        /**
         * Analyse a call, or analyse it again
         * @description By the extractors that are named, or by those of the call’s version of its agent. There is one analysis by each version of an extractor: its new result replaces the earlier one. Those in progress go on. Answers with all analyses of the call.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `call.analysis_requested`.
         */
        post: operations["requestAnalyses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analyses/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Analyse earlier calls, or estimate that
         * @description By default an estimate: 200, and nothing is done. With `estimate: false`, 201: the newest calls first, those alone that the version of the extractor has not analysed yet and whose `when` fits; its `sample` does not count.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `analysis_backfill.started`.
         */
        post: operations["backfillAnalyses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analyses/backfills/{backfill_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of a backfill
         * @description Kept until 30 days after it has begun.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getAnalysisBackfill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analyses/backfills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List backfills, newest first
         * @description Those of the calling user, until 30 days after they have begun.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listAnalysisBackfills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analyses/backfills/{backfill_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a backfill
         * @description Analyses that nobody has begun are not made; those that there are stay. Canceling one that has ended changes nothing.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `analysis_backfill.canceled`.
         */
        post: operations["cancelAnalysisBackfill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/analyses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count calls by a value of their analyses
         * @description Calls by the values of a field, for example by outcome, or the mean score by version of the agent. A `service` key without a user gets those of all users. Calls of an erased user are not counted.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getAnalysisStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dial-policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dial policies, and the presets
         * @description The newest version of each policy of the calling user. Presets apply to nobody until a policy takes their rules; they are no legal advice.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listDialPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dial-policies/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dial policy
         * @description The newest version, or the one that is asked for.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getDialPolicy"];
        /**
         * Create a dial policy, or a new version of it
         * @description Applies to calls from then on: to those of agents with `compliance.policy` in their configuration, and as the default to those of all others. Versions never change. 422 for windows that never open, places that do not exist, and rules that contradict themselves.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `dial_policy.changed`.
         */
        put: operations["putDialPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/outbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an outbound call
         * @description Returns `RINGING` at once; the phone is dialled afterwards, exactly once. With `at` or `window` it is placed later, and the answer is `SCHEDULED`. Follow the call by its status, its event stream, or `callback_url`. Limits: concurrent calls, calls per second and per day (429), and destinations (403). Send an `Idempotency-Key` to repeat the request safely.
         *
         *     Roles: `user`, `service`, `admin`.
         */
        post: operations["startOutboundCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schemas/worker-job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the JSON schema of a worker’s job
         * @description The schema of the job metadata that an agent’s worker receives when it is dispatched into a room. `version` is the version of the schema.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["getWorkerJobSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dial-checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask whether a phone may be called
         * @description Decides as a call with these fields would be decided now. Nothing is dialled, counted or recorded.
         *
         *     Roles: `user`, `service`, `admin`.
         */
        post: operations["checkDial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dial-decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List decisions about dialling, newest first
         * @description Why a person was called, or was not. Recorded for users with policies, and for others if a number is suppressed.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listDialDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scheduled-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scheduled calls, newest first
         * @description Those that wait, and what became of the others. A placed one is a call, which `GET /api/calls` lists.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listScheduledCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scheduled-calls/{scheduled_call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a scheduled call
         * @description When it is placed; or the call that it has become, or why it has not.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getScheduledCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Give a scheduled call another time
         * @description With `at` or `window`, as when it was scheduled. 409 once it is placed or has ended.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `scheduled_call.moved`.
         */
        patch: operations["moveScheduledCall"];
        trace?: never;
    };
    "/api/scheduled-calls/{scheduled_call_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scheduled call
         * @description From the answer on it is not placed any more. 409 once it is placed or has ended.
         *
         *     Roles: `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `scheduled_call.canceled`.
         */
        post: operations["cancelScheduledCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}/call-backs/propose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose a time for a call back
         * @description For the worker of a conversation whose agent has `tools.call_back`: checks the time against these bounds and the policies, and remembers it for 15 minutes. Nothing is booked: read it back, and confirm it.
         *
         *     Roles: `user`, `worker`, `service`, `admin`.
         */
        post: operations["proposeCallBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}/call-backs/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Book the call back that was proposed
         * @description Once the person has agreed to the time. Replaces an earlier call back of this conversation. 409 unless this time was proposed.
         *
         *     Roles: `user`, `worker`, `service`, `admin`.
         */
        post: operations["confirmCallBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns, newest first
         * @description Those of the calling user, with their counts.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign
         * @description As a draft: add recipients, then start it. Its calls keep to the limits, budgets and dial policies of all calls.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `campaign.created`.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a campaign
         * @description With its counts, and why it dials nobody, if it does not.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        /**
         * Delete a campaign
         * @description With its recipients. Cancel it first if it runs or is paused: 409 `campaign_state`. Calls and decisions stay.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `campaign.deleted`.
         */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        /**
         * Change a campaign
         * @description Only the fields that are sent. While it runs, its name, pacing, budget, circuit and expiry; the others in a draft, or while it is paused. 409 `campaign_state` otherwise.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `campaign.changed`.
         */
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the counts of a campaign
         * @description Recipients by state and attempts by outcome, in constant time.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getCampaignStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a campaign
         * @description Decides who may be dialled when, and who may not, as of now. Nothing is dialled or recorded.
         *
         *     Roles: `user`, `service`, `admin`.
         */
        post: operations["previewCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a campaign
         * @description A draft, or a paused one. It runs until nobody is left to be dialled. 422 if its `expires_at` has passed: change that first.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `campaign.started`.
         */
        post: operations["startCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a campaign
         * @description From the answer on nobody is dialled, by any process. Calls in progress continue.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `campaign.paused`.
         */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused campaign
         * @description Goes on where it was. 422 if its `expires_at` has passed: change that first.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `campaign.started`.
         */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a campaign
         * @description For good: from the answer on nobody is dialled, and who waits becomes `canceled`. Calls in progress continue.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `campaign.canceled`.
         */
        post: operations["cancelCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the recipients of a campaign
         * @description In the order in which they were added, with their attempts. With `Accept: text/csv`, the results of all of them as a file.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `data.exported`, for a file.
         */
        get: operations["listRecipients"];
        put?: never;
        /**
         * Add recipients to a campaign
         * @description Up to 1,000 as JSON, or a file of up to a million lines: CSV, whose other columns become variables and `metadata.x` an entry of the metadata, or a `RecipientInput` as JSON on each line. Idempotent by `external_id`: a file that has broken off is sent again. Refused lines are reported, the others are taken. Those that are added to a completed campaign make it run again. CSV should be UTF-8; a file that cannot be read to its end says where it stopped (`stopped_at_line`).
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `campaign.recipients_added`.
         */
        post: operations["addRecipients"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/recipients/{recipient_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a recipient of a campaign
         * @description With its data, its attempts, and when it may be dialled next.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getRecipient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppressed numbers, oldest first
         * @description With `Accept: text/csv`, returns all of them as a file that `POST /api/suppressions` accepts in parts.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `data.exported`, for a file.
         */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Suppress numbers
         * @description Up to 5,000, all or none, as JSON or CSV with the fields as columns; problems of a file name the line. From the response on, calls and transfers to them are denied. Idempotent: one for the same number and scope replaces the earlier one. What a person has said (`asked`, `wrong_number`) stays while it is in force: a list (`imported`, `registry`) changes neither its reason nor its call and words, and at most has it expire later; nor does `wrong_number` what was `asked`.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `suppressions.added`.
         */
        post: operations["addSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppressions/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what has changed in the suppressed numbers
         * @description In order, from the beginning or after a cursor, up to 1,000; removals are in it for 90 days. Ask again with `next_cursor`.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listSuppressionChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppressions/{suppression_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Allow a number again
         * @description The suppression stays among the changes.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `suppression.removed`.
         */
        delete: operations["deleteSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List consents, newest first
         * @description Those of the calling user, revoked ones included.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listConsents"];
        put?: never;
        /**
         * Record a consent
         * @description Consents are added and revoked, never changed.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `consent.added`.
         */
        post: operations["addConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/consents/{consent_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a consent
         * @description Earlier consents of the number to the same purpose do not count any more either.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `consent.revoked`.
         */
        post: operations["revokeConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a call with its transfers and timeline
         * @description The call with its `end_reason`, the far end’s SIP status, its transfers and every change of its state.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the job of a call’s worker
         * @description The job that the worker receives when it is dispatched into the room of the call. It is built from the version of the agent that the call has. If that is not kept, it is built from the agent as it is now, and `agent_changed` says whether that has changed since the call began. 404 once the agent is deleted.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["getCallJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current status of a call
         * @description `call_status` goes from `RINGING` to `ANSWERED`, and ends as `COMPLETED`, `FAILED` or `NO_ANSWER`.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["getCallStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a call
         * @description Hangs up an answered call; cancels one that still rings. Ending an ended call changes nothing.
         *
         *     Roles: `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `call.ended`, where it is one.
         */
        post: operations["endCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the outcome of a call
         * @description Records who or what answered, and the result in your own words. `hang_up` ends the call as well, with the `end_reason` `voicemail` if `answered_by` is `voicemail` or `unavailable`, `screening` if it is that, and `ended_by_agent` otherwise. It can be repeated and corrected at any time, after the end too.
         *
         *     Roles: `user`, `worker`, `service`, `admin`.
         *
         *     Audit log: `call.outcome_corrected` or `call.ended`, where it is one.
         */
        post: operations["reportCallOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed evidence of an ended call
         * @description The decisions before it with their reasons, the first words, the consent to a recording, and refusals of further calls. The bytes of the response are canonical JSON (RFC 8785): keep them as they are, and verify them with `npx --no switchboard verify`, offline. The document stays the same until something in it changes; then there is a new one, which names the hash of the user’s previous one. 409 `call_not_ended` until the call has ended.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `evidence.issued`.
         */
        get: operations["getCallEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dial-decisions/{decision_id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed evidence of a decision about dialling
         * @description The decision with its reasons and all that it was decided from, the rules of its policy, and the consents of the number: also of an attempt that was denied or deferred, and led to no call. Signed, chained and verified as the evidence of calls is.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `evidence.issued`.
         */
        get: operations["getDecisionEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/switchboard-evidence.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public keys of evidence
         * @description A JSON Web Key Set (RFC 7517) of all keys that evidence was signed with. Needs no key.
         */
        get: operations["getEvidenceKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/say": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have the agent say a text
         * @description In its own voice; the text is in the transcript. 409 unless the call is answered and its agent is there. Also while somebody has taken over, and while the agent consults the target of an attended transfer.
         *
         *     Roles: `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `call.steered`.
         */
        post: operations["sayInCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/instructions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give the agent of a call an instruction
         * @description The caller does not hear it, and it is not in the transcript. 409 unless the call is answered and its agent is there. With `reply`, also while somebody has taken over, and while the agent consults the target of an attended transfer.
         *
         *     Roles: `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `call.steered`.
         */
        post: operations["instructAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/dtmf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Press keys of the telephone in a call
         * @description As for the menu of another company; the keys are stored nowhere. 409 unless the call is answered and its agent is there.
         *
         *     Roles: `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `call.steered`.
         */
        post: operations["pressKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/take-over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Talk to the caller in place of the agent
         * @description The agent stops at once what it says, and neither answers nor acts. Then a token is returned that joins the room of the call with a microphone: everybody hears its bearer, and sees them. It must be used within 20 seconds. The agent has the call again once that participant has left, or if it does not come. In the sandbox nobody speaks: `is_simulated` is true, and there is nothing to connect to. 409 unless the call is answered and its agent is there. Also while somebody else has taken over, and while the agent must not be interrupted, as in the consultation of an attended transfer.
         *
         *     Roles: `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `call.steered`.
         */
        post: operations["takeOverCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/web": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a call in a browser
         * @description Makes the room, calls the agent into it, and returns what a page needs to talk: ask for it on your server, so that the page needs no API key. The call is `RINGING` until browser and agent have joined, and ends when either leaves, at the time limit, or when one of them never joins. Limits are those of outbound calls (429). A repeated request with the same `Idempotency-Key` gets new tokens for the same call, and 409 once that has ended.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `room_token.issued`.
         */
        post: operations["startWebCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/listen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Listen in to an open call
         * @description A token that joins the room of the call hidden: its bearer hears everybody, is not seen by them, and can send neither sound nor data. It must be used within a minute. The audit log records who asked. In the sandbox nobody speaks: `is_simulated` is true, and there is nothing to connect to.
         *
         *     Roles: `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `call.listened`.
         */
        post: operations["listenToCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token for the room of a live session
         * @description A browser joins the media room with `token` at `url` before `expires_at`. The token is good for that room only. The first one for a conversation with an agent makes the room and calls the agent into it, which counts on the limits on calls (429).
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `room_token.issued`.
         */
        post: operations["createRoomToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a chat with an agent
         * @description A conversation in writing, with one version of the agent: the one that calls get, or `agent_version`. It is a session: its transcript, its costs and its erasure are those of calls, and so are its limits (429). It ends with `POST /api/chats/{chat_id}/end`, or a day after it began. Once its usage has arrived, `chat.ended` goes to the user’s webhook endpoints, and to `callback_url`, by default the agent’s (none for a chat with the draft).
         *
         *     Roles: `user`, `service`, `admin`.
         */
        post: operations["startChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a chat
         * @description Its messages are the transcript of the session with the same id.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/rewind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rewind a chat to one of its messages
         * @description Deletes the messages after `to_message` from the transcript, or all of them. What they have cost stays in the ledger. 409 `turn_in_progress` while a message waits for its answer.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `chat.rewound`.
         */
        post: operations["rewindChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a chat with the messages of another one
         * @description A new chat of the same user, with copies of the messages up to `to_message`, or of all, and the same variables and metadata. It has the version of the other chat, unless `agent_version` names another one or the draft. The other chat, which may have ended, stays as it is.
         *
         *     Roles: `user`, `service`, `admin`.
         */
        post: operations["forkChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a chat
         * @description Ending an ended chat changes nothing.
         *
         *     Roles: `user`, `service`, `admin`.
         */
        post: operations["endChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to a chat, and get the answer
         * @description Waits until a worker has answered, at most `CHAT_ANSWER_TIMEOUT_S`; then 503 `turn_unanswered`. One message at a time: 409 `turn_in_progress`. With `Accept: text/event-stream` the answer is sent while it comes; a client that leaves changes nothing. Under the same `Idempotency-Key` the message is sent once: a repeated request waits for the same answer, or gets it at once. Its stream begins anew; if the answer is already there, it has only `sent` and `message`. A message that got no answer is a 503 again: send it under another key.
         *
         *     Roles: `user`, `service`, `admin`.
         */
        post: operations["sendChatMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List test runs, newest first
         * @description Those of the calling user. Ended ones are deleted after 30 days.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listTestRuns"];
        put?: never;
        /**
         * Run scenarios with an agent
         * @description Runs a suite, or chosen scenarios, or the `texts` of scenarios that are not saved, or replays an agent’s calls, with one version of an agent or its draft, which becomes a version. Workers hold the conversations, as tasks of the kind `scenario`; in the sandbox the service does, by rules. It is no call, and costs no budget unless that has `count_tests`: once such a budget is spent, 402 `budget_exceeded`, and scenarios of open runs that no worker has begun end without a result. 429 `too_many_test_runs` while the user has three that have not ended. 422 lists the mistakes of `texts`, with `line` and `column` in `ctx`; only a run of a suite opens a gate.
         *
         *     Roles: `user`, `service`, `admin`.
         */
        post: operations["startTestRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-runs/{test_run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a test run
         * @description `passed` once every scenario has passed, `failed` once all have ended and one has not.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getTestRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-runs/{test_run_id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the results of a test run
         * @description For each scenario: how many runs passed, the interval of their rate, why one failed, and the conversations turn by turn. In the order of the suite; a page ends once it has 1 MiB.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `transcripts.read`, for an operator’s key.
         */
        get: operations["listTestResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-runs/{test_run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a test run
         * @description Results that are there stay. Canceling one that has ended changes nothing.
         *
         *     Roles: `user`, `service`, `admin`.
         */
        post: operations["cancelTestRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a call, or a chat, with a version of its agent
         * @description A test run that says what the caller said once more. Its result has the call as it was, and where the conversation first goes another way: with which words, and with which calls of tools. Functions answer as they did, as far as that was recorded; others say that all is well. `calls` of a test run replays many.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `transcripts.read`, for an operator’s key.
         */
        post: operations["replayCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scenarios, newest first
         * @description Those of the calling user, without their texts.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listScenarios"];
        put?: never;
        /**
         * Create or replace a scenario
         * @description Its name is in its text: 201 for a new one, 200 for one that replaces the user’s scenario with this name. 422 lists every mistake of the text, with `line` and `column` in `ctx`.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `scenario.saved`.
         */
        post: operations["saveScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scenarios/{scenario_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a scenario
         * @description With its text as it was sent.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getScenario"];
        put?: never;
        post?: never;
        /**
         * Delete a scenario
         * @description Suites that had it go on without it. Results of test runs stay.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `scenario.deleted`.
         */
        delete: operations["deleteScenario"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suites, newest first
         * @description Those of the calling user.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listSuites"];
        put?: never;
        /**
         * Create or replace a suite
         * @description Scenarios that are run together. 201 for a new one, 200 for one that replaces the user’s suite with this name.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `suite.saved`.
         */
        post: operations["saveSuite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suites/{suite_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a suite
         * @description 404 for an id that is unknown, malformed, or another user’s.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getSuite"];
        put?: never;
        post?: never;
        /**
         * Delete a suite
         * @description Its scenarios and its test runs stay.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `suite.deleted`.
         */
        delete: operations["deleteSuite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scenarios/{scenario_id}/cassette": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what was recorded of a scenario
         * @description The answers of language models that the last test run with `cassette: record` has recorded, with the requests that they answer: a file for `npm run agent-tests -- --replay`. 404 if nothing is recorded.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getCassette"];
        put?: never;
        post?: never;
        /**
         * Delete what was recorded of a scenario
         * @description Test runs with `cassette: replay` then fail until it is recorded again.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `cassette.deleted`.
         */
        delete: operations["deleteCassette"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/scenario": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draft a scenario of a call, or of a chat
         * @description The words of the caller as a script, with the variables, the time and the version of the agent. The functions of that version answer as they did, as far as that was recorded; others say that all is well: write what those should answer, and what you expect. Nothing is saved.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `transcripts.read`, for an operator’s key.
         */
        post: operations["draftScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls, newest first
         * @description Pages by cursor. A named user sees its own calls. `q` finds calls by the words of their transcripts, up to the last one that was logged. With `agent_version`, `call_status`, `direction`, `end_reason`, `number`, `q`, `analysis` or `sort`, a page may have fewer items than `limit` and not be the last: go on until `next_cursor` is null.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `transcripts.read`, for an operator’s key, where it shows what was said.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export calls as CSV
         * @description All calls that the list finds with the same filters, newest first or sorted, with their costs (RFC 4180, UTF-8), and with the values of their analyses: a column for each field of the calling user’s extractors. Text that a spreadsheet would take for a formula begins with an apostrophe. Calls that begin while the file is written are not in it. A file that breaks off has no last chunk, so that clients report an error.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `data.exported`, for a file.
         */
        get: operations["exportCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a call as server-sent events
         * @description Everything after `Last-Event-ID`, then new events, until the call has ended. A browser’s `EventSource`, which can send no header, shows a stream token as `token`.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `transcripts.read`, for an operator’s key.
         */
        get: operations["streamCallEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/events/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token for the event stream of a call
         * @description For a web page: `new EventSource(events_url)`. Good for the stream of this call and nothing else, until `expires_at`, or until the API key that asked for it is revoked. Ask for it on your server, so that the page needs no API key.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `stream_token.issued`.
         */
        post: operations["createStreamToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow all calls of a user as server-sent events
         * @description Streams the events of all calls of the calling user: changes of state, transcripts, turns, costs, deliveries of callbacks; and changes of its campaigns. Without `Last-Event-ID` it begins now: open the stream first, then read the lists. Ids are opaque; with the last one the stream resumes without loss or repetition, on any replica. Events of one call come in their order. A service key that names no user, or nobody in open mode, follows all users. Nothing is sent while nothing happens but, every 15 seconds, an id.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `transcripts.read`, for an operator’s key.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token for the event stream of all calls of a user
         * @description For a web page: `new EventSource(events_url)`. Good for the stream of the calling user and nothing else, until `expires_at`, or until the API key that asked for it is revoked.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `stream_token.issued`.
         */
        post: operations["createEventsToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the recordings of a call
         * @description Usually one; another one for each worker that took over. Without audio: see `getRecordingAudio`.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listRecordings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/recordings/{recording_id}/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the audio of a recording
         * @description Opus in Ogg, the agent left and the other side right. With a `Range` of bytes, a part of it; a range that cannot be satisfied is ignored. 404 until it is `stored`.
         *
         *     Roles: `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `recording.played`.
         */
        get: operations["getRecordingAudio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/recordings/{recording_id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a link to the audio of a recording
         * @description For an `<audio>` element, which can send no key. Good for this audio and nothing else, until `expires_at`, or until the API key that asked for it is revoked.
         *
         *     Roles: `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `recording.link_issued`.
         */
        post: operations["createRecordingLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/recordings/{recording_id}/levels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the loudness of a recording
         * @description For a picture of who speaks when, without the audio. Also while it is being recorded.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getRecordingLevels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/recordings/{recording_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a recording
         * @description Its audio is gone from the storage once this answers with 204. If the storage refuses, the answer is 503: nobody can hear it any more, and the audio is deleted in the background. 409 under a legal hold.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `recording.deleted`.
         */
        delete: operations["deleteRecording"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}/recordings/{recording_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Begin a recording, or report its state
         * @description By a worker, which chooses the id. Late and repeated reports change nothing. Accepted until a day after the session has ended.
         *
         *     Roles: `worker`, `service`, `admin`.
         */
        put: operations["reportRecording"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}/recordings/{recording_id}/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a segment to a recording
         * @description By a worker: some seconds of audio. Idempotent by `seq`. 201 once it is in the storage; 503 if the storage refuses, to be repeated. Accepted until a day after the session has ended.
         *
         *     Roles: `worker`, `service`, `admin`.
         */
        post: operations["addRecordingSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions, newest first
         * @description Pages by cursor. A named user sees its own sessions.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Open a session
         * @description For conversations that are not outbound calls. If the user already has a session in the room, that session is returned.
         *
         *     Roles: `user`, `worker`, `service`, `admin`.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one session
         * @description A session is one conversation: a phone call, or people and an agent in a media room. `status` goes from `CREATED` to `ACTIVE` to `COMPLETED` or `FAILED`.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a session, or end it
         * @description `metadata` is merged into `session_data` (JSON Merge Patch, RFC 7386). `ended_at` or `duration` end a live session and close its room; on an ended session they correct the figures.
         *
         *     Roles: `user`, `worker`, `service`, `admin`.
         *
         *     Audit log: `session.corrected`, where it is one.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/api/sessions/by-room/{room_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the session of a room
         * @description For agent workers, which know the room they were dispatched into.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["getSessionByRoom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/by-room/{room_name}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session of a room and hang up
         * @description The session ends as `COMPLETED` with `end_reason: ended_by_agent`; everybody leaves the room. Ending an ended session changes nothing.
         *
         *     Roles: `supervisor`, `user`, `worker`, `service`, `admin`.
         *
         *     Audit log: `call.ended`, where it is one.
         */
        post: operations["endSessionByRoom"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}/failovers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a model took over from another one
         * @description Adds an entry to the timeline, and `provider.failed_over` to the event streams. Idempotent by `id`. Accepted until a day after the session has ended.
         *
         *     Roles: `worker`, `service`, `admin`.
         */
        post: operations["reportFailedOver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/by-room/{room_name}/transcripts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a transcript to the session of a room
         * @description Accepted until a day after the session has ended. `speaker` is `USER` unless given. Send an `Idempotency-Key` to repeat the request safely.
         *
         *     Roles: `user`, `worker`, `service`, `admin`.
         */
        post: operations["addTranscript"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}/transcripts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transcripts of a session
         * @description In the order in which they were added, with cursor pagination.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         *
         *     Audit log: `transcripts.read`, for an operator’s key.
         */
        get: operations["listTranscripts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the turns of a session
         * @description In the order of their numbers, with cursor pagination.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["listTurns"];
        put?: never;
        /**
         * Report the latency of turns, and calls of tools
         * @description For each turn, the end of speech and the delay until the transcript, the first token and the first audio; and what the agent’s tools were asked and have answered. Idempotent: known turns and calls are ignored. Accepted until a day after the session has ended.
         *
         *     Roles: `worker`, `service`, `admin`.
         */
        post: operations["reportTurns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/latency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the latency of turns
         * @description Mean, p50 and p95 of the turns of the user, in total and by agent, version of the agent, or model. A turn counts for the day (UTC) on which it was reported. Deleted turns stay in the figures; those of an erased user do not.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getLatency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get statistics of calls
         * @description Ended phone and browser calls of the user: their number, the number answered, and mean, p50 and p95 of ring and talk time. A `service` key without a user gets those of all users. A call counts for the day (UTC) on which it began, from the moment of its end; an outcome that is reported later, or a duration that is corrected, moves it. With `Accept: text/csv`, returns the groups as a file, or a single record of all calls without `group_by`. 422 for more than 10,000 groups. Calls of an erased user are not counted.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `data.exported`, for a file.
         */
        get: operations["getCallStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer an answered call
         * @description COLD: the caller is referred to the new number and the agent leaves; the session ends with `end_reason: transferred`. WARM: the number is dialled into the same room and the agent leaves when it is ready. The type is taken from the body, the agent’s `config.transfer.type`, or `TRANSFER_TYPE`, in this order. `attended`: the agent talks to the target first, and the caller waits (docs/telephony.md).
         *
         *     Roles: `supervisor`, `user`, `worker`, `service`, `admin`.
         *
         *     Audit log: `transfer.started`.
         */
        post: operations["transferCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}/transfer/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a warm transfer
         * @description The agent leaves; the caller and the target stay connected. Or, with `outcome=return`, the call to the target of an attended one is ended, and the caller is back with the agent. 409 until the target has answered, and if another end was decided before.
         *
         *     Roles: `supervisor`, `user`, `worker`, `service`, `admin`.
         *
         *     Audit log: `transfer.completed`.
         */
        post: operations["completeTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event of the media provider
         * @description Authenticated by the provider’s signature over the body instead of a key. Stored, acknowledged, then handled; repeated events are ignored.
         */
        post: operations["receiveMediaEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/telephony/numbers/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a number to an agent
         * @description The carrier account must own the number; the service never buys any. From then on the agent answers calls to it.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `number.assigned`.
         */
        post: operations["assignNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/telephony/numbers/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release the number of an agent
         * @description Routing goes back to what it was before the assignment. The number stays in the carrier account.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `number.released`.
         */
        post: operations["releaseNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/telephony/numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the numbers of the carrier account
         * @description Each with the agent it is assigned to, if any.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listNumbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/telephony/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the agent that answers a number
         * @description For agent workers that receive calls by number. Inactive agents are not found: they answer no calls.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `worker`, `service`, `admin`.
         */
        get: operations["lookupNumber"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List usage events
         * @description The events of the user, oldest first, with cursor pagination. A `service` key without a user gets those of all users. With `Accept: text/csv`, returns all of them as a file (RFC 4180, UTF-8) regardless of `limit`; text that a spreadsheet would take for a formula is prefixed with an apostrophe. Events logged during the export are not included. A failed export lacks the last chunk, so that clients report an error.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `data.exported`, for a file.
         */
        get: operations["listUsageEvents"];
        put?: never;
        /**
         * Log a usage event
         * @description 201 means that the event is committed. The ledger is append-only; amounts keep every digit. Negative amounts are corrections and require the role `service`. Send an `Idempotency-Key` to make retries safe.
         *
         *     Roles: `worker`, `service`, `admin`.
         *
         *     Audit log: `usage.corrected`, where it is one.
         */
        post: operations["logUsageEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log up to 1,000 usage events
         * @description All events are of one user; all are committed, or none. An event without `unit_cost` is priced by the price book, or stored as unpriced: it costs 0 until it is priced, and reports count it. Send an `Idempotency-Key` to make retries safe. An empty list uses up its key: 201 means that nothing was or will be written under the key, 422 that the original batch has arrived.
         *
         *     Roles: `worker`, `service`, `admin`.
         *
         *     Audit log: `usage.corrected`, where it is one.
         */
        post: operations["logUsageEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the price book
         * @description The prices that were not replaced, each valid from `valid_from` on, in the order of recording, with cursor pagination; with `history`, also replaced ones. With `Accept: text/csv`, returns all of them as a file that `PUT /api/prices` accepts.
         *
         *     Roles: `viewer`, `supervisor`, `service`, `admin`.
         *
         *     Audit log: `data.exported`, for a file.
         */
        get: operations["listPrices"];
        /**
         * Record prices
         * @description Adds up to 5,000 prices to the book, all or none; a refusal lists up to 100 problems (`npm run prices -- import`: all of them). Nothing is overwritten: a price with the same key (provider, event type, model, prefix, direction) and `valid_from` replaces the earlier one, which stays in the history. Idempotent: prices that are already in the book change nothing. CSV has the fields as columns; its problems name the line. Events that already have costs keep them.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `prices.changed`.
         */
        put: operations["putPrices"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prices/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Price events that have no price
         * @description Adds an adjusting entry for each event that was logged without a price and now has one in the book, valid on the day (UTC) of the event. The entry counts for that day; reports as of an earlier date exclude it. Idempotent: each event is priced once. Events of detached months are skipped and counted.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `prices.applied`.
         */
        post: operations["applyPrices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/costs/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the cost summary
         * @description The user’s total cost, the cost of the current calendar month (UTC), and the cost of each provider. Exact to the last digit, and includes every event that was answered with 201. `start_date` and `end_date` apply to all figures except `this_month_cost`.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getCostSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/costs/by-agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the cost of each agent
         * @description Highest cost first. Events without an agent are left out; beyond 5,000 agents those that cost least are summed up under `other`.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listCostsByAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/costs/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the cost over time
         * @description `date` is the first day of each period (UTC; weeks start on Monday), ascending. Periods without events are left out.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getCostTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session_id}/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the cost of a session
         * @description In total, by event type and by provider, with a page of the events. The sums cover all events.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getSessionCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/costs/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a cost report
         * @description Costs of the user by any combination of day, week, month, agent, version of the agent, provider, model, event type and call direction. A `service` key without a user gets those of all users, which can also be grouped by user. Exact to the last digit, and includes every event that was answered with 201. An entry that prices or corrects an earlier event counts for the day of that event; `as_of` excludes entries recorded later. With `Accept: text/csv`, returns all groups as a file from one snapshot, regardless of `limit`.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `data.exported`, for a file.
         */
        get: operations["getCostReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/costs/carrier-import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import what the carrier billed
         * @description Reads the carrier’s records of the calls that began on a day, matches each with its line by numbers and time, and adds an adjusting entry if the bill differs, so that the ledger equals the bill. Idempotent: each record is booked once; one without a price yet is booked by a later request. The response compares both sides, and lists what has no counterpart.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `carrier_costs.imported`.
         */
        post: operations["importCarrierCosts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/budgets/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the budget of a user
         * @description Including the amount spent in the current month (UTC), and what is reserved for open calls. 404 for a user without a budget.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getBudget"];
        /**
         * Set the budget of a user
         * @description Replaces the whole budget. With `refuse_calls`, new calls and chats are refused with 402 `budget_exceeded` unless the limit covers the costs of the month, what open calls may still cost, and the estimate for the new one (`cost_per_minute`; chats have none); calls and chats in progress continue unless `end_calls` is set. With `count_tests`, what test runs cost counts too, and none starts once the limit is reached. Each threshold is reported once a month by `budget.threshold` to the webhook endpoints of the user.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `budget.changed`.
         */
        put: operations["setBudget"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List callbacks, newest first
         * @description Each with its attempts and the receiver’s responses.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listCallbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/callbacks/{callback_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a callback again
         * @description With the same `webhook-id` and body, so that receivers can recognize it as a duplicate. One of a webhook endpoint goes to its present `url`; it is a 404 if the endpoint is deleted or inactive.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `callback.redelivered`.
         */
        post: operations["redeliverCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/callbacks/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver many callbacks again
         * @description Those in `ids`, or all that have failed since a time: up to 1,000 per request, each with its original `webhook-id` and body. The limits per user and host apply, so that a receiver that has just recovered is not flooded. Those of a webhook endpoint go to its present `url`, and are left alone if it is deleted or inactive. A repeated request with `failed_since` skips callbacks that are pending or were delivered meanwhile.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `callback.redelivered`.
         */
        post: operations["redeliverCallbacks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints, newest first
         * @description Those of the calling user, with cursor pagination.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Receives the events of all calls and chats of the user, whoever started them. Signed, retried and listed like the callbacks of a call. If a call’s `callback_url` is the same address, each event is sent twice, with different ids.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `webhook_endpoint.created`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description 404 for an id that is unknown, malformed, or another user’s.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Pending callbacks to it are given up. All of its callbacks stay in the list.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `webhook_endpoint.deleted`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Update a webhook endpoint
         * @description Absent fields are not changed. Pending callbacks go to the new `url`; with `is_active: false` they are given up. Delivery to an endpoint that answered 410 resumes.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `webhook_endpoint.updated`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/api/webhook-endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends `webhook.test` to this endpoint only: signed, retried and listed like any other event, whatever events the endpoint subscribes to and whether or not it is active. The response is the queued callback; `GET /api/callbacks` shows its attempts. Limited to ten a minute per user (429).
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `webhook_endpoint.tested`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/callbacks/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the callback secret
         * @description The secret that signs the callbacks of the calling user (Standard Webhooks). Created on the first request.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `callback_secret.revealed`.
         */
        get: operations["getCallbackSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/callbacks/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the callback secret
         * @description For `overlap_s` seconds both the old and the new secret sign, so that receivers can be updated one by one.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `callback_secret.rotated`.
         */
        post: operations["rotateCallbackSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, newest first
         * @description Revoked keys stay in the list. The keys themselves are not shown.
         *
         *     Roles: `service`, `admin`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The response contains the key; it is stored as a hash and cannot be shown again. A key has at most the role, the scopes and the lifetime of the key that creates it; keys of role `admin` are created by that role only. 409 in open mode, in which anybody could create one.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `key.created`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description Cannot be undone. This process refuses the key and ends its event streams immediately; other processes refuse it within a second and end its streams within 5 seconds. Keys of role `admin` are revoked by that role only. Idempotent.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `key.revoked`.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sign-in options of the console
         * @description Needs no key. If an OpenID provider is configured, browsers sign in there via `/console/openid`, and return with the cookie.
         */
        get: operations["getSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in caller
         * @description The role and user of the cookie, key or token, and whether phones and numbers are simulated.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getConsoleSession"];
        put?: never;
        /**
         * Sign in to the console
         * @description Exchanges an API key for a cookie that scripts cannot read, for 12 hours or until the key is revoked or expires. Requests with the cookie have the rights of the key; requests other than GET are only accepted from pages of the service (`Origin`). Wrong keys are rate-limited like invalid tokens. 409 in open mode, which has no sign-in.
         *
         *     Audit log: `console.signed_in`.
         */
        post: operations["signIn"];
        /**
         * Sign out of the console
         * @description Ends the session of the cookie. No effect without one. This process refuses the cookie and ends its event streams immediately; other processes refuse it within a second and end its streams within 5 seconds.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `console.signed_out`, where it is one.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out of the console everywhere
         * @description Ends all sessions that were opened with the caller’s key, or by the same person at the OpenID provider, as quickly as signing out does. Keys stay valid: revoke them. Stream tokens that these sessions asked for end with them.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         *
         *     Audit log: `console.signed_out_everywhere`.
         */
        delete: operations["signOutEverywhere"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log, newest first
         * @description Entries of the audit log: actor, action, time, address and outcome; for configuration, what changed. With `Accept: text/csv` or `application/x-ndjson`, returns all entries that the filters find as a file, regardless of `limit`. `npm run audit -- verify` checks that nothing was removed or changed.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `data.exported`, for a file.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the legal hold and the privacy of a user
         * @description Also of a user without agents, or whose agents are all deleted.
         *
         *     Roles: `service`, `admin`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Erase a user
         * @description Ends the user’s calls, releases the user’s numbers, deletes personal data, and keeps the costs under a pseudonym. Responds when everything is done; an erasure that a provider’s failure interrupts is resumed in the background. 409 `legal_hold` while anything of the user is under one.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `user.erased`.
         */
        delete: operations["eraseUser"];
        options?: never;
        head?: never;
        /**
         * Set the legal hold and the privacy of a user
         * @description Under a legal hold none of the user’s conversations are deleted: not by age, not by an erasure (409), not by a `DELETE` (409). Once it is lifted, the next round of the retention deletes what is past its age. `PUT /api/agents/{agent_id}/legal-hold` holds the conversations of one agent.
         *
         *     `privacy` says what is redacted and deleted of conversations of the user that begin afterwards, with any agent, in addition to the agent’s own `privacy`: what either redacts is replaced, and the shorter time counts.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `legal_hold.changed` and `user.privacy_changed`; `user.changed` if it fails.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process is alive
         * @description Always 200 while the process can answer. Restart the process when this fails. Needs no key.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service is ready
         * @description 503 while the database cannot be reached or its schema is not up to date: take the process out of the load balancer. The media provider, the carrier and workers are reported, but do not affect the status. Needs no key.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics in Prometheus text format
         * @description Counters and gauges of this process; gauges of open calls and queues are read from the database and are the same on every replica. While the database is away these keep their values, and the keys that this process has accepted in the last 15 minutes are still accepted, here alone.
         *
         *     Roles: `viewer`, `supervisor`, `service`, `admin`.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List queued work
         * @description Background work, which the service repeats until it succeeds, and tasks of workers, which are given up after a few attempts: counts by kind over all processes, and up to 100 pieces of work whose last attempt has failed, in the order in which they were added. Work that is done is not listed.
         *
         *     Roles: `service`, `admin`.
         */
        get: operations["listWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/work/{work_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try queued work again now
         * @description Makes it due at once. Work that is running is done once more afterwards.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `work.retried`.
         */
        post: operations["retryWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/worker/tasks/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim tasks for a worker
         * @description Waits up to `wait_s` seconds until there is a task of the kind, and returns up to `capacity` of them, or none. Each is held by this worker alone until `lease_expires_at`; a heartbeat extends that. A key that is bound to a user gets the tasks of this user alone.
         *
         *     Roles: `worker`, `service`, `admin`.
         */
        post: operations["claimTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/worker/tasks/{task_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend the lease of a task
         * @description 409 `lease_lost` once another worker may have the task, or nobody needs its result any more.
         *
         *     Roles: `worker`, `service`, `admin`.
         */
        post: operations["extendTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/worker/tasks/{task_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report partial results of a task
         * @description Streamed to whoever waits for the result. Extends the lease as a heartbeat does. 409 `lease_lost` for a worker that does not hold the task any more.
         *
         *     Roles: `worker`, `service`, `admin`.
         */
        post: operations["reportTaskEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/worker/tasks/{task_id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a task with its result
         * @description Each task has one result: 409 `lease_lost` for a late one. 422 for a result that does not match the schema of the kind; the worker still holds the task then.
         *
         *     Roles: `worker`, `service`, `admin`.
         */
        post: operations["completeTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/worker/tasks/{task_id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a task has failed
         * @description A `retryable` one goes to another worker after a pause: a second, up to three attempts; of the kind `analysis` five seconds, doubled each time, up to five attempts. Any other is given up.
         *
         *     Roles: `worker`, `service`, `admin`.
         */
        post: operations["failTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the configuration
         * @description Every setting as seen by the process that responds, in the order of docs/configuration.md. Secrets are only shown as set or unset.
         *
         *     Roles: `service`, `admin`.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the configuration
         * @description The checks of `npm run doctor`, run by the service itself: database, storage of recordings, media server, worker and carrier. Dials nobody; stores a small object and deletes it; if LiveKit is configured, creates a room there for a few seconds. Takes up to a minute; 409 while another run is in progress in the same process.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `doctor.run`.
         */
        post: operations["runDoctor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/providers/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether a model answers to the key of a worker
         * @description A worker asks the provider for as little as possible: one word of a language model, one short word of a voice, the recognition of a second of silence. That is not booked. Takes up to half a minute; 503 `no_worker` when no worker takes it. The sandbox asks nobody, and says so.
         *
         *     Roles: `service`, `admin`.
         *
         *     Audit log: `provider.checked`.
         */
        post: operations["checkProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/functions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a function as a call of the agent would
         * @description A worker makes the request by the code of calls, with `session_id` null, and sends it: the function does its work. The response has the request, without secrets, and the answer. Nothing is stored. Takes as long as `timeout_s`; 503 `no_worker` when no worker takes it. The sandbox sends nothing, and says so.
         *
         *     Roles: `user`, `service`, `admin`.
         *
         *     Audit log: `function.checked`.
         */
        post: operations["checkFunction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quotas/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the stored bytes of a user
         * @description The bytes stored for the user, and those written in the current minute, with the limits for the user’s own keys and tokens. Beyond `STORED_BYTES_PER_USER` they get 403 `quota_exceeded` from operations that add something, beyond `WRITTEN_BYTES_PER_USER` 429 `too_many_requests`. After an upgrade from v0.1.0, earlier data is counted in the background.
         *
         *     Roles: `viewer`, `supervisor`, `user`, `service`, `admin`.
         */
        get: operations["getQuota"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "call.analyzed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An extractor has read the transcript of the call, or has failed to.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCallAnalyzed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scheduled_call.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A scheduled call was placed, moved, canceled or given up, or an agent has booked it.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onScheduledCallChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign has been started, or resumed.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCampaignStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign has been paused.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCampaignPaused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A running campaign dials nobody until somebody helps; `blocked` says why.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCampaignBlocked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Everybody in a campaign has been reached, or given up.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCampaignCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign has been canceled.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCampaignCanceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recipient.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign is done with somebody; the state says how.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onRecipientFinished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "suppression.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A number is not called any more, by a request or because somebody said so in a call.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onSuppressionAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "test_run.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test run of an agent has ended; its status says how.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onTestRunFinished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recording.stored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recording has ended, and all of its audio is stored.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onRecordingStored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recording.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recording has ended without audio; its error says why.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onRecordingFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "budget.threshold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The costs of the month have reached a threshold of the budget.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onBudgetThreshold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The call has ended, and everything that belongs to it is there.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCallReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "chat.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A chat has ended, and its costs are there.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onChatEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.answered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The callee has picked up, or an inbound call was answered.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCallAnswered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The call has ended normally: hung up, canceled, or transferred.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCallCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The call failed; its end reason says why.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCallFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.no_answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The phone rang and nobody answered.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCallNoAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.transferred": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The call was transferred; the transfer says where to.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCallTransferred"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.transfer_answered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The target of an attended transfer has answered, and talks to the agent.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCallTransferAnswered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.transfer_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A transfer failed; the call continues as before.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCallTransferFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.digits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The caller has pressed keys that the agent had asked for.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onCallDigits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "agent.released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calls of an agent get other versions from now on; the arms say which.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onAgentReleased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "quota.threshold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The bytes stored for the user have reached a threshold of the quota.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onQuotaThreshold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test of the endpoint, on request.
         * @description Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Agent: {
            id: string;
            name: string;
            type: components["schemas"]["AgentType"];
            is_active: boolean;
            user_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            description: string | null;
            config: components["schemas"]["JsonObject"];
            phone_number: string | null;
            carrier_sid: string | null;
        };
        AgentCallbackUrl: {
            agent_id: string;
            /** @description Null: no callbacks, except to a call’s own URL and to webhook endpoints. */
            callback_url: string | null;
        };
        AgentCallbackUrlUpdate: {
            /**
             * Format: uri
             * @example https://example.com/calls
             */
            callback_url: string | null;
        };
        /**
         * @description The configuration of an agent, as workers and consoles understand it. All of it is optional, and other fields are kept.
         * @example {
         *       "instructions": "You book appointments for {{clinic}}. Be brief.",
         *       "greeting": "Hello {{first_name}}, this is {{clinic}}.",
         *       "language": "en-US",
         *       "stt": {
         *         "provider": "deepgram",
         *         "model": "nova-3"
         *       },
         *       "llm": {
         *         "provider": "openai",
         *         "model": "gpt-4o-mini",
         *         "temperature": 0.4
         *       },
         *       "tts": {
         *         "provider": "cartesia",
         *         "model": "sonic-2",
         *         "voice": "a0e99841-438c-4a64-b679-ae501e7d6091"
         *       },
         *       "tools": {
         *         "hang_up": true,
         *         "transfer": {
         *           "destinations": [
         *             {
         *               "name": "reception",
         *               "phone_number": "+15005550100",
         *               "type": "WARM"
         *             }
         *           ]
         *         },
         *         "functions": [
         *           {
         *             "name": "free_slots",
         *             "description": "Free appointments on a day.",
         *             "url": "https://example.com/slots",
         *             "parameters": {
         *               "type": "object",
         *               "properties": {
         *                 "day": {
         *                   "type": "string"
         *                 }
         *               },
         *               "required": [
         *                 "day"
         *               ]
         *             },
         *             "timeout_s": 5
         *           }
         *         ]
         *       },
         *       "voicemail": {
         *         "action": "hang_up"
         *       }
         *     }
         */
        AgentConfig: {
            /** @description The system prompt. `{{name}}` is replaced by the variable of the call with that name. */
            instructions?: string;
            /** @description What the agent says first. `{{name}}` is a variable. Without it the agent waits for the user. */
            greeting?: string;
            /**
             * @description A BCP 47 language tag.
             * @example en
             * @example pt-BR
             */
            language?: string;
            stt?: components["schemas"]["SttModel"] | components["schemas"]["SttModel"][];
            llm?: components["schemas"]["LlmModel"] | components["schemas"]["LlmModel"][];
            tts?: components["schemas"]["TtsModel"] | components["schemas"]["TtsModel"][];
            realtime?: components["schemas"]["RealtimeModel"] | components["schemas"]["RealtimeModel"][];
            /** @description When the next model of a list takes over. */
            fail_over?: {
                /** @description What counts as a failure; by default each of them. */
                on?: components["schemas"]["FailOverReason"][];
                /**
                 * @description The longest wait for the first token, sound or word of a model, and for the next one.
                 * @default 4000
                 */
                first_token_ms?: number;
            };
            /** @description What the model may do beside talking. */
            tools?: {
                /** @description Lets the model transfer the call, to these destinations only. One without a `type` has that of `transfer.type`. */
                transfer?: {
                    destinations: {
                        /** @description How the model names it. */
                        name: string;
                        /** @description In E.164 form. */
                        phone_number: string;
                        /** @description When to transfer to it, for the model. */
                        description?: string;
                        type?: components["schemas"]["TransferType"];
                        /**
                         * @description WARM only: the agent asks it first, while the caller hears music (docs/telephony.md).
                         * @default false
                         */
                        attended?: boolean;
                    }[];
                };
                /**
                 * @description Lets the model end the call.
                 * @default false
                 */
                hang_up?: boolean;
                /**
                 * @description Lets the model send DTMF tones.
                 * @default false
                 */
                dtmf?: boolean;
                /** @description Lets the model book a call back with the person: it proposes a time, reads it back, and books it once the person has answered. */
                call_back?: {
                    /** @default true */
                    enabled?: boolean;
                    /**
                     * @description By the clocks where the person is.
                     * @default 09:00
                     */
                    earliest?: string;
                    /** @default 18:00 */
                    latest?: string;
                    /**
                     * @description The most days ahead.
                     * @default 14
                     */
                    max?: number;
                };
                /** @description Keys that the model has the caller press. */
                collect_digits?: {
                    /** @description The model calls `collect_<name>`; `{{name}}` in the texts of functions is what was pressed. */
                    name: string;
                    /** @description What the caller is to enter, for the model. */
                    description: string;
                    /**
                     * @description The most keys.
                     * @default 32
                     */
                    max?: number;
                    /**
                     * @description The key that ends the entry; empty: none.
                     * @default #
                     */
                    finish_on?: string;
                    /**
                     * @description Without another key for so long it ends.
                     * @default 10
                     */
                    timeout_s?: number;
                    /**
                     * @description Only functions get the keys: not the model, the transcript or a log; the recording is silent.
                     * @default false
                     */
                    sensitive?: boolean;
                }[];
                /** @description Functions of yours, over HTTP. */
                functions?: {
                    name: string;
                    /** @description What it does, for the model. */
                    description: string;
                    /** @description Receives the arguments, signed in the Standard Webhooks format. `{{name}}` behind the host is the variable or argument of that name, encoded. */
                    url: string;
                    method?: components["schemas"]["FunctionMethod"];
                    /** @description Beside those of the signature. `{{name}}` is a variable or argument. */
                    headers?: {
                        [key: string]: string;
                    };
                    /** @description JSON in place of `{name, arguments, session_id, agent_id, user_id}`. `{{name}}` is a variable or argument: as JSON, or as text inside quotes. */
                    body?: string;
                    /** @description The arguments as a JSON schema of type `object`. */
                    parameters?: {
                        /** @enum {unknown} */
                        type: "object";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @default 10 */
                    timeout_s?: number;
                }[];
            };
            /** @description When the agent answers, and whether it can be interrupted. */
            turn_detection?: {
                mode?: components["schemas"]["TurnDetectionMode"];
                /** @description The least wait after the end of speech before the agent answers. */
                min_endpointing_delay_ms?: number;
                /** @description The longest wait for a user who seems not to have finished. */
                max_endpointing_delay_ms?: number;
                /**
                 * @description Whether the agent stops when the user speaks.
                 * @default true
                 */
                allow_interruptions?: boolean;
                /** @description Speech that is shorter does not interrupt the agent. */
                min_interruption_ms?: number;
            };
            /** @description Sounds beside the agent’s words (docs/sounds.md). They are not in recordings. */
            sounds?: {
                /**
                 * @description Heard as long as the agent is in the call, again and again: `office`, or `file:` and the name of a file in the folder `SOUNDS_DIR` of the worker.
                 * @example office
                 * @example file:background.ogg
                 */
                background?: string;
                /**
                 * @description How loud it is: 1 is as in the file; sounds that come with the worker are then right for a call.
                 * @default 1
                 */
                background_volume?: number;
                /**
                 * @description Heard while the model answers or a tool runs: `keyboard`, or a file.
                 * @example keyboard
                 * @example file:thinking.ogg
                 */
                thinking?: string;
                /**
                 * @description How loud it is: 1 is as in the file; sounds that come with the worker are then right for a call.
                 * @default 1
                 */
                thinking_volume?: number;
                /**
                 * @description Heard by a caller on hold: `music`, or a file. By default soft chords.
                 * @example music
                 * @example file:hold.ogg
                 */
                hold?: string;
                /**
                 * @description How loud it is: 1 is as in the file; sounds that come with the worker are then right for a call.
                 * @default 1
                 */
                hold_volume?: number;
            };
            /** @description What the agent does when the user says nothing. */
            silence?: {
                /** @description Silence of the user after which the agent asks. */
                timeout_s: number;
                /** @description What it asks; `{{name}}` is a variable. */
                message?: string;
                /**
                 * @description Then it hangs up.
                 * @default 2
                 */
                max_prompts?: number;
            };
            /** @description Finds out who or what answers an outbound call. `stt` and `llm` do so in place of the agent’s own models; beside `realtime`, without them, rules decide by the transcript of the realtime model. */
            voicemail?: {
                action?: components["schemas"]["VoicemailAction"];
                /** @description What `leave_message` says; `{{name}}` is a variable. */
                message?: string;
                /**
                 * @description Whether the message waits for the tone after the greeting: until it has ended, for four seconds of silence if there is none, and for at most 20 seconds.
                 * @default true
                 */
                wait_for_beep?: boolean;
                stt?: components["schemas"]["SttModel"];
                llm?: components["schemas"]["LlmModel"];
            };
            /** @description The answer to a machine that asks on somebody’s behalf who calls: these words and no others. Whoever then picks up is talked to from the beginning. Without it the agent talks to the machine as to anybody. */
            screening?: {
                /** @description Says who calls, as a sentence; `{{name}}` is a variable. */
                identity?: string;
                /** @description Says why, as a sentence; `{{name}}` is a variable. */
                purpose?: string;
                /**
                 * @description Seconds after the answer in which somebody may pick up; then the agent hangs up.
                 * @default 30
                 */
                timeout_s?: number;
            };
            /** @description Records the audio of calls (docs/recordings.md). */
            recording?: {
                /**
                 * @description Whether calls are recorded.
                 * @default false
                 */
                enabled?: boolean;
                channels?: components["schemas"]["RecordingChannelsChoice"];
                /** @description Names of tools: the recording is silent while one runs. `sensitive_digits`: while sensitive digits are entered, as always. */
                pause_on?: string[];
                /** @description Whether and how the other side agrees to be recorded. */
                consent?: {
                    type?: components["schemas"]["ConsentType"];
                    /** @description What is said before; `{{name}}` is a variable. By default a sentence in English. */
                    message?: string;
                    on_refusal?: components["schemas"]["OnRefusal"];
                };
            };
            /** @description Replaces secrets in what is said before it is written (docs/privacy.md). The model and your functions get them. */
            privacy?: {
                /** @description Secrets that are replaced by placeholders like `[card]` before anything is written. */
                redact?: components["schemas"]["RedactionKind"][];
                /** @description Patterns that are replaced in the same way. */
                custom?: {
                    /** @description `[name]` takes the place of what the pattern matches. */
                    name: string;
                    /** @description A regular expression in the syntax of RE2; upper and lower case are the same. */
                    pattern: string;
                }[];
                /** @description How long conversations are kept that begin from now on, if the installation does not delete them earlier. */
                keep?: {
                    /** @description Days after which the words of a conversation are deleted. */
                    transcripts_days?: number;
                    /** @description Days after which its recordings are deleted. */
                    recordings_days?: number;
                    /** @description Days after which its variables, `metadata` and `session_data` are deleted. */
                    metadata_days?: number;
                };
                /**
                 * @description Whether calls of tools are recorded, with what the tools answered, for tests that are made of a call. With `false`, workers report none. Those of a chat are kept for 2 days in any case.
                 * @default true
                 */
                tool_calls?: boolean;
            };
            /** @description What is read out of the transcript of each call (docs/analysis.md): names of extractors. A version of the agent has them with their versions, `outcome@3`; a name alone is the newest. */
            extractors?: string[];
            /**
             * @description Whether the report of a call waits for its analyses.
             * @default false
             */
            report_waits_for_analyses?: boolean;
            /** @description Whom the agent may call, and when; what it must say, and how somebody refuses further calls (docs/outreach.md). */
            compliance?: {
                /** @description The dial policy that its calls are decided by; by default the user’s. Without a policy of this name nobody is called. */
                policy?: string;
                /** @description What somebody who is called must be told first. */
                disclosure?: {
                    /** @description The first words of an outbound call, such as who calls and that it is an AI; `{{name}}` is a variable. Nobody can interrupt them, and their time and words are recorded. */
                    text?: string;
                };
                /** @description How the agent takes it when somebody does not want to be called. */
                opt_out?: {
                    /**
                     * @description Whether a person on the phone who asks not to be called again is suppressed at once, told so, and hung up on.
                     * @default false
                     */
                    enabled?: boolean;
                    /** @description What the agent then says; `{{name}}` is a variable. By default a sentence in English. */
                    confirm?: string;
                    scope?: components["schemas"]["OptOutScope"];
                };
            };
            /** @description Where inbound calls go that no worker takes. */
            inbound?: {
                /** @description Called for a caller whose call no worker takes in time; in E.164 form. */
                fallback_number?: string;
                /** @description Seconds that a worker has to take the call. By default, and at most, 5 s less than `AGENT_JOIN_TIMEOUT_S`. */
                max_wait_s?: number;
            };
            /** @description Limits on the calls of this agent. */
            limits?: {
                /** @description Seconds after which a call is hung up. `MAX_CALL_DURATION_S`, or the call, may make it shorter. */
                max_duration_s?: number;
            };
            /** @description How calls of this agent are transferred; by default by `TRANSFER_TYPE` of the service. */
            transfer?: {
                type?: components["schemas"]["TransferType"];
            };
        } & {
            [key: string]: unknown;
        };
        AgentConfigCheck: {
            valid: boolean;
            /** @description The first 100; empty when `valid`. `loc` begins with `config`. */
            problems: components["schemas"]["ValidationError"][];
            /** @description The variables used in the texts of the configuration, without duplicates, in alphabetical order. */
            variables: string[];
        };
        AgentConfigCheckRequest: {
            config: components["schemas"]["JsonObject"];
        };
        /** @description The JSON Schema (2020-12) of an agent’s `config`. */
        AgentConfigSchema: {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "agent_name": "Front desk",
         *       "total_cost": "12.345678",
         *       "session_count": 42,
         *       "event_count": 1337
         *     }
         */
        AgentCost: {
            agent_id: string;
            agent_name: string;
            total_cost: string;
            session_count: number;
            event_count: number;
        };
        AgentCreate: {
            name: string;
            user_id: string;
            description?: string | null;
            config?: components["schemas"]["JsonObject"] | null;
            is_active?: boolean;
            type?: components["schemas"]["AgentType"];
        };
        /** @description What calls get now, and how the agent is changed. */
        AgentCurrentRelease: {
            number: number;
            arms: components["schemas"]["ReleaseArm"][];
            sticky_by: components["schemas"]["StickyBy"];
            /** @description The id of a suite that every version has to have passed. */
            gate: string | null;
            /** @description The release that a rollback has made this one of. */
            repeats: number | null;
            /** @description The release that a rollback returns to, if its versions are still kept. */
            previous: number | null;
            /** @description The name of the key, or the user’s address at the identity provider. */
            created_by: string;
            /** Format: date-time */
            created_at: string;
            publishing: components["schemas"]["Publishing"];
        };
        AgentDraft: {
            agent_id: string;
            name: string;
            description: string | null;
            type: components["schemas"]["AgentType"];
            config: components["schemas"]["JsonObject"];
            /** @description Whether there is a draft. If not, this is what most calls get. */
            has_changes: boolean;
            /** @description The version that most calls got when the draft was begun. */
            based_on: number;
            /** @description The `ETag`, without its quotes. */
            revision: string;
            /** @description The name of the key, or the user’s address at the identity provider. */
            updated_by: string | null;
            /** Format: date-time */
            updated_at: string | null;
        };
        AgentDraftPut: {
            name: string;
            description?: string | null;
            type?: components["schemas"]["AgentType"];
            config: components["schemas"]["JsonObject"];
        };
        AgentExternalKey: {
            agent_id: string;
            external_key: string | null;
        };
        AgentExternalKeyUpdate: {
            /** @description Letters, digits, `.`, `_` and `-`, up to 100; unique among the agents of a user. */
            external_key: string | null;
        };
        /** @description The turns of one group; what they are not grouped by is null. */
        AgentLatency: {
            agent_id: string | null;
            /** @description The agent’s current name; null if it was deleted. */
            agent_name: string | null;
            /** @description Null unless grouped by it, and without one. */
            agent_version: number | null;
            model: string | null;
            transcript: components["schemas"]["Latency"] | null;
            first_token: components["schemas"]["Latency"] | null;
            first_audio: components["schemas"]["Latency"] | null;
        };
        AgentLegalHold: {
            agent_id: string;
            /** @description Whether none of the agent’s conversations are deleted (docs/privacy.md). */
            legal_hold: boolean;
        };
        AgentLegalHoldUpdate: {
            /** @description Whether none of the agent’s conversations are deleted (docs/privacy.md). */
            legal_hold: boolean;
        };
        AgentPublishingPut: {
            publishing: components["schemas"]["Publishing"];
        };
        /**
         * @example {
         *       "number": 5,
         *       "arms": [
         *         {
         *           "version": 3,
         *           "weight": 90
         *         },
         *         {
         *           "version": 4,
         *           "weight": 10
         *         }
         *       ],
         *       "sticky_by": "number",
         *       "gate": null,
         *       "repeats": null,
         *       "previous": 4,
         *       "created_by": "Night shift",
         *       "created_at": "2026-01-15T09:30:00.000Z"
         *     }
         */
        AgentRelease: {
            number: number;
            arms: components["schemas"]["ReleaseArm"][];
            sticky_by: components["schemas"]["StickyBy"];
            /** @description The id of a suite that every version has to have passed. */
            gate: string | null;
            /** @description The release that a rollback has made this one of. */
            repeats: number | null;
            /** @description The release that a rollback returns to, if its versions are still kept. */
            previous: number | null;
            /** @description The name of the key, or the user’s address at the identity provider. */
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description A page of AgentRelease items. */
        AgentReleasePage: {
            items: components["schemas"]["AgentRelease"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        AgentReleasePut: {
            /** @description Their weights sum to 100. */
            arms: components["schemas"]["ReleaseArm"][];
            sticky_by?: components["schemas"]["StickyBy"];
            /** @description The id of a suite that every version has to have passed. */
            gate?: string | null;
        };
        /**
         * @description Sent for each release that is listed of an agent but its first: for one that somebody makes, for a rollback, which `repeats` a release, and for an update of an agent that is not gated.
         * @example {
         *       "type": "agent.released",
         *       "timestamp": "2026-01-15T09:30:00.000Z",
         *       "data": {
         *         "agent_id": "01980000-0000-7000-8000-000000000000",
         *         "user_id": "user-1",
         *         "number": 5,
         *         "arms": [
         *           {
         *             "version": 3,
         *             "weight": 90
         *           },
         *           {
         *             "version": 4,
         *             "weight": 10
         *           }
         *         ],
         *         "sticky_by": "number",
         *         "gate": null,
         *         "repeats": null,
         *         "previous": 4,
         *         "created_at": "2026-01-15T09:30:00.000Z"
         *       }
         *     }
         */
        AgentReleased: {
            /** @description `agent.released`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["AgentReleasedData"];
        };
        AgentReleasedData: {
            agent_id: string;
            user_id: string;
            number: number;
            arms: components["schemas"]["ReleaseArm"][];
            sticky_by: components["schemas"]["StickyBy"];
            /** @description The id of a suite that every version has to have passed. */
            gate: string | null;
            /** @description The release that a rollback has made this one of. */
            repeats: number | null;
            /** @description The release that a rollback returns to, if its versions are still kept. */
            previous: number | null;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @description Which part of a voice pipeline the agent is; `PIPELINE` is the whole of it.
         * @enum {string}
         */
        AgentType: "STT" | "LLM" | "TTS" | "PIPELINE";
        AgentUpdate: {
            name?: string;
            description?: string | null;
            config?: components["schemas"]["JsonObject"];
            is_active?: boolean;
            type?: components["schemas"]["AgentType"];
        };
        /** @description What calls get of an agent. It never changes. */
        AgentVersion: {
            number: number;
            /** @description Equal for equal content. */
            hash: string;
            name: string;
            note: string | null;
            /** @description The name of the key, or the user’s address at the identity provider. */
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was first released. Null: no call but a trial got it.
             */
            released_at: string | null;
            description: string | null;
            type: components["schemas"]["AgentType"];
            config: components["schemas"]["JsonObject"];
        };
        AgentVersionCreate: {
            /** @description What is new, for people. */
            note?: string | null;
            /**
             * AgentVersionSource
             * @description The number of a version, or `draft`.
             */
            from?: number | string;
        };
        AgentVersionDiff: {
            /**
             * AgentVersionSource
             * @description The number of a version, or `draft`.
             */
            from: number | string;
            /**
             * AgentVersionSource
             * @description The number of a version, or `draft`.
             */
            to: number | string;
            /** @description A JSON Patch (RFC 6902) of `name`, `description`, `type` and `config`. */
            patch: components["schemas"]["JsonPatchOperation"][];
            /** @description For each replaced text that is long or has several lines, its changes by lines. */
            texts: components["schemas"]["TextDiff"][];
        };
        /**
         * @example {
         *       "number": 4,
         *       "hash": "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
         *       "name": "Front desk",
         *       "note": "Says good morning",
         *       "created_by": "Night shift",
         *       "created_at": "2026-01-15T09:30:00.000Z",
         *       "released_at": "2026-01-15T09:31:00.000Z"
         *     }
         */
        AgentVersionSummary: {
            number: number;
            /** @description Equal for equal content. */
            hash: string;
            name: string;
            note: string | null;
            /** @description The name of the key, or the user’s address at the identity provider. */
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was first released. Null: no call but a trial got it.
             */
            released_at: string | null;
        };
        /** @description A page of AgentVersionSummary items. */
        AgentVersionSummaryPage: {
            items: components["schemas"]["AgentVersionSummary"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        AnalysedCall: {
            direction: components["schemas"]["Direction"];
            answered_by: components["schemas"]["AnsweredBy"] | null;
            end_reason: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** @description Seconds. */
            duration: number | null;
        };
        Analyses: {
            analyses: components["schemas"]["Analysis"][];
        };
        /**
         * @description What one version of an extractor has read out of a call. While the call is analysed again, the values are those of the last time.
         * @example {
         *       "analysis_id": "01980000-0000-7000-8000-000000000022",
         *       "call_id": "01980000-0000-7000-8000-000000000001",
         *       "state": "done",
         *       "extractor": "outcome",
         *       "extractor_version": 1,
         *       "values": {
         *         "outcome": "booked",
         *         "was_friendly": true
         *       },
         *       "evidence": {
         *         "outcome": [
         *           "01980000-0000-7000-8000-000000000002"
         *         ],
         *         "was_friendly": [
         *           "01980000-0000-7000-8000-000000000002"
         *         ]
         *       },
         *       "summary": "The caller booked an appointment.",
         *       "success": true,
         *       "score": 1,
         *       "cost": "0.0012",
         *       "error": null,
         *       "is_simulated": false,
         *       "created_at": "2026-01-15T09:32:00.000Z",
         *       "started_at": "2026-01-15T09:32:00.100Z",
         *       "ended_at": "2026-01-15T09:32:02.000Z"
         *     }
         */
        Analysis: {
            analysis_id: string;
            call_id: string;
            state: components["schemas"]["AnalysisState"];
            extractor: string;
            extractor_version: number;
            values: components["schemas"]["AnalysisValues"] | null;
            evidence: components["schemas"]["AnalysisEvidence"] | null;
            summary: string | null;
            /** @description Whether the call reached what it was for; null if that is unclear. */
            success: boolean | null;
            /** @description From 0 to 1, by the weights of the extractor; null without any. */
            score: number | null;
            /** @description What all attempts have cost, by the prices of that time. */
            cost: string;
            error: string | null;
            /** @description Whether it was made by rules of the sandbox, without a model. */
            is_simulated: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        AnalysisBackfill: {
            /** @description Null for an estimate. */
            backfill_id: string | null;
            state: components["schemas"]["AnalysisBackfillState"];
            extractor: string;
            extractor_version: number;
            filter: components["schemas"]["AnalysisBackfillFilter"];
            /** @description Of an estimate: calls that it would look at; those without a transcript cost nothing. */
            calls: number | null;
            /** @description Of an estimate: `calls` times the mean cost of the newest analyses by this extractor; null without any. */
            estimated_cost: string | null;
            /** @description Analyses that it has asked for so far, without those that were asked for otherwise before they had ended. */
            queued: number;
            done: number;
            failed: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        AnalysisBackfillCreate: {
            /** @description Its name, also with a version: `outcome@3`. */
            extractor: string;
            filter: components["schemas"]["AnalysisBackfillFilter"];
            /**
             * @description Only says how many calls there are and what they would cost.
             * @default true
             */
            estimate?: boolean;
        };
        AnalysisBackfillFilter: {
            agent_id?: string;
            agent_version?: number;
            direction?: components["schemas"]["Direction"];
            /**
             * Format: date-time
             * @description Calls created at or after.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Calls created before.
             */
            to?: string;
        };
        /** @description A page of AnalysisBackfill items. */
        AnalysisBackfillPage: {
            items: components["schemas"]["AnalysisBackfill"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /**
         * @description `out_of_budget`: the budget of the user for this month is spent. It goes on where it was once the limit is raised, or the next month begins.
         * @enum {string}
         */
        AnalysisBackfillState: "estimate" | "running" | "out_of_budget" | "done" | "canceled";
        /** @description An event of a task of the kind `analysis`: what an attempt has used. Counted once for each lease, in the ledger, with the session of the call. */
        AnalysisEvent: {
            type: components["schemas"]["AnalysisEventType"];
            used: components["schemas"]["AnalysisUsage"][];
        };
        /**
         * @description The kind of the event.
         * @enum {string}
         */
        AnalysisEventType: "usage";
        /** @description Ids of the lines of the transcript that say so, by field. */
        AnalysisEvidence: {
            [key: string]: string[];
        };
        AnalysisExtractor: {
            name: string;
            version: number;
            schema: components["schemas"]["JsonObject"];
            instructions: string;
        };
        /** @description Calls of one group, with the fields requested in `group_by`. */
        AnalysisGroup: {
            /** @description Null for numbers. */
            value?: string | null;
            /**
             * Format: date
             * @description The day (UTC) on which the calls began.
             */
            day?: string;
            agent_id?: string | null;
            agent_version?: number | null;
            extractor?: string;
            /** @description Number of calls with a value. */
            calls: number;
            /** @description The mean of a number or a score, the share of true booleans; null for choices. */
            mean: number | null;
        };
        AnalysisLine: {
            id: string;
            speaker: components["schemas"]["Speaker"];
            content: string;
        };
        AnalysisRequest: {
            /** @description Names, also with a version, `outcome@3`. By default those of the call’s version of its agent. */
            extractors?: string[];
        };
        /**
         * @description The result of a task of the kind `analysis`: 422 unless the values fit the schema and the evidence names lines of the transcript. A value without evidence is stored as null.
         * @example {
         *       "values": {
         *         "outcome": "booked",
         *         "was_friendly": true
         *       },
         *       "evidence": {
         *         "outcome": [
         *           "01980000-0000-7000-8000-000000000002"
         *         ],
         *         "was_friendly": [
         *           "01980000-0000-7000-8000-000000000002"
         *         ]
         *       },
         *       "summary": "The caller booked an appointment.",
         *       "success": true
         *     }
         */
        AnalysisResult: {
            values: components["schemas"]["AnalysisValues"];
            evidence: components["schemas"]["AnalysisEvidence"];
            summary: string | null;
            success: boolean | null;
        };
        /**
         * @description `queued`: a worker will do it. `failed`: it was tried several times; `error` says why the last attempt failed.
         * @enum {string}
         */
        AnalysisState: "queued" | "running" | "done" | "failed";
        AnalysisStats: {
            field: string;
            /** @description Sorted by the groups’ keys. */
            groups: components["schemas"]["AnalysisGroup"][];
        };
        /** @description The payload of a task of the kind `analysis`. */
        AnalysisTask: {
            analysis_id: string;
            call_id: string;
            user_id: string;
            agent_id: string | null;
            extractor: components["schemas"]["AnalysisExtractor"];
            llm: components["schemas"]["JsonObject"];
            call: components["schemas"]["AnalysedCall"];
            transcript: components["schemas"]["AnalysisLine"][];
            /** @description False if the beginning was left out: it was too long. */
            is_transcript_complete: boolean;
        };
        AnalysisUsage: {
            provider: string;
            model?: string | null;
            event_type: components["schemas"]["LedgerEventType"];
            /** @example 0.000015 */
            quantity: number | string;
            /** @example 0.000015 */
            unit_cost?: number | string | null;
            /** @example 0.000015 */
            total_cost?: number | string | null;
        };
        /** @description By field; null where the transcript does not say. */
        AnalysisValues: {
            [key: string]: unknown;
        };
        /**
         * @description Who or what answered the call. `ivr` is an automated menu; `screening` a machine that asks on somebody’s behalf who calls: if the agent answers it (`screening` in its configuration), nobody picked up, otherwise the call went on; `unavailable` a machine that takes no message; `ai` a program that talks.
         * @enum {string}
         */
        AnsweredBy: "human" | "voicemail" | "ivr" | "screening" | "unavailable" | "ai" | "unknown";
        ApiKey: {
            id: string;
            name: string;
            role: components["schemas"]["KeyRole"];
            /** @description The user that the key is bound to: always for `user`, optionally for `viewer`, `supervisor` and `worker`. */
            user_id: string | null;
            /** @description The parts of the API that the key is limited to; null for all. */
            scopes: components["schemas"]["KeyScope"][] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; null if never.
             */
            last_used_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @description Created by an earlier release in open mode, in which anybody could create it. */
            made_in_open_mode: boolean;
        };
        ApiKeyCreate: {
            name: string;
            role: components["schemas"]["KeyRole"];
            /** @description The user that the key is bound to: always for `user`, optionally for `viewer`, `supervisor` and `worker`. */
            user_id?: string | null;
            /** @description The parts of the API that the key is limited to; null for all. */
            scopes?: components["schemas"]["KeyScope"][] | null;
            /**
             * Format: date-time
             * @description At most the expiry of the key that creates it, which is also the default.
             */
            expires_at?: string | null;
        };
        ApiKeyCreated: {
            id: string;
            name: string;
            role: components["schemas"]["KeyRole"];
            /** @description The user that the key is bound to: always for `user`, optionally for `viewer`, `supervisor` and `worker`. */
            user_id: string | null;
            /** @description The parts of the API that the key is limited to; null for all. */
            scopes: components["schemas"]["KeyScope"][] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; null if never.
             */
            last_used_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @description Created by an earlier release in open mode, in which anybody could create it. */
            made_in_open_mode: boolean;
            /** @description The key itself. Shown only in this response: only its hash is stored. */
            key: string;
        };
        /** @description A page of ApiKey items. */
        ApiKeyPage: {
            items: components["schemas"]["ApiKey"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description Attempts by outcome; `open`: the call has not ended. */
        AttemptCounts: {
            total: number;
            open: number;
            answered: number;
            voicemail: number;
            ivr: number;
            screening: number;
            ai: number;
            busy: number;
            no_answer: number;
            declined: number;
            unavailable: number;
            invalid_number: number;
            failed: number;
            abandoned: number;
            interrupted: number;
            canceled: number;
        };
        AttemptLimit: {
            /** @description ISO 3166-1, for example `DE`. */
            country?: string;
            /** @description ISO 3166-2 without the country, for example `TX`. */
            region?: string;
            /** @description Absent: all. */
            purposes?: components["schemas"]["Purpose"][];
            /** @description Where the rule comes from: a law, a page, a date. */
            source?: string;
            count: number;
            /** @description Of 24 hours each. */
            days: number;
        };
        /**
         * @description Null until the call has ended.
         * @enum {string}
         */
        AttemptOutcome: "answered" | "voicemail" | "ivr" | "screening" | "ai" | "busy" | "no_answer" | "declined" | "unavailable" | "invalid_number" | "failed" | "abandoned" | "interrupted" | "canceled";
        /** @enum {string} */
        AuditAction: "agent.created" | "agent.updated" | "agent.deleted" | "agent.draft_changed" | "agent.external_key_changed" | "agent.publishing_changed" | "agent.released" | "agent.rolled_back" | "agent.version_created" | "agent.callback_url_changed" | "analysis_backfill.canceled" | "analysis_backfill.started" | "audit.trimmed" | "budget.changed" | "call.analysis_requested" | "call.ended" | "call.listened" | "call.steered" | "call.outcome_corrected" | "callback.redelivered" | "callback_secret.revealed" | "callback_secret.rotated" | "campaign.canceled" | "campaign.changed" | "campaign.created" | "campaign.deleted" | "campaign.paused" | "campaign.recipients_added" | "campaign.started" | "carrier_costs.imported" | "console.signed_in" | "console.signed_out" | "console.signed_out_everywhere" | "data.exported" | "chat.rewound" | "consent.added" | "consent.revoked" | "dial_policy.changed" | "evidence.issued" | "evidence_key.rotated" | "doctor.run" | "function.checked" | "extractor.deleted" | "extractor.saved" | "key.created" | "key.revoked" | "legal_hold.changed" | "number.assigned" | "number.released" | "provider.checked" | "prices.applied" | "prices.changed" | "recording.deleted" | "recording.link_issued" | "recording.played" | "request.refused" | "room_token.issued" | "scheduled_call.canceled" | "scheduled_call.moved" | "scenario.deleted" | "scenario.saved" | "session.corrected" | "stream_token.issued" | "suite.deleted" | "cassette.deleted" | "suite.saved" | "suppression.removed" | "suppressions.added" | "transcripts.read" | "transfer.completed" | "transfer.returned" | "transfer.started" | "usage.corrected" | "user.changed" | "user.erased" | "user.privacy_changed" | "webhook_endpoint.created" | "webhook_endpoint.deleted" | "webhook_endpoint.tested" | "webhook_endpoint.updated" | "work.retried";
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000004",
         *       "at": "2026-01-15T09:30:00.000Z",
         *       "actor": "api_key/01980000-0000-7000-8000-000000000002",
         *       "actor_name": "Dashboard",
         *       "actor_user_id": null,
         *       "user_id": "user-1",
         *       "ip": "192.0.2.7",
         *       "action": "budget.changed",
         *       "target": "budget",
         *       "outcome": "succeeded",
         *       "detail": null,
         *       "before": {
         *         "monthly_limit": "50"
         *       },
         *       "after": {
         *         "monthly_limit": "80"
         *       },
         *       "count": 1,
         *       "seq": 42,
         *       "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         *     }
         */
        AuditEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            /** @description `api_key/…`, `token` (a JWT), `openid` (signed in to the console), `open` (no authentication), `unauthenticated`, `command`, `repair` or `retention`. */
            actor: string;
            /** @description The name of the key, or the address of the OpenID user. */
            actor_name: string | null;
            /** @description The user whose own key or token it is. */
            actor_user_id: string | null;
            /** @description The user whose data it concerns, if any. */
            user_id: string | null;
            ip: string | null;
            /** @description See the filter `action`. */
            action: string;
            /** @description The resource, as `kind/id`. */
            target: string;
            outcome: components["schemas"]["AuditOutcome"];
            detail: string | null;
            before: components["schemas"]["AuditValues"] | null;
            after: components["schemas"]["AuditValues"] | null;
            /** @description Refusals and reads that repeat within a minute share an entry; `at` is the first of them. */
            count: number;
            /** @description The place in the hash chain; null for some seconds. */
            seq: number | null;
            /** @description The hash of this entry and of all before it. */
            hash: string | null;
        };
        /**
         * @description A page of AuditEntry items.
         * @example {
         *       "items": [
         *         {
         *           "id": "01980000-0000-7000-8000-000000000004",
         *           "at": "2026-01-15T09:30:00.000Z",
         *           "actor": "api_key/01980000-0000-7000-8000-000000000002",
         *           "actor_name": "Dashboard",
         *           "actor_user_id": null,
         *           "user_id": "user-1",
         *           "ip": "192.0.2.7",
         *           "action": "budget.changed",
         *           "target": "budget",
         *           "outcome": "succeeded",
         *           "detail": null,
         *           "before": {
         *             "monthly_limit": "50"
         *           },
         *           "after": {
         *             "monthly_limit": "80"
         *           },
         *           "count": 1,
         *           "seq": 42,
         *           "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        AuditEntryPage: {
            items: components["schemas"]["AuditEntry"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /**
         * @description `refused`: answered with a 4xx; nothing was changed. `failed`: with a 5xx. `detail` has status and code.
         * @enum {string}
         */
        AuditOutcome: "succeeded" | "refused" | "failed";
        /** @description The fields that differ, by their path. Long values are given as size and SHA-256. */
        AuditValues: {
            [key: string]: unknown;
        };
        /**
         * @description `open`: nobody signs in.
         * @enum {string}
         */
        AuthMode: "open" | "required";
        /**
         * @description First and following billing increments in seconds: 30/6 bills 31 seconds as 36.
         * @enum {string}
         */
        BillingIncrement: "60/60" | "30/6" | "6/6" | "1/1";
        /**
         * @description The agent is inactive or gone; the budget is spent; the user has no calls left, or workers no room, or none joins its calls; too many calls fail; calling is disabled; a number in `from_numbers` is not the user’s any more; the policy does not exist, or its rate of abandoned calls is exceeded; everybody who waits may only be dialled later.
         * @enum {string}
         */
        BlockReason: "agent" | "budget" | "capacity" | "circuit" | "disabled" | "number" | "policy" | "window";
        Budget: {
            user_id: string;
            monthly_limit: string | null;
            thresholds: number[];
            refuse_calls: boolean;
            end_calls: boolean;
            /** @description Whether what test runs cost counts too. No test run starts then once the limit is reached, whether calls are refused or not: 402 `budget_exceeded`. */
            count_tests: boolean;
            /** @description Reserved for each minute of an open call. Null, the default: each open call reserves what the newest 20 calls that were answered and have ended cost on average; nothing, while there are fewer of the last twelve months. Chats reserve nothing. */
            cost_per_minute: string | null;
            /** @description Minutes reserved for each open call, but no more than it can last: its maximum duration and a minute, rounded up to whole minutes. Null, the default: as long as it can last. */
            expected_minutes: number | null;
            /** @description The month (UTC), as `2026-01`. */
            month: string;
            /** @description Cost of the month so far, including every event that was answered with 201. */
            spent: string;
            /** @description What open calls may still cost: the estimate of each, less what it has cost so far. */
            reserved: string;
            /** @description The thresholds that were already reported this month. */
            reached: number[];
            /** Format: date-time */
            updated_at: string;
        };
        BudgetPut: {
            /**
             * @description Cost of a calendar month (UTC), in the currency of the usage events. Null: no limit.
             * @example 0.000015
             */
            monthly_limit: number | string | null;
            /** @description Percentages of the limit, each reported once a month by a `budget.threshold` event. None by default. */
            thresholds?: number[];
            /** @description Whether to refuse new calls and chats once the limit is reached. False by default. */
            refuse_calls?: boolean;
            /** @description Whether to end open calls and chats once the limit is reached. False by default. */
            end_calls?: boolean;
            /** @description Whether what test runs cost counts too. No test run starts then once the limit is reached, whether calls are refused or not: 402 `budget_exceeded`. False by default. */
            count_tests?: boolean;
            /**
             * @description Reserved for each minute of an open call. Null, the default: each open call reserves what the newest 20 calls that were answered and have ended cost on average; nothing, while there are fewer of the last twelve months. Chats reserve nothing.
             * @example 0.000015
             */
            cost_per_minute?: number | string | null;
            /** @description Minutes reserved for each open call, but no more than it can last: its maximum duration and a minute, rounded up to whole minutes. Null, the default: as long as it can last. */
            expected_minutes?: number | null;
        };
        /**
         * @description Sent once a month for each threshold, to the webhook endpoints of the user.
         * @example {
         *       "type": "budget.threshold",
         *       "timestamp": "2026-01-15T09:30:05.000Z",
         *       "data": {
         *         "user_id": "user-1",
         *         "month": "2026-01",
         *         "threshold": 50,
         *         "monthly_limit": "250",
         *         "spent": "131.25"
         *       }
         *     }
         */
        BudgetThreshold: {
            /** @description `budget.threshold`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["BudgetThresholdData"];
        };
        BudgetThresholdData: {
            user_id: string;
            /** @description The month (UTC), as `2026-01`. */
            month: string;
            /** @description The percentage that was reached. */
            threshold: number;
            monthly_limit: string;
            /** @description Cost of the month when the threshold was noticed. */
            spent: string;
        };
        /**
         * @description Sent once an analysis is `done`, or has `failed`.
         * @example {
         *       "type": "call.analyzed",
         *       "timestamp": "2026-01-15T09:32:02.000Z",
         *       "data": {
         *         "analysis_id": "01980000-0000-7000-8000-000000000022",
         *         "call_id": "01980000-0000-7000-8000-000000000001",
         *         "state": "done",
         *         "extractor": "outcome",
         *         "extractor_version": 1,
         *         "values": {
         *           "outcome": "booked",
         *           "was_friendly": true
         *         },
         *         "evidence": {
         *           "outcome": [
         *             "01980000-0000-7000-8000-000000000002"
         *           ],
         *           "was_friendly": [
         *             "01980000-0000-7000-8000-000000000002"
         *           ]
         *         },
         *         "summary": "The caller booked an appointment.",
         *         "success": true,
         *         "score": 1,
         *         "cost": "0.0012",
         *         "error": null,
         *         "is_simulated": false,
         *         "created_at": "2026-01-15T09:32:00.000Z",
         *         "started_at": "2026-01-15T09:32:00.100Z",
         *         "ended_at": "2026-01-15T09:32:02.000Z"
         *       }
         *     }
         */
        CallAnalyzed: {
            /** @description `call.analyzed`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["Analysis"];
        };
        CallBackConfirmation: {
            /** @description As it was proposed. */
            date_time: string;
        };
        CallBackProposal: {
            /** @description By the clocks where the person is. */
            date_time: string;
            /** @description Where the person is. Default: by the number, if that is certain. */
            time_zone?: string | null;
            /**
             * @description Only in conversations without a phone: whom to call.
             * @example +15005550100
             */
            phone_number?: string | null;
            /** @description What it is about, as the variable `call_back_note`. */
            note?: string | null;
        };
        /** @description Of a worker that takes calls as well, from then on for 90 seconds; with `max` 0 it takes no more. Ignored with a key that is bound to a user. Campaigns dial only as many people as there are workers for, less what they leave to other calls. */
        CallCapacity: {
            /** @description The name of this worker. */
            worker: string;
            /** @description Calls that it takes at the same time. */
            max: number;
        };
        /** @description The cost up to the time of the report. */
        CallCosts: {
            total_cost: string;
            by_event_type: components["schemas"]["CostByEventType"];
            by_provider: components["schemas"]["CostByProvider"];
        };
        CallDetail: {
            call_id: string;
            status: components["schemas"]["SessionStatus"];
            room_name: string;
            call_status: components["schemas"]["CallStatus"] | null;
            call_direction: components["schemas"]["CallDirection"] | null;
            outbound_phone_number: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Seconds, with millisecond precision. */
            duration: number | null;
            direction: components["schemas"]["Direction"];
            /** @description The caller’s number. Null: the trunk’s number, or a browser. */
            from_number: string | null;
            /** @description The called number. Null for a browser call. */
            to_number: string | null;
            end_reason: components["schemas"]["EndReason"] | null;
            sip_status_code: number | null;
            user_id: string;
            agent_id: string | null;
            /** @description The version of the agent. Null: no agent, or a call of an earlier release. */
            agent_version: number | null;
            /** @description The number of the caller, on an inbound call. */
            caller_number: string | null;
            /** @description The caller id of an inbound call as the carrier sent it: `caller_number` is null if it is no phone number, such as `anonymous`. */
            caller_id: string | null;
            /** Format: date-time */
            created_at: string;
            answered_by: components["schemas"]["AnsweredBy"] | null;
            /** @description The reported result, in your own terms. */
            disposition: string | null;
            agent_name: string | null;
            variables: components["schemas"]["CallVariables"];
            metadata: components["schemas"]["CallMetadata"];
            /** @description As requested; null: `RINGING_TIMEOUT_S`. */
            ringing_timeout_s: number | null;
            /** @description As requested, or as the agent’s `limits` say; null: `MAX_CALL_DURATION_S`. */
            max_duration_s: number | null;
            /** @description As requested; null: as the agent says. */
            record: boolean | null;
            sip?: components["schemas"]["CallSip"] | null;
            /** @description The SIP trunks that its phone was dialled over, in order: the last one carried the call, or was the last to fail. Null until the outcome is known, and for calls that were not dialled. */
            trunks?: components["schemas"]["TrunkAttempt"][] | null;
            transfers: components["schemas"]["TransferAttempt"][];
            /** @description Why its phones were dialled, or not: the call’s, a second one if it was dialled late, and those of its transfers. Empty for users without dial policies. */
            dial_decisions: components["schemas"]["DialDecision"][];
            /** @description Keys of the telephone that the caller pressed for `tools.collect_digits`, or the agent with `tools.dtmf`, as its worker has reported them. Deleted with the transcript, and not shown once the agent is deleted. */
            keys?: components["schemas"]["TimelineKeys"][];
            timeline: components["schemas"]["TimelineEntry"][];
        };
        /**
         * @description Sent for each entry of keys that the agent asks for by `collect_digits`, once its worker has reported it. Keys that give consent to a recording are none.
         * @example {
         *       "type": "call.digits",
         *       "timestamp": "2026-01-15T09:30:24.000Z",
         *       "data": {
         *         "call_id": "01980000-0000-7000-8000-000000000001",
         *         "name": "order_number",
         *         "digits": "4021",
         *         "is_sensitive": false,
         *         "asked_at": "2026-01-15T09:30:15.000Z"
         *       }
         *     }
         */
        CallDigits: {
            /** @description `call.digits`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["CallDigitsData"];
        };
        CallDigitsData: {
            call_id: string;
            /** @description The name of the entry in `tools.collect_digits` of the agent. */
            name: string;
            /** @description The keys. Null if they are sensitive, or `privacy.redact` replaces them. */
            digits: string | null;
            /** @description Whether only functions of the agent get the keys. */
            is_sensitive: boolean;
            /**
             * Format: date-time
             * @description When the agent began to wait for them.
             */
            asked_at: string;
        };
        /**
         * @description INBOUND: a phone called. OUTBOUND: the service dialled.
         * @enum {string}
         */
        CallDirection: "INBOUND" | "OUTBOUND";
        CallEvidence: {
            /** @description `switchboard.call-evidence`. */
            kind: string;
            /** @description 1. */
            format: number;
            call: components["schemas"]["EvidenceCall"];
            agent: components["schemas"]["EvidenceAgent"] | null;
            decisions: components["schemas"]["DialDecision"][];
            policies: components["schemas"]["EvidencePolicy"][];
            /** @description Of the other side’s number, from before the call. */
            consents: components["schemas"]["Consent"][];
            disclosure: components["schemas"]["EvidenceDisclosure"] | null;
            recordings: components["schemas"]["EvidenceRecording"][];
            opt_out: components["schemas"]["EvidenceOptOut"] | null;
            /** Format: date-time */
            issued_at: string;
            /** @description Of `GET /.well-known/switchboard-evidence.json`. */
            key_id: string;
            chain: components["schemas"]["EvidenceChain"];
            /** @description Ed25519, in hexadecimal, of the bytes of the response without `,"signature":"…"`. */
            signature: string;
        };
        /** @description The calls of one group, with the fields requested in `group_by`. */
        CallGroup: {
            /**
             * Format: date
             * @description The day (UTC) on which the calls began.
             */
            day?: string;
            user_id?: string;
            agent_id?: string | null;
            /** @description The agent’s current name; null if it was deleted. */
            agent_name?: string | null;
            /** @description The version of the agent; null for calls without one. */
            agent_version?: number | null;
            direction?: components["schemas"]["Direction"];
            end_reason?: components["schemas"]["EndReason"] | null;
            answered_by?: components["schemas"]["AnsweredBy"] | null;
            /** @description Number of calls that have ended. */
            calls: number;
            /** @description Number of these calls that were answered. */
            answered: number;
            /** @description `answered` divided by `calls`, from 0 to 1; null without calls. */
            answer_rate: number | null;
            ring: components["schemas"]["CallTimes"] | null;
            talk: components["schemas"]["CallTimes"] | null;
        };
        /** @description The worker’s job, built from the call and its version of the agent. */
        CallJob: {
            job: components["schemas"]["WorkerJob"];
            /** @description Whether the agent has changed since its worker was dispatched, and the version of the call is not kept: the worker may have received other values. */
            agent_changed: boolean;
        };
        /** @description Connect to `url` with `token` before `expires_at`. Who is connected stays until the call ends. */
        CallListening: {
            room_name: string;
            /** @description The URL to connect to with `token`. */
            url: string;
            /** @description Allows listening to the room of this call only. Valid until `expires_at`. */
            token: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Whether this is the sandbox, which has no audio and no server at `url`. */
            is_simulated: boolean;
        };
        /**
         * @description Any data for the worker. At most 16 KiB of JSON.
         * @example {
         *       "crm_id": "C-17"
         *     }
         */
        CallMetadata: {
            [key: string]: unknown;
        };
        /** @description Absent fields are not changed. */
        CallOutcome: {
            answered_by?: components["schemas"]["AnsweredBy"];
            /** @description The result in your own terms, such as `appointment_booked`. */
            disposition?: string;
            /**
             * @description Ends the call.
             * @default false
             */
            hang_up?: boolean;
            sip?: components["schemas"]["SipFigures"];
            disclosure?: components["schemas"]["DisclosureReport"];
            /**
             * @description The person on the phone does not want to be called any more: its number is suppressed at once, as `compliance.opt_out` of the agent says. 422 for a call in a browser.
             * @default false
             */
            opted_out?: boolean;
        };
        CallReplay: {
            /**
             * AgentVersionSource
             * @description The number of a version, or `draft`.
             */
            agent_version: number | string;
            /** @description Runs of each, instead of those that it asks for. */
            runs?: number;
            cassette?: components["schemas"]["CassetteMode"];
        };
        /**
         * @description Sent once to each destination, after the end of a call.
         * @example {
         *       "type": "call.report",
         *       "timestamp": "2026-01-15T09:32:05.000Z",
         *       "data": {
         *         "call_id": "01980000-0000-7000-8000-000000000001",
         *         "status": "FAILED",
         *         "room_name": "call-01980000",
         *         "call_status": "FAILED",
         *         "call_direction": "OUTBOUND",
         *         "outbound_phone_number": "+15005550001",
         *         "direction": "OUTBOUND",
         *         "from_number": "+15005550010",
         *         "to_number": "+15005550001",
         *         "started_at": null,
         *         "ended_at": "2026-01-15T09:31:30.500Z",
         *         "duration": 0,
         *         "end_reason": "busy",
         *         "sip_status_code": 486,
         *         "user_id": "user-1",
         *         "agent_id": "01980000-0000-7000-8000-000000000000",
         *         "agent_version": 4,
         *         "caller_number": null,
         *         "caller_id": null,
         *         "created_at": "2026-01-15T09:30:00.000Z",
         *         "answered_by": null,
         *         "disposition": null,
         *         "agent_name": "Front desk",
         *         "variables": {
         *           "name": "Ada"
         *         },
         *         "metadata": {
         *           "crm_id": "C-17"
         *         },
         *         "ringing_timeout_s": null,
         *         "max_duration_s": 600,
         *         "record": null,
         *         "sip": {
         *           "call_id": null,
         *           "bridge_call_id": "SCL_aBcDeFgHiJkL",
         *           "carrier_call_id": null,
         *           "codec": null,
         *           "q850_cause": null,
         *           "jitter_ms": null,
         *           "packet_loss_percent": null,
         *           "headers_in": {},
         *           "headers_out": {
         *             "X-Account": "C-17"
         *           }
         *         },
         *         "trunks": [
         *           {
         *             "trunk": "ST_a",
         *             "end_reason": "busy",
         *             "sip_status_code": 486
         *           }
         *         ],
         *         "transfers": [],
         *         "dial_decisions": [],
         *         "transcript": [
         *           {
         *             "id": "01980000-0000-7000-8000-000000000001",
         *             "speaker": "USER",
         *             "content": "I would like to move my appointment.",
         *             "timestamp": "2026-01-15T09:30:04.000Z"
         *           }
         *         ],
         *         "is_transcript_complete": true,
         *         "analyses": [],
         *         "costs": {
         *           "total_cost": "0.00075",
         *           "by_event_type": {
         *             "llm_tokens": "0.00075"
         *           },
         *           "by_provider": {
         *             "openai": "0.00075"
         *           }
         *         }
         *       }
         *     }
         */
        CallReport: {
            /** @description `call.report`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["CallReportData"];
        };
        /**
         * @description The call with everything that belongs to it, at the time of the report.
         * @example {
         *       "call_id": "01980000-0000-7000-8000-000000000001",
         *       "status": "FAILED",
         *       "room_name": "call-01980000",
         *       "call_status": "FAILED",
         *       "call_direction": "OUTBOUND",
         *       "outbound_phone_number": "+15005550001",
         *       "direction": "OUTBOUND",
         *       "from_number": "+15005550010",
         *       "to_number": "+15005550001",
         *       "started_at": null,
         *       "ended_at": "2026-01-15T09:31:30.500Z",
         *       "duration": 0,
         *       "end_reason": "busy",
         *       "sip_status_code": 486,
         *       "user_id": "user-1",
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "agent_version": 4,
         *       "caller_number": null,
         *       "caller_id": null,
         *       "created_at": "2026-01-15T09:30:00.000Z",
         *       "answered_by": null,
         *       "disposition": null,
         *       "agent_name": "Front desk",
         *       "variables": {
         *         "name": "Ada"
         *       },
         *       "metadata": {
         *         "crm_id": "C-17"
         *       },
         *       "ringing_timeout_s": null,
         *       "max_duration_s": 600,
         *       "record": null,
         *       "sip": {
         *         "call_id": null,
         *         "bridge_call_id": "SCL_aBcDeFgHiJkL",
         *         "carrier_call_id": null,
         *         "codec": null,
         *         "q850_cause": null,
         *         "jitter_ms": null,
         *         "packet_loss_percent": null,
         *         "headers_in": {},
         *         "headers_out": {
         *           "X-Account": "C-17"
         *         }
         *       },
         *       "trunks": [
         *         {
         *           "trunk": "ST_a",
         *           "end_reason": "busy",
         *           "sip_status_code": 486
         *         }
         *       ],
         *       "transfers": [],
         *       "dial_decisions": [],
         *       "transcript": [
         *         {
         *           "id": "01980000-0000-7000-8000-000000000001",
         *           "speaker": "USER",
         *           "content": "I would like to move my appointment.",
         *           "timestamp": "2026-01-15T09:30:04.000Z"
         *         }
         *       ],
         *       "is_transcript_complete": true,
         *       "analyses": [],
         *       "costs": {
         *         "total_cost": "0.00075",
         *         "by_event_type": {
         *           "llm_tokens": "0.00075"
         *         },
         *         "by_provider": {
         *           "openai": "0.00075"
         *         }
         *       }
         *     }
         */
        CallReportData: {
            call_id: string;
            status: components["schemas"]["SessionStatus"];
            room_name: string;
            call_status: components["schemas"]["CallStatus"] | null;
            call_direction: components["schemas"]["CallDirection"] | null;
            outbound_phone_number: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Seconds, with millisecond precision. */
            duration: number | null;
            direction: components["schemas"]["Direction"];
            /** @description The caller’s number. Null: the trunk’s number, or a browser. */
            from_number: string | null;
            /** @description The called number. Null for a browser call. */
            to_number: string | null;
            end_reason: components["schemas"]["EndReason"] | null;
            sip_status_code: number | null;
            user_id: string;
            agent_id: string | null;
            /** @description The version of the agent. Null: no agent, or a call of an earlier release. */
            agent_version: number | null;
            /** @description The number of the caller, on an inbound call. */
            caller_number: string | null;
            /** @description The caller id of an inbound call as the carrier sent it: `caller_number` is null if it is no phone number, such as `anonymous`. */
            caller_id: string | null;
            /** Format: date-time */
            created_at: string;
            answered_by: components["schemas"]["AnsweredBy"] | null;
            /** @description The reported result, in your own terms. */
            disposition: string | null;
            agent_name: string | null;
            variables: components["schemas"]["CallVariables"];
            metadata: components["schemas"]["CallMetadata"];
            /** @description As requested; null: `RINGING_TIMEOUT_S`. */
            ringing_timeout_s: number | null;
            /** @description As requested, or as the agent’s `limits` say; null: `MAX_CALL_DURATION_S`. */
            max_duration_s: number | null;
            /** @description As requested; null: as the agent says. */
            record: boolean | null;
            sip?: components["schemas"]["CallSip"] | null;
            /** @description The SIP trunks that its phone was dialled over, in order: the last one carried the call, or was the last to fail. Null until the outcome is known, and for calls that were not dialled. */
            trunks?: components["schemas"]["TrunkAttempt"][] | null;
            transfers: components["schemas"]["TransferAttempt"][];
            /** @description Why its phones were dialled, or not: the call’s, a second one if it was dialled late, and those of its transfers. Empty for users without dial policies. */
            dial_decisions: components["schemas"]["DialDecision"][];
            /** @description In the order in which the lines were added. */
            transcript: components["schemas"]["TranscriptLine"][];
            /** @description False if the transcript was truncated to fit into the report: `GET /api/sessions/{session_id}/transcripts` returns all of it. */
            is_transcript_complete: boolean;
            /** @description The analyses of the transcript by then. */
            analyses: components["schemas"]["Analysis"][];
            costs: components["schemas"]["CallCosts"];
        };
        /**
         * @description The SIP facts of a phone call. Null if none is known.
         * @example {
         *       "call_id": null,
         *       "bridge_call_id": "SCL_aBcDeFgHiJkL",
         *       "carrier_call_id": null,
         *       "codec": null,
         *       "q850_cause": null,
         *       "jitter_ms": null,
         *       "packet_loss_percent": null,
         *       "headers_in": {},
         *       "headers_out": {
         *         "X-Account": "C-17"
         *       }
         *     }
         */
        CallSip: {
            /** @description The Call-ID of the SIP dialog. Of an outbound call once its phone has left; null if unanswered. */
            call_id: string | null;
            /** @description The bridge’s own id of the call, as in its log. */
            bridge_call_id: string | null;
            /** @description The carrier’s id of an inbound call. */
            carrier_call_id: string | null;
            /** @description Of the sound between carrier and bridge. */
            codec: string | null;
            /** @description The cause of the end by ITU-T Q.850. */
            q850_cause: number | null;
            /** @description Jitter of the phone’s sound. A worker measures it where the sound arrives. */
            jitter_ms: number | null;
            /** @description Packets of it that were lost. A worker sees those between bridge and worker. */
            packet_loss_percent: number | null;
            headers_in: components["schemas"]["SipHeaderValues"];
            headers_out: components["schemas"]["SipHeaderValues"];
        };
        CallState: {
            call_id: string;
            status: components["schemas"]["SessionStatus"];
            room_name: string;
            call_status: components["schemas"]["CallStatus"] | null;
            call_direction: components["schemas"]["CallDirection"] | null;
            outbound_phone_number: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Seconds, with millisecond precision. */
            duration: number | null;
        };
        /**
         * @example {
         *       "total": {
         *         "calls": 120,
         *         "answered": 84,
         *         "answer_rate": 0.7,
         *         "ring": {
         *           "mean_s": 14.205,
         *           "p50_s": 11.9,
         *           "p95_s": 38.2
         *         },
         *         "talk": {
         *           "mean_s": 95.12,
         *           "p50_s": 81.4,
         *           "p95_s": 240.7
         *         }
         *       },
         *       "groups": [
         *         {
         *           "day": "2026-01-15",
         *           "direction": "OUTBOUND",
         *           "calls": 120,
         *           "answered": 84,
         *           "answer_rate": 0.7,
         *           "ring": {
         *             "mean_s": 14.205,
         *             "p50_s": 11.9,
         *             "p95_s": 38.2
         *           },
         *           "talk": {
         *             "mean_s": 95.12,
         *             "p50_s": 81.4,
         *             "p95_s": 240.7
         *           }
         *         }
         *       ]
         *     }
         */
        CallStats: {
            total: components["schemas"]["CallTotal"];
            /** @description Sorted by the groups’ keys; empty without `group_by`. */
            groups: components["schemas"]["CallGroup"][];
        };
        /**
         * @description From `RINGING` to `ANSWERED` to `COMPLETED` or `FAILED`, or from `RINGING` to `NO_ANSWER`; ended states are final.
         * @enum {string}
         */
        CallStatus: "RINGING" | "ANSWERED" | "COMPLETED" | "FAILED" | "NO_ANSWER";
        /**
         * @example {
         *       "call_id": "01980000-0000-7000-8000-000000000001",
         *       "status": "FAILED",
         *       "room_name": "call-01980000",
         *       "call_status": "FAILED",
         *       "call_direction": "OUTBOUND",
         *       "outbound_phone_number": "+15005550001",
         *       "direction": "OUTBOUND",
         *       "from_number": "+15005550010",
         *       "to_number": "+15005550001",
         *       "started_at": null,
         *       "ended_at": "2026-01-15T09:31:30.500Z",
         *       "duration": 0,
         *       "end_reason": "busy",
         *       "sip_status_code": 486,
         *       "user_id": "user-1",
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "agent_version": 4,
         *       "caller_number": null,
         *       "caller_id": null,
         *       "created_at": "2026-01-15T09:30:00.000Z"
         *     }
         */
        CallSummary: {
            call_id: string;
            status: components["schemas"]["SessionStatus"];
            room_name: string;
            call_status: components["schemas"]["CallStatus"] | null;
            call_direction: components["schemas"]["CallDirection"] | null;
            outbound_phone_number: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Seconds, with millisecond precision. */
            duration: number | null;
            direction: components["schemas"]["Direction"];
            /** @description The caller’s number. Null: the trunk’s number, or a browser. */
            from_number: string | null;
            /** @description The called number. Null for a browser call. */
            to_number: string | null;
            end_reason: components["schemas"]["EndReason"] | null;
            sip_status_code: number | null;
            user_id: string;
            agent_id: string | null;
            /** @description The version of the agent. Null: no agent, or a call of an earlier release. */
            agent_version: number | null;
            /** @description The number of the caller, on an inbound call. */
            caller_number: string | null;
            /** @description The caller id of an inbound call as the carrier sent it: `caller_number` is null if it is no phone number, such as `anonymous`. */
            caller_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The cost so far of all its usage events. Only with `include=total_cost`. */
            total_cost?: string;
            last_transcript?: components["schemas"]["LastTranscript"] | null;
            analysis?: components["schemas"]["CallValues"];
        };
        /** @description A page of CallSummary items. */
        CallSummaryPage: {
            items: components["schemas"]["CallSummary"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description The agent is silent. Connect to `url` with `token` before `expires_at`; leave to give the call back. */
        CallTakenOver: {
            room_name: string;
            /** @description The URL to connect to with `token`. */
            url: string;
            /** @description Allows talking and listening in the room of this call only. Valid until `expires_at`. */
            token: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Whether this is the sandbox, which has no audio and no server at `url`. */
            is_simulated: boolean;
        };
        /** @description The duration of answered calls; null if there are none. */
        CallTimes: {
            mean_s: number;
            /** @description Accurate to within 2.4 %. */
            p50_s: number;
            /** @description Accurate to within 2.4 %. */
            p95_s: number;
        };
        /** @description All calls found. */
        CallTotal: {
            /** @description Number of calls that have ended. */
            calls: number;
            /** @description Number of these calls that were answered. */
            answered: number;
            /** @description `answered` divided by `calls`, from 0 to 1; null without calls. */
            answer_rate: number | null;
            ring: components["schemas"]["CallTimes"] | null;
            talk: components["schemas"]["CallTimes"] | null;
        };
        /** @description What its analyses have found, by field, as text of up to 200 characters; several values with semicolons between them. Only with `include=analysis`. */
        CallValues: {
            [key: string]: string;
        };
        /**
         * @description Values for the agent's texts, such as `{{name}}`. At most 64 values and 16 KiB of JSON.
         * @example {
         *       "name": "Ada",
         *       "order": 4711,
         *       "express": true
         *     }
         */
        CallVariables: {
            [key: string]: string | number | boolean;
        };
        /** @description The call is placed between these times. */
        CallWindow: {
            /** @description By the clocks there, such as `2026-01-16T09:00`. */
            earliest: string;
            latest: string;
            /** @description Default: that of the person, if it is certain. */
            time_zone?: string | null;
        };
        Callback: {
            /** @description The `webhook-id` of every attempt. */
            id: string;
            /** @description The call or chat; null for an event without one. */
            call_id: string | null;
            /** @description The webhook endpoint; null for the `callback_url` of the call. */
            endpoint_id: string | null;
            user_id: string;
            type: string;
            url: string;
            status: components["schemas"]["CallbackStatus"];
            /** @description The newest 50, in order. */
            attempts: components["schemas"]["CallbackAttempt"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            delivered_at: string | null;
        };
        CallbackAttempt: {
            /** Format: date-time */
            attempted_at: string;
            latency_ms: number;
            /** @description The status of the receiver’s response, if there was one. */
            response_status: number | null;
            /** @description `timeout`, `no_public_address` (an unknown host, or one that callbacks must not reach), `connection_failed`, `tls_failed`, or `not_signed` (the secret, or the body, cannot be decrypted). */
            error: string | null;
        };
        /**
         * @description The call as it was when the callback was queued.
         * @example {
         *       "call_id": "01980000-0000-7000-8000-000000000001",
         *       "status": "COMPLETED",
         *       "room_name": "call-01980000",
         *       "call_status": "COMPLETED",
         *       "call_direction": "OUTBOUND",
         *       "direction": "OUTBOUND",
         *       "outbound_phone_number": "+15005550100",
         *       "started_at": "2026-01-15T09:30:00.000Z",
         *       "ended_at": "2026-01-15T09:31:30.500Z",
         *       "duration": 90.5,
         *       "end_reason": "hangup",
         *       "sip_status_code": null,
         *       "answered_by": "human",
         *       "disposition": null,
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "agent_version": 4,
         *       "caller_number": null
         *     }
         */
        CallbackData: {
            call_id: string;
            status: components["schemas"]["SessionStatus"];
            room_name: string;
            call_status: components["schemas"]["CallStatus"] | null;
            call_direction: components["schemas"]["CallDirection"] | null;
            outbound_phone_number: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Seconds, with millisecond precision. */
            duration: number | null;
            direction: components["schemas"]["Direction"];
            end_reason: components["schemas"]["EndReason"] | null;
            sip_status_code: number | null;
            answered_by: components["schemas"]["AnsweredBy"] | null;
            disposition: string | null;
            agent_id: string | null;
            agent_version: number | null;
            /** @description The number of the caller, on an inbound call. */
            caller_number: string | null;
            transfer?: components["schemas"]["CallbackTransfer"];
        };
        /**
         * @description The payload that receivers get.
         * @example {
         *       "type": "call.completed",
         *       "timestamp": "2026-01-15T09:31:30.500Z",
         *       "data": {
         *         "call_id": "01980000-0000-7000-8000-000000000001",
         *         "status": "COMPLETED",
         *         "room_name": "call-01980000",
         *         "call_status": "COMPLETED",
         *         "call_direction": "OUTBOUND",
         *         "direction": "OUTBOUND",
         *         "outbound_phone_number": "+15005550100",
         *         "started_at": "2026-01-15T09:30:00.000Z",
         *         "ended_at": "2026-01-15T09:31:30.500Z",
         *         "duration": 90.5,
         *         "end_reason": "hangup",
         *         "sip_status_code": null,
         *         "answered_by": "human",
         *         "disposition": null,
         *         "agent_id": "01980000-0000-7000-8000-000000000000",
         *         "agent_version": 4,
         *         "caller_number": null
         *       }
         *     }
         */
        CallbackEvent: {
            /** @description `call.answered`, `call.completed`, … */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["CallbackData"];
        };
        /** @description A page of Callback items. */
        CallbackPage: {
            items: components["schemas"]["Callback"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description Verifies the `webhook-signature` header of callbacks (Standard Webhooks). */
        CallbackSecret: {
            secret: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Until then earlier secrets also sign: `webhook-signature` contains a signature by each.
             */
            previous_expires_at: string | null;
        };
        /**
         * @description `failed`: no longer retried, but kept; it can be redelivered.
         * @enum {string}
         */
        CallbackStatus: "pending" | "delivered" | "failed";
        /** @description The transfer that the callback reports. */
        CallbackTransfer: {
            transfer_type: components["schemas"]["TransferType"];
            transferred_to: string;
            /** @description Whether no worker had taken the call, so that it went to the fallback number. */
            fallback?: boolean;
            /** @description Whether the agent asks the target first. */
            attended?: boolean;
            reason?: components["schemas"]["EndReason"];
            sip_status_code?: number | null;
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000041",
         *       "name": "Renewals",
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "agent_version": null,
         *       "from_numbers": [],
         *       "pacing": {
         *         "max_concurrent": 20,
         *         "per_minute": 120,
         *         "reserve_for_others": 0.2
         *       },
         *       "retries": {
         *         "attempts": 3,
         *         "on": [
         *           "busy",
         *           "no_answer"
         *         ],
         *         "delays_s": [
         *           600,
         *           86400
         *         ],
         *         "spread": 0.1
         *       },
         *       "reached_by": [
         *         "answered"
         *       ],
         *       "reached_dispositions": null,
         *       "purpose": "service",
         *       "policy": null,
         *       "budget": "250",
         *       "circuit": {
         *         "failure_rate": 0.5,
         *         "window_s": 300,
         *         "min_calls": 20
         *       },
         *       "expires_at": null,
         *       "state": "running",
         *       "blocked": null,
         *       "abandonment": null,
         *       "spent": "12.5",
         *       "recipients": {
         *         "total": 3,
         *         "waiting": 1,
         *         "deferred": 0,
         *         "dialling": 0,
         *         "connected": 0,
         *         "reached": 2,
         *         "exhausted": 0,
         *         "suppressed": 0,
         *         "refused": 0,
         *         "expired": 0,
         *         "canceled": 0
         *       },
         *       "created_at": "2026-01-15T09:00:00.000Z",
         *       "started_at": "2026-01-15T09:30:00.000Z",
         *       "ended_at": null
         *     }
         */
        Campaign: {
            id: string;
            name: string;
            agent_id: string;
            agent_version: number | null;
            state: components["schemas"]["CampaignState"];
            blocked: components["schemas"]["CampaignBlock"] | null;
            abandonment: components["schemas"]["CampaignAbandonment"] | null;
            from_numbers: string[];
            pacing: components["schemas"]["PacingInUse"];
            retries: components["schemas"]["RetriesInUse"];
            reached_by: components["schemas"]["ReachedBy"][];
            reached_dispositions: string[] | null;
            purpose: components["schemas"]["Purpose"];
            policy: string | null;
            budget: string | null;
            /** @description What its ended calls have cost, by the ledger, until a day after each. Later corrections are in the cost reports alone. */
            spent: string;
            circuit: components["schemas"]["CampaignCircuit"] | null;
            /** Format: date-time */
            expires_at: string | null;
            recipients: components["schemas"]["RecipientCounts"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        /** @description Calls that people answered and no agent took, when it had its last turn. Null if its policy has no `max_abandoned_rate`. */
        CampaignAbandonment: {
            /** @description Calls that people answered and that have ended, within `days`. */
            answered: number;
            /** @description Those of them in which no agent was there in time. */
            abandoned: number;
            /** @description The share of these. */
            rate: number;
            /** @description The share that the policy allows. */
            max_rate: number;
            /** @description Days, by UTC and today included, over which they are counted. */
            days: number;
            /** @description Whether nobody is dialled because of it. */
            is_exceeded: boolean;
        };
        CampaignAttempt: {
            attempt: number;
            call_id: string;
            /** @description Null for users about whose calls nothing is decided. */
            decision_id: string | null;
            outcome: components["schemas"]["AttemptOutcome"] | null;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            ended_at: string | null;
        };
        /** @description Why a running campaign dials nobody; null if it does. */
        CampaignBlock: {
            reason: components["schemas"]["BlockReason"];
            /** Format: date-time */
            until: string | null;
        };
        /** @description Stops dialling while too many calls fail; once these are out of the window, it tries again. */
        CampaignCircuit: {
            /** @description Part of the calls that fail, are abandoned or interrupted. */
            failure_rate: number;
            /** @description Of the calls that ended in these seconds. */
            window_s: number;
            /** @description With fewer, nothing is concluded. */
            min_calls: number;
        };
        CampaignCreate: {
            name: string;
            pacing?: components["schemas"]["CampaignPacing"];
            /**
             * @description What its calls may cost, in the currency of the usage events. Null: any.
             * @example 0.000015
             */
            budget?: number | string | null;
            circuit?: components["schemas"]["CampaignCircuit"] | null;
            /**
             * Format: date-time
             * @description Nobody is dialled from then on. Null: never.
             */
            expires_at?: string | null;
            agent_id: string;
            /** @description A version of the agent. Null: whatever is released. */
            agent_version?: number | null;
            /** @description Caller IDs, each of an agent of the user; a recipient always sees the same. Default: the agent’s own. */
            from_numbers?: string[];
            retries?: components["schemas"]["CampaignRetries"];
            /** @description Default: `answered`. */
            reached_by?: components["schemas"]["ReachedBy"][];
            /** @description Only calls with one of these as `disposition` count as having reached somebody. A call waits up to 30 seconds for its disposition. Null: any disposition, or none. */
            reached_dispositions?: string[] | null;
            purpose?: components["schemas"]["Purpose"];
            /** @description A dial policy, in place of the one that the agent names. Null: as the agent says. */
            policy?: string | null;
        };
        /**
         * @description The campaign when the event was queued.
         * @example {
         *       "type": "campaign.completed",
         *       "timestamp": "2026-01-15T09:45:00.000Z",
         *       "data": {
         *         "id": "01980000-0000-7000-8000-000000000041",
         *         "name": "Renewals",
         *         "agent_id": "01980000-0000-7000-8000-000000000000",
         *         "agent_version": null,
         *         "from_numbers": [],
         *         "pacing": {
         *           "max_concurrent": 20,
         *           "per_minute": 120,
         *           "reserve_for_others": 0.2
         *         },
         *         "retries": {
         *           "attempts": 3,
         *           "on": [
         *             "busy",
         *             "no_answer"
         *           ],
         *           "delays_s": [
         *             600,
         *             86400
         *           ],
         *           "spread": 0.1
         *         },
         *         "reached_by": [
         *           "answered"
         *         ],
         *         "reached_dispositions": null,
         *         "purpose": "service",
         *         "policy": null,
         *         "budget": "250",
         *         "circuit": {
         *           "failure_rate": 0.5,
         *           "window_s": 300,
         *           "min_calls": 20
         *         },
         *         "expires_at": null,
         *         "state": "running",
         *         "blocked": null,
         *         "abandonment": null,
         *         "spent": "12.5",
         *         "recipients": {
         *           "total": 3,
         *           "waiting": 1,
         *           "deferred": 0,
         *           "dialling": 0,
         *           "connected": 0,
         *           "reached": 2,
         *           "exhausted": 0,
         *           "suppressed": 0,
         *           "refused": 0,
         *           "expired": 0,
         *           "canceled": 0
         *         },
         *         "created_at": "2026-01-15T09:00:00.000Z",
         *         "started_at": "2026-01-15T09:30:00.000Z",
         *         "ended_at": null
         *       }
         *     }
         */
        CampaignEvent: {
            /** @description `campaign.completed`, … */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["Campaign"];
        };
        CampaignPacing: {
            /** @description Calls at the same time. Default: 10. */
            max_concurrent?: number;
            /** @description Calls that start in a minute. Default: 60. */
            per_minute?: number;
            /** @description Share of the user’s concurrent, daily and burst limits, and of the calls that workers take, left to other calls. Default: 0.2. */
            reserve_for_others?: number;
        };
        /** @description A page of Campaign items. */
        CampaignPage: {
            items: components["schemas"]["Campaign"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        CampaignPreview: {
            /** @description Recipients that wait. */
            waiting: number;
            /** @description How many of them were decided: those that would be dialled first, up to 2000. */
            decided: number;
            /** @description Whether others wait. */
            is_sample: boolean;
            /** @description How many of those decided have the number of one before them: each is called once no other call is open. */
            same_number: number;
            /** @description Who may be dialled now. */
            now: number;
            /** @description From when on each may be dialled, by hour (UTC), pacing aside. */
            hours: components["schemas"]["PreviewHour"][];
            refused: number;
            /** @description The first 100. */
            refusals: components["schemas"]["PreviewRefusal"][];
        };
        CampaignRetries: {
            /** @description For each recipient at most. Default: 1. */
            attempts?: number;
            /** @description Default: `busy`, `no_answer`, `unavailable`, `failed`, `abandoned` and `interrupted`. */
            on?: components["schemas"]["RetryOn"][];
            /** @description Seconds after the first attempt, the second one, …; the last one for all later ones. Default: an hour. */
            delays_s?: number[];
            /** @description Part of a delay by which it varies at random. Default: 0.1. */
            spread?: number;
        };
        /**
         * @description `completed`: nobody is left to be dialled; recipients that are added make it run again.
         * @enum {string}
         */
        CampaignState: "draft" | "running" | "paused" | "completed" | "canceled";
        CampaignStats: {
            campaign_id: string;
            state: components["schemas"]["CampaignState"];
            recipients: components["schemas"]["RecipientCounts"];
            attempts: components["schemas"]["AttemptCounts"];
            spent: string;
            /**
             * Format: date-time
             * @description If it goes on as it has since it was started. Null unless it runs and somebody has finished.
             */
            estimated_end_at: string | null;
        };
        CampaignUpdate: {
            name?: string;
            pacing?: components["schemas"]["CampaignPacing"];
            /**
             * @description What its calls may cost, in the currency of the usage events. Null: any.
             * @example 0.000015
             */
            budget?: number | string | null;
            circuit?: components["schemas"]["CampaignCircuit"] | null;
            /**
             * Format: date-time
             * @description Nobody is dialled from then on. Null: never.
             */
            expires_at?: string | null;
            agent_id?: string;
            /** @description A version of the agent. Null: whatever is released. */
            agent_version?: number | null;
            /** @description Caller IDs, each of an agent of the user; a recipient always sees the same. Default: the agent’s own. */
            from_numbers?: string[];
            retries?: components["schemas"]["CampaignRetries"];
            /** @description Default: `answered`. */
            reached_by?: components["schemas"]["ReachedBy"][];
            /** @description Only calls with one of these as `disposition` count as having reached somebody. A call waits up to 30 seconds for its disposition. Null: any disposition, or none. */
            reached_dispositions?: string[] | null;
            purpose?: components["schemas"]["Purpose"];
            /** @description A dial policy, in place of the one that the agent names. Null: as the agent says. */
            policy?: string | null;
        };
        CarrierImport: {
            /** Format: date */
            date: string;
            /** @description The currency of all amounts (ISO 4217). */
            currency: string;
            /** @description Number of records of calls that began on the day and have ended. */
            records: number;
            /** @description Number of records booked by this request, because they or their prices are new. */
            imported: number;
            /** @description Number of records that the carrier has not billed yet: import the day again later. */
            pending: number;
            /** @description Number of records in another currency, which are not booked. */
            other_currency: number;
            /** @description The ledger’s amount before the import, for all lines with a record. */
            booked: string;
            /** @description The carrier’s amount for them, which is now also the ledger’s. */
            billed: string;
            difference: string;
            /** @description Up to 1,000 calls that differ, the largest difference first. */
            calls: components["schemas"]["ComparedCall"][];
            unmatched_records: components["schemas"]["UnmatchedCarrierRecords"];
            unmatched_lines: components["schemas"]["UnmatchedLines"];
        };
        /**
         * @description `record` keeps the answers of language models; `replay` answers with them, and asks nobody: it fails where a request was never recorded. Rules have no traffic, and are the same with each.
         * @enum {string}
         */
        CassetteMode: "passthrough" | "record" | "replay";
        /**
         * @description Without what the call is to be given, which is kept only until it is placed.
         * @example {
         *       "scheduled_call_id": "01980000-0000-7000-8000-000000000034",
         *       "status": "SCHEDULED",
         *       "call_id": null,
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "phone_number": "+15005550100",
         *       "due_at": "2026-01-16T14:00:00.000Z",
         *       "latest_at": "2026-01-16T17:00:00.000Z",
         *       "window": {
         *         "earliest": "2026-01-16T09:00",
         *         "latest": "2026-01-16T12:00",
         *         "time_zone": "America/New_York",
         *         "if_missed": "expire"
         *       },
         *       "reason": null,
         *       "detail": null,
         *       "booked_in": null,
         *       "callback_url": "https://example.com/calls",
         *       "created_at": "2026-01-15T09:30:00.000Z",
         *       "updated_at": "2026-01-15T09:30:00.000Z"
         *     }
         */
        ChangedScheduledCall: {
            /** @description The `call_id` that the request was answered with. */
            scheduled_call_id: string;
            status: components["schemas"]["ScheduledCallStatus"];
            /** @description The call, once it is placed. */
            call_id: string | null;
            agent_id: string;
            phone_number: string;
            /**
             * Format: date-time
             * @description When it is placed, or was to be.
             */
            due_at: string;
            /**
             * Format: date-time
             * @description From then on it is too late, or time for the next window.
             */
            latest_at: string;
            window: components["schemas"]["ScheduledHours"] | null;
            /** @description Why it was moved or has ended: the code of an error, such as `dial_deferred`; `canceled`, `replaced`, `missed` or `agent_not_found`. */
            reason: string | null;
            /** @description The same in words. */
            detail: string | null;
            /** @description The conversation in which the agent has booked it. */
            booked_in: string | null;
            callback_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Chat: {
            /** @description Its session has the same id. */
            chat_id: string;
            /** @enum {string} */
            direction: "CHAT";
            agent_id: string | null;
            /** @description The version of the agent that answers. */
            agent_version: number | null;
            user_id: string;
            /** @description `ACTIVE` or `COMPLETED`. */
            status: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Whether this is the sandbox, where rules answer instead of a model. */
            is_simulated: boolean;
            timeline: components["schemas"]["TimelineEntry"][];
        };
        /**
         * @description The answer of the agent, which is in the transcript too.
         * @example {
         *       "chat_id": "01980000-0000-7000-8000-000000000001",
         *       "message_id": "01980000-0000-7000-8000-000000000003",
         *       "in_reply_to": "01980000-0000-7000-8000-000000000002",
         *       "content": "We open at ten on Sundays.",
         *       "timestamp": "2026-01-15T09:30:01.000Z",
         *       "tool_calls": [
         *         {
         *           "call_id": "call_1",
         *           "name": "opening_hours",
         *           "arguments": {
         *             "day": "Sunday"
         *           },
         *           "result": "{\"opens\":\"10:00\"}",
         *           "is_error": false
         *         }
         *       ],
         *       "is_simulated": false
         *     }
         */
        ChatAnswer: {
            chat_id: string;
            message_id: string;
            /** @description The id of the message that it answers. */
            in_reply_to: string;
            content: string;
            /** Format: date-time */
            timestamp: string;
            /** @description Calls of tools that the worker has reported, in order. */
            tool_calls: components["schemas"]["ChatToolCall"][];
            is_simulated: boolean;
        };
        ChatCreate: {
            agent_id: string;
            /**
             * AgentVersionSource
             * @description The number of a version, or `draft`.
             */
            agent_version?: number | string;
            /**
             * Format: uri
             * @example https://example.com/calls
             */
            callback_url?: string | null;
            variables?: components["schemas"]["CallVariables"] | null;
            metadata?: components["schemas"]["CallMetadata"] | null;
        };
        /**
         * @description Sent once to each destination, after the end of a chat.
         * @example {
         *       "type": "chat.ended",
         *       "timestamp": "2026-01-15T09:32:30.000Z",
         *       "data": {
         *         "chat_id": "01980000-0000-7000-8000-000000000001",
         *         "direction": "CHAT",
         *         "agent_id": "01980000-0000-7000-8000-000000000000",
         *         "agent_version": 3,
         *         "user_id": "user-1",
         *         "status": "COMPLETED",
         *         "started_at": "2026-01-15T09:30:00.000Z",
         *         "ended_at": "2026-01-15T09:32:00.000Z",
         *         "duration": 120,
         *         "end_reason": "hangup",
         *         "metadata": {
         *           "crm_id": "C-17"
         *         },
         *         "costs": {
         *           "total_cost": "0.00075",
         *           "by_event_type": {
         *             "llm_tokens": "0.00075"
         *           },
         *           "by_provider": {
         *             "openai": "0.00075"
         *           }
         *         }
         *       }
         *     }
         */
        ChatEnded: {
            /** @description `chat.ended`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["ChatEndedData"];
        };
        /**
         * @description A chat that has ended. `GET /api/sessions/{session_id}/transcripts` returns its messages.
         * @example {
         *       "chat_id": "01980000-0000-7000-8000-000000000001",
         *       "direction": "CHAT",
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "agent_version": 3,
         *       "user_id": "user-1",
         *       "status": "COMPLETED",
         *       "started_at": "2026-01-15T09:30:00.000Z",
         *       "ended_at": "2026-01-15T09:32:00.000Z",
         *       "duration": 120,
         *       "end_reason": "hangup",
         *       "metadata": {
         *         "crm_id": "C-17"
         *       },
         *       "costs": {
         *         "total_cost": "0.00075",
         *         "by_event_type": {
         *           "llm_tokens": "0.00075"
         *         },
         *         "by_provider": {
         *           "openai": "0.00075"
         *         }
         *       }
         *     }
         */
        ChatEndedData: {
            /** @description Its session has the same id. */
            chat_id: string;
            /** @enum {string} */
            direction: "CHAT";
            agent_id: string | null;
            /** @description The version of the agent that answers. */
            agent_version: number | null;
            user_id: string;
            /** @description `ACTIVE` or `COMPLETED`. */
            status: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description In seconds. */
            duration: number | null;
            end_reason: components["schemas"]["EndReason"] | null;
            metadata: components["schemas"]["JsonObject"];
            costs: components["schemas"]["CallCosts"];
        };
        ChatFork: {
            /** @description The last message to copy, of either side; null for none. */
            to_message?: string | null;
            /**
             * AgentVersionSource
             * @description The number of a version, or `draft`.
             */
            agent_version?: number | string;
        };
        ChatMessageCreate: {
            content: string;
        };
        ChatRewind: {
            /** @description The last message to stay, of either side; null for none. */
            to_message: string | null;
        };
        ChatToolCall: {
            /** @description Tells the calls of a turn apart. */
            call_id: string;
            name: string;
            arguments: components["schemas"]["JsonObject"];
            /** @description What the model gets. */
            result: string | null;
            is_error: boolean;
        };
        /** @description The payload of a task of the kind `chat_turn`. */
        ChatTurn: {
            chat_id: string;
            user_id: string;
            agent_id: string;
            agent_version: number | null;
            agent_name: string;
            config: components["schemas"]["JsonObject"];
            variables: components["schemas"]["CallVariables"];
            metadata: components["schemas"]["CallMetadata"];
            /** @description All messages, the oldest first. The last one is to be answered. */
            messages: {
                speaker: components["schemas"]["Speaker"];
                content: string;
                /** @description Of an answer: the calls of tools before it, in order. Absent if it had none, or too long ago. */
                tool_calls?: components["schemas"]["ChatToolCall"][];
            }[];
        };
        /** @description The result of a task of the kind `chat_turn`. */
        ChatTurnResult: {
            content: string;
        };
        Check: {
            check: string;
            state: components["schemas"]["CheckState"];
            /** @description The finding, with the remedy for a failure. */
            text: string;
        };
        /**
         * @description `not_checked`: it could not be determined, or there is nothing to check; `text` says which.
         * @enum {string}
         */
        CheckState: "ok" | "failed" | "not_checked";
        ClaimedTasks: {
            tasks: components["schemas"]["Task"][];
        };
        /** @description The worker of the call has accepted it, and does it now. */
        CommandAccepted: {
            call_id: string;
        };
        /** @description A line whose bill differs from the ledger. */
        ComparedCall: {
            session_id: string;
            carrier_call_sid: string;
            /** Format: date-time */
            started_at: string;
            duration_s: number;
            /** @description The ledger’s amount before the record was imported. */
            booked: string;
            billed: string;
            /** @description `billed` minus `booked`. */
            difference: string;
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000032",
         *       "phone_number": "+15005550199",
         *       "purpose": "marketing",
         *       "kind": "express_written",
         *       "text": "Yes, call me about offers.",
         *       "obtained_at": "2026-01-15T09:30:00.000Z",
         *       "channel": "web form",
         *       "evidence_url": null,
         *       "created_at": "2026-01-15T09:30:00.000Z",
         *       "revoked_at": null
         *     }
         */
        Consent: {
            id: string;
            phone_number: string;
            purpose: components["schemas"]["Purpose"];
            /** @description For example `express_written`. */
            kind: string;
            /** @description What was agreed to, in its words. */
            text: string;
            /** @description How it was obtained. */
            channel: string;
            /** Format: date-time */
            obtained_at: string;
            evidence_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            revoked_at: string | null;
        };
        /** @description A page of Consent items. */
        ConsentPage: {
            items: components["schemas"]["Consent"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        ConsentPost: {
            /** @example +15005550100 */
            phone_number: string;
            purpose: components["schemas"]["Purpose"];
            /** @description For example `express_written`. */
            kind: string;
            /** @description What was agreed to, in its words. */
            text: string;
            /** @description How it was obtained. */
            channel: string;
            /** Format: date-time */
            obtained_at: string;
            /** @description Where it is kept. */
            evidence_url?: string | null;
        };
        ConsentRule: {
            /** @description ISO 3166-1, for example `DE`. */
            country?: string;
            /** @description ISO 3166-2 without the country, for example `TX`. */
            region?: string;
            purpose: components["schemas"]["Purpose"];
            /** @description Where the rule comes from: a law, a page, a date. */
            source?: string;
        };
        /**
         * @description What has to happen before the first sample is taken. `none`: nothing. `stay_on_line`: the message is said. `verbal`: the message is said, and answered with yes; it needs speech recognition, so not with `realtime`. `dtmf`: the message is said, and 1 is pressed.
         * @default none
         * @enum {string}
         */
        ConsentType: "none" | "stay_on_line" | "verbal" | "dtmf";
        /**
         * @description The role of the sign-in; null in open mode.
         * @enum {string}
         */
        ConsoleRole: "viewer" | "supervisor" | "user" | "service" | "admin";
        ConsoleSession: {
            auth_mode: components["schemas"]["AuthMode"];
            role: components["schemas"]["ConsoleRole"] | null;
            /** @description The user that the sign-in is bound to; null for all users. */
            user_id: string | null;
            /** @description The operations that the caller may use, by their `operationId`: those of its role and its scopes. */
            operations: string[];
            /** Format: date-time */
            expires_at: string | null;
            /** @description Whether phones are simulated. */
            is_media_simulated: boolean;
            /** @description Whether the carrier is simulated. */
            is_carrier_simulated: boolean;
            /** @description The currency of all amounts (ISO 4217). */
            currency: string;
        };
        ConsoleSignIn: {
            /** @description A key of any role but `worker`. */
            api_key: string;
        };
        /** @description Cost by event type. */
        CostByEventType: {
            [key: string]: string;
        };
        /** @description Cost by provider. */
        CostByProvider: {
            [key: string]: string;
        };
        /** @description The costs of one group, with the fields requested in `group_by`; null: entries without a value. */
        CostGroup: {
            /** Format: date */
            day?: string;
            /**
             * Format: date
             * @description The Monday of the week.
             */
            week?: string;
            /**
             * Format: date
             * @description The first day of the month.
             */
            month?: string;
            user_id?: string;
            agent_id?: string | null;
            /** @description `Unknown` for an agent that the service does not know; null for none. */
            agent_name?: string | null;
            /** @description The version of the agent; null for entries without one. */
            agent_version?: number | null;
            provider?: string;
            model?: string | null;
            event_type?: components["schemas"]["LedgerEventType"];
            direction?: components["schemas"]["Direction"] | null;
            /** @description Null unless the report is grouped or filtered by `event_type`, because units differ. */
            quantity: string | null;
            total_cost: string;
            /** @description Entries of the ledger: events, and entries that price or correct them. */
            events: number;
            /** @description Number of events without a price, which count as 0. */
            unpriced_events: number;
        };
        /**
         * @default call
         * @enum {string}
         */
        CostPurpose: "call" | "test" | "all";
        /**
         * @description A page of the groups, and the sums of all groups as of the first page.
         * @example {
         *       "currency": "USD",
         *       "total_cost": "1.20075",
         *       "events": 3,
         *       "unpriced": {
         *         "events": 1,
         *         "kinds": [
         *           {
         *             "provider": "openai",
         *             "model": "gpt-4o-mini",
         *             "event_type": "llm_input_tokens",
         *             "events": 1
         *           }
         *         ]
         *       },
         *       "items": [
         *         {
         *           "month": "2026-01-01",
         *           "event_type": "llm_input_tokens",
         *           "quantity": "5250",
         *           "total_cost": "0.00075",
         *           "events": 2,
         *           "unpriced_events": 1
         *         },
         *         {
         *           "month": "2026-01-01",
         *           "event_type": "telephony_minutes",
         *           "quantity": "12",
         *           "total_cost": "1.2",
         *           "events": 1,
         *           "unpriced_events": 0
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        CostReport: {
            /** @description The currency of all amounts (ISO 4217). */
            currency: string;
            total_cost: string;
            /** @description Entries of the ledger: events, and entries that price or correct them. */
            events: number;
            unpriced: components["schemas"]["UnpricedCosts"];
            /** @description A page of the groups, sorted by their keys. */
            items: components["schemas"]["CostGroup"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        CostSummary: {
            total_cost: string;
            this_month_cost: string;
            by_provider: components["schemas"]["CostByProvider"];
        };
        DecisionEvidence: {
            /** @description `switchboard.decision-evidence`. */
            kind: string;
            /** @description 1. */
            format: number;
            decision: components["schemas"]["EvidenceDecision"];
            /** @description The version that it was made by, if there is one. */
            policies: components["schemas"]["EvidencePolicy"][];
            /** @description Of the number, from before the decision. */
            consents: components["schemas"]["Consent"][];
            /** Format: date-time */
            issued_at: string;
            /** @description Of `GET /.well-known/switchboard-evidence.json`. */
            key_id: string;
            chain: components["schemas"]["EvidenceChain"];
            /** @description Ed25519, in hexadecimal, of the bytes of the response without `,"signature":"…"`. */
            signature: string;
        };
        Diagnosis: {
            checks: components["schemas"]["Check"][];
            /** @description False if the checks timed out after a minute. */
            is_complete: boolean;
        };
        DialCheck: {
            outcome: components["schemas"]["DialOutcome"];
            /** Format: date-time */
            not_before: string | null;
            /** @description Empty if it is allowed. */
            reasons: components["schemas"]["DialReason"][];
            policy: string | null;
            policy_version: number | null;
            inputs: components["schemas"]["JsonObject"];
            /** @description SHA-256, in hexadecimal, of the inputs as canonical JSON (RFC 8785). Inputs without `format` are from earlier releases, which hashed another form. */
            inputs_hash: string;
            /** Format: date-time */
            evaluated_at: string;
        };
        DialCheckRequest: {
            agent_id: string;
            /** @example +15005550100 */
            phone_number: string;
            purpose?: components["schemas"]["Purpose"] | null;
            /** @description Of the person, for example `Europe/Berlin`. Default: by `region`, otherwise by the prefix of the number. */
            time_zone?: string | null;
            /** @description Country, or country and region, of the person by ISO 3166: `DE`, `US-TX`. */
            region?: string | null;
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000033",
         *       "call_id": null,
         *       "kind": "call",
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "phone_number": "+15005550100",
         *       "purpose": "marketing",
         *       "outcome": "defer",
         *       "not_before": "2026-01-15T14:00:00.000Z",
         *       "reasons": [
         *         {
         *           "rule": "window",
         *           "detail": "It is 04:30 on 2026-01-15 in America/New_York, outside of the hours.",
         *           "source": "policy office-hours, version 1"
         *         }
         *       ],
         *       "policy": "office-hours",
         *       "policy_version": 1,
         *       "inputs": {
         *         "format": 2,
         *         "purpose": "marketing"
         *       },
         *       "inputs_hash": "b6f360ea811725f0e6ec1c7d3437fc72edcff91e44153d96ced7e5642f3635df",
         *       "evaluated_at": "2026-01-15T09:30:00.000Z"
         *     }
         */
        DialDecision: {
            id: string;
            /** @description Null for a call that was not placed. */
            call_id: string | null;
            kind: components["schemas"]["DialKind"];
            agent_id: string | null;
            phone_number: string;
            purpose: components["schemas"]["Purpose"];
            outcome: components["schemas"]["DialOutcome"];
            /** Format: date-time */
            not_before: string | null;
            /** @description Empty if it is allowed. */
            reasons: components["schemas"]["DialReason"][];
            policy: string | null;
            policy_version: number | null;
            inputs: components["schemas"]["JsonObject"];
            /** @description SHA-256, in hexadecimal, of the inputs as canonical JSON (RFC 8785). Inputs without `format` are from earlier releases, which hashed another form. */
            inputs_hash: string;
            /** Format: date-time */
            evaluated_at: string;
        };
        /** @description A page of DialDecision items. */
        DialDecisionPage: {
            items: components["schemas"]["DialDecision"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        DialHoliday: {
            /** @description ISO 3166-1, for example `DE`. */
            country?: string;
            /** @description ISO 3166-2 without the country, for example `TX`. */
            region?: string;
            /** @description Absent: all. */
            purposes?: components["schemas"]["Purpose"][];
            /** @description Where the rule comes from: a law, a page, a date. */
            source?: string;
            /** @description `2026-12-25`, or `12-25` for every year. Nobody is called on it. */
            date: string;
            name?: string;
        };
        /**
         * @description Of the rules, only suppressions apply to transfers.
         * @enum {string}
         */
        DialKind: "call" | "transfer";
        /**
         * @description `defer`: allowed at `not_before`.
         * @enum {string}
         */
        DialOutcome: "allow" | "defer" | "deny";
        DialPolicy: {
            name: string;
            /** @description Each change of rules makes a new one; versions never change. */
            version: number;
            is_default: boolean;
            rules: components["schemas"]["DialRules"];
            /**
             * Format: date-time
             * @description Of this version.
             */
            created_at: string;
        };
        DialPolicyList: {
            policies: components["schemas"]["DialPolicy"][];
            presets: components["schemas"]["DialPreset"][];
        };
        DialPolicyPut: {
            /** @description When phones may ring. Of the windows for a person’s region, country, and everybody, the first of these that there are apply; without any, any time is allowed. */
            windows?: components["schemas"]["DialWindow"][];
            /** @description Days without calls. */
            holidays?: components["schemas"]["DialHoliday"][];
            /** @description At most so many calls to one number in a period, whatever came of them. */
            max_attempts?: components["schemas"]["AttemptLimit"][];
            /** @description Seconds between two calls to one number. */
            min_gap_s?: number | null;
            /** @description Purposes for which there must be a consent. */
            requires_consent?: components["schemas"]["ConsentRule"][];
            unknown_zone?: components["schemas"]["UnknownZone"];
            /** @description Part of the calls of a campaign that people answer and no agent takes in time, at most: beyond it, the campaign dials nobody (`blocked.reason` is `policy`). */
            max_abandoned_rate?: number | null;
            /** @description Seconds after the answer in which an agent is in time; 2 by default. */
            abandoned_after_s?: number | null;
            /** @description Days, by UTC, over which they are counted; 30 by default. */
            abandoned_days?: number | null;
            /** @description Where the rule comes from: a law, a page, a date. */
            abandoned_source?: string;
            preset?: components["schemas"]["PresetName"];
            /** @description Whether it applies to agents that name none. At most one policy is the default. */
            is_default?: boolean;
        };
        /**
         * @example {
         *       "name": "us-federal",
         *       "label": "United States, federal law",
         *       "date": "2026-11-26",
         *       "rules": {
         *         "windows": [
         *           {
         *             "country": "US",
         *             "days": [
         *               "mon",
         *               "tue",
         *               "wed",
         *               "thu",
         *               "fri"
         *             ],
         *             "from": "09:00",
         *             "to": "18:00"
         *           }
         *         ],
         *         "max_attempts": [
         *           {
         *             "count": 3,
         *             "days": 7
         *           }
         *         ],
         *         "min_gap_s": 14400
         *       }
         *     }
         */
        DialPreset: {
            name: components["schemas"]["PresetName"];
            label: string;
            /** @description When its rules were written down. Read the sources before you rely on them. */
            date: string;
            rules: components["schemas"]["DialRules"];
        };
        DialReason: {
            /** @description `suppression`, `consent`, `window`, `max_attempts`, `min_gap`, `zone`, `policy`. */
            rule: string;
            /** @description For people. */
            detail: string;
            /** @description Where the rule comes from: as it says itself, otherwise the policy. */
            source: string;
        };
        /** @description With `dial_denied` and `dial_deferred`: why, and until when. */
        DialRefusal: {
            id: string;
            /** @description `deny` or `defer`. */
            outcome: string;
            /** Format: date-time */
            not_before: string | null;
            reasons: components["schemas"]["RefusalReason"][];
        };
        DialRules: {
            /** @description When phones may ring. Of the windows for a person’s region, country, and everybody, the first of these that there are apply; without any, any time is allowed. */
            windows?: components["schemas"]["DialWindow"][];
            /** @description Days without calls. */
            holidays?: components["schemas"]["DialHoliday"][];
            /** @description At most so many calls to one number in a period, whatever came of them. */
            max_attempts?: components["schemas"]["AttemptLimit"][];
            /** @description Seconds between two calls to one number. */
            min_gap_s?: number | null;
            /** @description Purposes for which there must be a consent. */
            requires_consent?: components["schemas"]["ConsentRule"][];
            unknown_zone?: components["schemas"]["UnknownZone"];
            /** @description Part of the calls of a campaign that people answer and no agent takes in time, at most: beyond it, the campaign dials nobody (`blocked.reason` is `policy`). */
            max_abandoned_rate?: number | null;
            /** @description Seconds after the answer in which an agent is in time; 2 by default. */
            abandoned_after_s?: number | null;
            /** @description Days, by UTC, over which they are counted; 30 by default. */
            abandoned_days?: number | null;
            /** @description Where the rule comes from: a law, a page, a date. */
            abandoned_source?: string;
        };
        DialWindow: {
            /** @description ISO 3166-1, for example `DE`. */
            country?: string;
            /** @description ISO 3166-2 without the country, for example `TX`. */
            region?: string;
            /** @description Absent: all. */
            purposes?: components["schemas"]["Purpose"][];
            /** @description Where the rule comes from: a law, a page, a date. */
            source?: string;
            days: components["schemas"]["Weekday"][];
            /** @description In the time of the person. */
            from: string;
            /** @description The first minute after it; at most `24:00`. */
            to: string;
        };
        /**
         * @description INBOUND: a phone called. OUTBOUND: the service dialled. WEB: a browser. For `WEB`, `call_direction` is null.
         * @enum {string}
         */
        Direction: "INBOUND" | "OUTBOUND" | "WEB";
        /**
         * @description The first words of an outbound call (`compliance.disclosure`). The first report of a call counts.
         * @example {
         *       "text": "This is an AI calling.",
         *       "started_at": "2026-01-15T09:30:02.000Z",
         *       "is_complete": true
         *     }
         */
        DisclosureReport: {
            /** @description As it was said. */
            text: string;
            /**
             * Format: date-time
             * @description When the agent began to say it.
             */
            started_at: string;
            /** @description Whether it was said to its end. If not, the person hung up or the voice failed. */
            is_complete: boolean;
        };
        /**
         * @description Why a call, or an attempt to transfer it, ended.
         * @enum {string}
         */
        EndReason: "busy" | "declined" | "no_answer" | "unavailable" | "invalid_number" | "canceled" | "interrupted" | "trunk_rejected" | "trunk_failure" | "trunk_not_found" | "media_failure" | "media_lost" | "provider_unavailable" | "provider_refused" | "provider_timeout" | "internal_error" | "hangup" | "ended_by_user" | "ended_by_agent" | "transferred" | "room_ended" | "max_duration" | "agent_never_joined" | "browser_never_joined" | "call_ended" | "voicemail" | "screening" | "budget_exceeded";
        ErasedUser: {
            /** @description The user_id under which the costs are kept. */
            pseudonym: string;
            /** Format: date-time */
            erased_at: string;
        };
        /**
         * @description Stable, for use in code.
         * @enum {string}
         */
        ErrorCode: "bad_request" | "body_incomplete" | "unauthenticated" | "user_required" | "invalid_signature" | "budget_exceeded" | "role_not_allowed" | "scope_not_allowed" | "origin_not_allowed" | "quota_exceeded" | "wrong_user" | "destination_not_allowed" | "calling_disabled" | "host_not_allowed" | "not_found" | "route_not_found" | "number_not_owned" | "agent_inactive" | "agent_is_gated" | "gate_not_passed" | "call_not_ended" | "agent_absent" | "agent_taken_over" | "agent_busy" | "command_unsupported" | "no_previous_release" | "too_many_agents" | "number_limit_reached" | "too_many_webhook_endpoints" | "no_transcript" | "too_many_backfills" | "too_many_extractors" | "too_many_policies" | "dial_denied" | "dial_deferred" | "too_many_scheduled" | "not_scheduled" | "call_back_not_allowed" | "not_proposed" | "campaign_state" | "too_many_campaigns" | "too_many_recipients" | "too_many_tests" | "agent_has_number" | "external_key_taken" | "number_taken" | "number_without_voice" | "no_number_assigned" | "number_busy" | "sign_in_not_needed" | "keys_not_needed" | "room_taken" | "session_not_active" | "user_active" | "erasure_in_progress" | "secret_unreadable" | "secrets_overlap" | "session_over" | "session_ended" | "idempotency_in_progress" | "turn_in_progress" | "chat_full" | "turn_full" | "lease_lost" | "legal_hold" | "transfer_in_progress" | "doctor_in_progress" | "no_transfer_in_progress" | "too_many_transfers" | "too_many_phones" | "changed_meanwhile" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "headers_too_large" | "expectation_failed" | "too_many_calls" | "too_many_test_runs" | "too_many_streams" | "too_many_uploads" | "too_many_exports" | "too_many_requests" | "internal_error" | "transfer_failed" | "provider_refused" | "provider_answer_invalid" | "database_unavailable" | "database_full" | "no_temporary_space" | "turn_unanswered" | "no_worker" | "overloaded" | "provider_unavailable" | "provider_timeout";
        /**
         * @description What was used, and in which unit.
         * @enum {string}
         */
        EventType: "stt_minutes" | "llm_tokens" | "tts_characters";
        /** @description Its settings at the version that the call had. */
        EvidenceAgent: {
            agent_id: string;
            agent_version: number | null;
            /** @description The dial policy that it names. */
            policy: string | null;
            /** @description What it had to say first, with `{{name}}` for variables. */
            disclosure: string | null;
            /** @description Whether the service listened for people who want no more calls. Null: the version is not kept, as of an agent that was deleted, and neither are its other settings. */
            opt_out: boolean | null;
            /** @description What had to happen before it was recorded. Null: it was not to be. */
            recording_consent: string | null;
        };
        EvidenceCall: {
            call_id: string;
            user_id: string;
            direction: components["schemas"]["Direction"];
            from_number: string | null;
            to_number: string | null;
            /** @description `call_status`. */
            status: string;
            answered_by: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was answered.
             */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            end_reason: string | null;
            sip_status_code: number | null;
        };
        EvidenceChain: {
            /** @description The number of the document among those of the user, from 1. */
            position: number;
            /** @description SHA-256 of the bytes of the document before it. */
            previous: string | null;
        };
        EvidenceDecision: {
            id: string;
            /** @description Null for a call that was not placed. */
            call_id: string | null;
            kind: components["schemas"]["DialKind"];
            agent_id: string | null;
            phone_number: string;
            purpose: components["schemas"]["Purpose"];
            outcome: components["schemas"]["DialOutcome"];
            /** Format: date-time */
            not_before: string | null;
            /** @description Empty if it is allowed. */
            reasons: components["schemas"]["DialReason"][];
            policy: string | null;
            policy_version: number | null;
            inputs: components["schemas"]["JsonObject"];
            /** @description SHA-256, in hexadecimal, of the inputs as canonical JSON (RFC 8785). Inputs without `format` are from earlier releases, which hashed another form. */
            inputs_hash: string;
            /** Format: date-time */
            evaluated_at: string;
            user_id: string;
        };
        /** @description What the agent said first, and when it began. */
        EvidenceDisclosure: {
            text: string;
            /** Format: date-time */
            started_at: string;
            is_complete: boolean;
        };
        EvidenceKey: {
            /** @description `OKP`. */
            kty: string;
            /** @description `Ed25519`. */
            crv: string;
            /** @description `sig`. */
            use: string;
            /** @description The thumbprint of the key (RFC 7638). */
            kid: string;
            /** @description The 32 bytes of the public key, in base64url. */
            x: string;
            /** Format: date-time */
            created_at: string;
        };
        EvidenceKeySet: {
            /** @description The newest signs. */
            keys: components["schemas"]["EvidenceKey"][];
        };
        /** @description Somebody on the phone asked not to be called any more. */
        EvidenceOptOut: {
            /** Format: date-time */
            asked_at: string;
            noticed_by: components["schemas"]["OptOutNoticedBy"];
            transcript_id: string | null;
            /** @description What was said. Null once the transcript is deleted. */
            words: string | null;
            /** @description As of suppressions. */
            scope: string;
            scope_id: string;
            /** @description False for a caller who withholds the number. */
            is_suppressed: boolean;
        };
        /** @description The version of a policy that a decision was made by. */
        EvidencePolicy: {
            name: string;
            version: number;
            rules: components["schemas"]["JsonObject"] | null;
            /** Format: date-time */
            created_at: string | null;
        };
        EvidenceRecording: {
            recording_id: string;
            /** @description `refused`: there was no consent, and nothing was recorded. */
            state: string;
            channels: string;
            /** Format: date-time */
            asked_at: string;
            /**
             * Format: date-time
             * @description The time of the first sample, which follows the consent.
             */
            started_at: string | null;
            sha256: string | null;
        };
        Extractor: {
            id: string;
            user_id: string;
            name: string;
            /** @description Its content never changes. */
            version: number;
            schema: components["schemas"]["JsonObject"];
            /** @description For the model, in addition to the descriptions of the fields. */
            instructions: string;
            model: components["schemas"]["ExtractorModel"] | null;
            when: components["schemas"]["ExtractorWhen"];
            /** @description The share of these calls that is analysed. Which ones, their ids decide. */
            sample: number;
            weights: components["schemas"]["ExtractorWeights"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When this version was made.
             */
            updated_at: string;
        };
        /** @description The language model, as `llm` of an agent names it; null: that of the agent. */
        ExtractorModel: {
            provider?: components["schemas"]["LlmProvider"];
            /** @description The model, by the name that the provider gives it. */
            model?: string;
            temperature?: number;
            max_tokens?: number;
            /**
             * @description An address that speaks the protocol of the provider. The worker decides which ones it may use.
             * @example http://127.0.0.1:11434/v1
             */
            base_url?: string;
            /** @description Passed to the plugin of the provider unchanged. */
            options?: {
                [key: string]: unknown;
            };
        };
        /** @description A page of Extractor items. */
        ExtractorPage: {
            items: components["schemas"]["Extractor"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        ExtractorPut: {
            /** @description By which agents name it. What is saved under the name of another one is its next version. */
            name: string;
            schema: components["schemas"]["JsonObject"];
            /**
             * @description For the model, in addition to the descriptions of the fields.
             * @default
             */
            instructions?: string;
            model?: components["schemas"]["ExtractorModel"] | null;
            when?: components["schemas"]["ExtractorWhen"];
            /**
             * @description The share of these calls that is analysed. Which ones, their ids decide.
             * @default 1
             */
            sample?: number;
            weights?: components["schemas"]["ExtractorWeights"];
        };
        /** @description A scorecard: weights of boolean fields, and of numbers with `minimum` and `maximum`. The score of a call is the weighted mean of those that are known, from 0 to 1. */
        ExtractorWeights: {
            [key: string]: number;
        };
        /** @description Which calls are analysed; by default all that have a transcript. */
        ExtractorWhen: {
            direction?: components["schemas"]["Direction"];
            answered_by?: components["schemas"]["AnsweredBy"];
            /** @description Seconds from the answer to the end of the call. */
            min_duration_s?: number;
        };
        /** @enum {string} */
        FailOverReason: "error" | "timeout" | "rate_limit";
        /**
         * @description Set in an entry about a model; the state has not changed.
         * @example {
         *       "kind": "llm",
         *       "from": "openai/gpt-4.1-mini",
         *       "to": "groq/llama-3.3-70b",
         *       "reason": "rate_limit"
         *     }
         */
        FailedOver: {
            kind: components["schemas"]["ModelKind"];
            /** @description The model that failed, as provider and model. */
            from: string;
            /** @description The model that took over, as provider and model. */
            to: string;
            reason: components["schemas"]["FailedOverReason"];
        };
        FailedOverCreate: {
            /** @description A UUID that the worker chooses. Sending an entry again has no effect. */
            id: string;
            kind: components["schemas"]["ModelKind"];
            /** @description The model that failed, as provider and model. */
            from: string;
            /** @description The model that took over, as provider and model. */
            to: string;
            reason: components["schemas"]["FailedOverReason"];
            /**
             * Format: date-time
             * @description When; now by default.
             */
            at?: string;
        };
        /**
         * @description Why the model counts as failed.
         * @enum {string}
         */
        FailedOverReason: "error" | "timeout" | "rate_limit";
        FailedOverReported: {
            /** @description False if it was known, or if the timeline has too many of them. */
            added: boolean;
        };
        /** @description Why a request was refused. */
        Failure: {
            /** @description A message for people. It may change. */
            detail: string;
            code: components["schemas"]["ErrorCode"];
            decision?: components["schemas"]["DialRefusal"];
            /** @description With `gate_not_passed`: the test run that has not passed, if there is one. */
            test_run_id?: string;
            /** @description On 5xx: identifies the request in the service’s log. */
            request_id?: string;
        };
        FunctionCheck: {
            outcome: components["schemas"]["FunctionCheckOutcome"];
            reason: components["schemas"]["FunctionCheckReason"] | null;
            /** @description What the worker says. */
            detail: string | null;
            request: components["schemas"]["FunctionCheckRequest"] | null;
            response: components["schemas"]["FunctionCheckResponse"] | null;
            /** @description Until the whole answer. */
            latency_ms: number | null;
            /** @description The worker that has called it, or `unknown`. */
            worker: string;
            /** @description Whether this is the sandbox, which shows the request and calls nobody. */
            is_simulated: boolean;
        };
        /** @description A function, as in an agent’s `config.tools.functions`, and values to call it with. */
        FunctionCheckCreate: {
            function: {
                name: string;
                /** @description What it does, for the model. */
                description: string;
                /** @description Receives the arguments, signed in the Standard Webhooks format. `{{name}}` behind the host is the variable or argument of that name, encoded. */
                url: string;
                method?: components["schemas"]["FunctionMethod"];
                /** @description Beside those of the signature. `{{name}}` is a variable or argument. */
                headers?: {
                    [key: string]: string;
                };
                /** @description JSON in place of `{name, arguments, session_id, agent_id, user_id}`. `{{name}}` is a variable or argument: as JSON, or as text inside quotes. */
                body?: string;
                /** @description The arguments as a JSON schema of type `object`. */
                parameters?: {
                    /** @enum {unknown} */
                    type: "object";
                } & {
                    [key: string]: unknown;
                };
                /** @default 10 */
                timeout_s?: number;
            };
            arguments?: components["schemas"]["JsonObject"];
            variables?: components["schemas"]["JsonObject"];
        };
        /**
         * @description Whether a model would have got an answer.
         * @enum {string}
         */
        FunctionCheckOutcome: "ok" | "failed";
        /**
         * @description Why it failed: the worker has no `FUNCTIONS_SECRET`; cannot make a request of these values; may not connect to a private address; cannot connect; got no answer in time, one that is too long, or one with a status that is not from 200 to 299; or anything else.
         * @enum {string}
         */
        FunctionCheckReason: "no_secret" | "wrong_config" | "not_public" | "unreachable" | "timeout" | "too_long" | "status" | "error";
        /** @description What was sent; null if nothing. */
        FunctionCheckRequest: {
            method: string;
            url: string;
            /** @description Without the values of secrets. */
            headers: components["schemas"]["ShownHeader"][];
            body: string;
        };
        /** @description What came back; null if nothing. */
        FunctionCheckResponse: {
            status: number;
            /** @description Without the values of secrets. */
            headers: components["schemas"]["ShownHeader"][];
            body: string;
            /** @description Whether the body is longer. */
            is_cut: boolean;
        };
        /** @description The result of a task of the kind `function_check`. */
        FunctionCheckResult: {
            outcome: components["schemas"]["FunctionCheckOutcome"];
            reason: components["schemas"]["FunctionCheckReason"] | null;
            /** @description What the worker says. */
            detail: string | null;
            request: components["schemas"]["FunctionCheckRequest"] | null;
            response: components["schemas"]["FunctionCheckResponse"] | null;
            /** @description Until the whole answer. */
            latency_ms: number | null;
            /** @description The worker that has called it, or `unknown`. */
            worker: string;
        };
        /** @description The payload of a task of the kind `function_check`. */
        FunctionCheckTask: {
            function: {
                name: string;
                /** @description What it does, for the model. */
                description: string;
                /** @description Receives the arguments, signed in the Standard Webhooks format. `{{name}}` behind the host is the variable or argument of that name, encoded. */
                url: string;
                method?: components["schemas"]["FunctionMethod"];
                /** @description Beside those of the signature. `{{name}}` is a variable or argument. */
                headers?: {
                    [key: string]: string;
                };
                /** @description JSON in place of `{name, arguments, session_id, agent_id, user_id}`. `{{name}}` is a variable or argument: as JSON, or as text inside quotes. */
                body?: string;
                /** @description The arguments as a JSON schema of type `object`. */
                parameters?: {
                    /** @enum {unknown} */
                    type: "object";
                } & {
                    [key: string]: unknown;
                };
                /** @default 10 */
                timeout_s?: number;
            };
            arguments: components["schemas"]["JsonObject"];
            variables: components["schemas"]["JsonObject"];
            agent_id: string;
            /** @description The agent’s user. */
            user_id: string;
        };
        /**
         * @description With GET and DELETE the arguments are in the query.
         * @default POST
         * @enum {string}
         */
        FunctionMethod: "POST" | "GET" | "PUT" | "PATCH" | "DELETE";
        /**
         * @example {
         *       "kind": "express_written",
         *       "text": "Yes, call me about offers.",
         *       "obtained_at": "2026-01-15T09:30:00.000Z",
         *       "channel": "web form"
         *     }
         */
        GivenConsent: {
            /** @description For example `express_written`. */
            kind: string;
            /** @description What was agreed to, in its words. */
            text: string;
            /** @description How it was obtained. */
            channel: string;
            /** Format: date-time */
            obtained_at: string;
            /** @description Where it is kept. */
            evidence_url?: string | null;
        };
        Health: {
            status: string;
        };
        /**
         * @description `next_window`: it is tried again in the same hours of the following days.
         * @enum {string}
         */
        IfMissed: "expire" | "next_window";
        /**
         * @description Schedules the call for the first moment that is allowed, in place of 409 `dial_deferred`.
         * @enum {string}
         */
        IfNotNow: "schedule";
        InstructRequest: {
            /** @description Holds until the end of the call, beside the instructions of the agent. */
            text: string;
            /**
             * @description The agent speaks at once; otherwise with its next answer.
             * @default false
             */
            reply?: boolean;
        };
        /** @description Any JSON object. */
        JsonObject: {
            [key: string]: unknown;
        };
        /**
         * @description What the operation does.
         * @enum {string}
         */
        JsonPatchOp: "add" | "remove" | "replace";
        JsonPatchOperation: {
            op: components["schemas"]["JsonPatchOp"];
            /** @description A JSON Pointer (RFC 6901), such as `/config/greeting`. */
            path: string;
            /** @description The new value; absent for `remove`. */
            value?: unknown;
        };
        /**
         * @description `viewer` reads; `supervisor` also listens, hangs up and transfers; `user` uses one user’s resources; `worker` is an agent worker; `service` does everything, for any user; `admin` also manages keys of role `admin`.
         * @enum {string}
         */
        KeyRole: "viewer" | "supervisor" | "user" | "worker" | "service" | "admin";
        /**
         * @description A part of the API: the tag of its operations.
         * @enum {string}
         */
        KeyScope: "agents" | "tests" | "outreach" | "calls" | "sessions" | "stats" | "media" | "telephony" | "usage" | "prices" | "costs" | "callbacks" | "keys" | "audit" | "privacy" | "service";
        /** @description The newest transcript; with `include=last_transcript`. */
        LastTranscript: {
            speaker: components["schemas"]["Speaker"];
            /** @description Its first 280 characters. */
            content: string;
        };
        /** @description Figures of one latency, in milliseconds after the end of speech. */
        Latency: {
            /** @description Turns that have this latency. */
            turns: number;
            mean_ms: number;
            /** @description Accurate to within 2.4 %. */
            p50_ms: number;
            /** @description Accurate to within 2.4 %. */
            p95_ms: number;
        };
        LatencyReport: {
            total: components["schemas"]["TotalLatency"];
            /** @description Most turns first. */
            groups: components["schemas"]["AgentLatency"][];
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000001",
         *       "session_id": "01980000-0000-7000-8000-000000000001",
         *       "user_id": "user-1",
         *       "agent_id": null,
         *       "provider": "openai",
         *       "event_type": "llm_output_tokens",
         *       "quantity": "1250",
         *       "unit_cost": "0.0000006",
         *       "total_cost": "0.00075",
         *       "created_at": "2026-01-15T09:30:00.000Z",
         *       "model": "gpt-4o-mini",
         *       "direction": null,
         *       "is_unpriced": false,
         *       "adjusts": null,
         *       "used_on": null
         *     }
         */
        LedgerEvent: {
            id: string;
            session_id: string;
            user_id: string;
            agent_id: string | null;
            provider: string;
            event_type: components["schemas"]["LedgerEventType"];
            quantity: string;
            unit_cost: string;
            total_cost: string;
            /** Format: date-time */
            created_at: string;
            model: string | null;
            direction: components["schemas"]["Direction"] | null;
            /** @description Logged without a price: costs 0 until an adjusting entry adds the price. */
            is_unpriced: boolean;
            /** @description The event that this entry prices or corrects. */
            adjusts: string | null;
            /**
             * Format: date
             * @description The day (UTC) on which an adjusting entry counts: that of the event it adjusts. Null for all other entries.
             */
            used_on: string | null;
        };
        /**
         * @description A page of LedgerEvent items.
         * @example {
         *       "items": [
         *         {
         *           "id": "01980000-0000-7000-8000-000000000001",
         *           "session_id": "01980000-0000-7000-8000-000000000001",
         *           "user_id": "user-1",
         *           "agent_id": null,
         *           "provider": "openai",
         *           "event_type": "llm_output_tokens",
         *           "quantity": "1250",
         *           "unit_cost": "0.0000006",
         *           "total_cost": "0.00075",
         *           "created_at": "2026-01-15T09:30:00.000Z",
         *           "model": "gpt-4o-mini",
         *           "direction": null,
         *           "is_unpriced": false,
         *           "adjusts": null,
         *           "used_on": null
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        LedgerEventPage: {
            items: components["schemas"]["LedgerEvent"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /**
         * @description What was used, and its unit. `telephony_minutes` are the carrier’s and `media_minutes` the media server’s; `llm_cached_tokens` are input tokens at a reduced price, and are not among `llm_input_tokens`.
         * @enum {string}
         */
        LedgerEventType: "stt_minutes" | "llm_tokens" | "tts_characters" | "telephony_minutes" | "media_minutes" | "llm_input_tokens" | "llm_output_tokens" | "llm_cached_tokens";
        /** @description The language model. */
        LlmModel: {
            provider?: components["schemas"]["LlmProvider"];
            /** @description The model, by the name that the provider gives it. */
            model?: string;
            temperature?: number;
            max_tokens?: number;
            /**
             * @description An address that speaks the protocol of the provider. The worker decides which ones it may use.
             * @example http://127.0.0.1:11434/v1
             */
            base_url?: string;
            /** @description Passed to the plugin of the provider unchanged. */
            options?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description `openai` with a `base_url` is any server that speaks its protocol; `livekit` is the inference gateway of LiveKit; `local` are rules in the worker that answer from the instructions.
         * @default openai
         * @enum {string}
         */
        LlmProvider: "openai" | "google" | "anthropic" | "azure" | "groq" | "mistral" | "together" | "fireworks" | "cerebras" | "deepseek" | "xai" | "openrouter" | "livekit" | "local";
        /** @description An event of the media provider. */
        MediaEvent: {
            [key: string]: unknown;
        };
        MediaEventReceived: {
            /** @enum {string} */
            status: "ok";
        };
        /**
         * @description The section of the configuration that names a model.
         * @enum {string}
         */
        ModelKind: "stt" | "llm" | "tts" | "realtime";
        /** @description Tests that are made of the call answer with the result, and replays compare the calls. */
        NewToolCall: {
            /** @description Chosen by you, unique within the session. Sending one again has no effect. */
            call_id: string;
            name: string;
            arguments: components["schemas"]["JsonObject"];
            /** @description What the model got, as JSON or as text; null for nothing. */
            result: string | null;
            /**
             * @description Whether the result says what went wrong.
             * @default false
             */
            is_error?: boolean;
            /** Format: date-time */
            called_at: string;
        };
        NewTurn: {
            /** @description The number of the turn in its session. Sending a turn again has no effect. */
            turn_index: number;
            /** @description The language model, or the speech-to-speech model. */
            model?: string | null;
            /**
             * Format: date-time
             * @description When the caller’s last sound ended, at the caller.
             */
            end_of_speech_at: string;
            /** @description Milliseconds from the end of speech to the final transcript, at the worker; 0 if it was earlier, null if there was none. */
            transcript_ms?: number | null;
            /** @description Milliseconds from the end of speech to the first token of the model, at the worker; 0 if it was earlier, null if there was none. */
            first_token_ms?: number | null;
            /** @description Milliseconds from the end of speech to the first sound of the agent, as the caller hears it; 0 if it was earlier, null if there was none. */
            first_audio_ms?: number | null;
            /** @description How long the agent had been speaking when the caller began these words, in milliseconds; null if it was silent. */
            interrupted_after_ms?: number | null;
        };
        NumberAssign: {
            agent_id: string;
            /** @example +15005550100 */
            phone_number: string;
        };
        NumberAssigned: {
            /** @enum {string} */
            status: "assigned";
            agent_id: string;
            phone_number: string;
            carrier_sid: string;
        };
        NumberLookup: {
            agent_id: string;
            name: string;
            config: components["schemas"]["JsonObject"];
        };
        NumberRelease: {
            agent_id: string;
        };
        NumberReleased: {
            /** @enum {string} */
            status: "released";
            agent_id: string;
            phone_number: string;
        };
        /**
         * @description What follows if it is not given, also by silence.
         * @default continue_unrecorded
         * @enum {string}
         */
        OnRefusal: "continue_unrecorded" | "end";
        /**
         * @description `service`: in a transcript.
         * @enum {string}
         */
        OptOutNoticedBy: "service" | "agent";
        /**
         * @description Which calls the person has refused. `user`: all. `agent`: those of this agent. `purpose`: those with the purpose of the call.
         * @default user
         * @enum {string}
         */
        OptOutScope: "user" | "agent" | "purpose";
        OutboundCall: {
            agent_id: string;
            /** @description A version of the agent, whatever is released. */
            agent_version?: number | null;
            /** @example +15005550100 */
            phone_number: string;
            /**
             * Format: uri
             * @example https://example.com/calls
             */
            callback_url?: string | null;
            purpose?: components["schemas"]["Purpose"] | null;
            /** @description Of the person, for example `Europe/Berlin`. Default: by `region`, otherwise by the prefix of the number. */
            time_zone?: string | null;
            /** @description Country, or country and region, of the person by ISO 3166: `DE`, `US-TX`. */
            region?: string | null;
            variables?: components["schemas"]["CallVariables"] | null;
            metadata?: components["schemas"]["CallMetadata"] | null;
            /** @description Seconds after which the call is hung up; at most `MAX_CALL_DURATION_S`, which is the default. */
            max_duration_s?: number | null;
            /** @description Whether the call is recorded, if its agent has `recording` in its configuration. Default: as `recording.enabled` says. */
            record?: boolean | null;
            /**
             * @description The caller ID: a number assigned to an agent of the user. Default: the agent's own, otherwise the trunk's.
             * @example +15005550100
             */
            from_number?: string | null;
            sip_headers?: components["schemas"]["SipHeaders"] | null;
            /** @description Seconds that the phone rings; at most `RINGING_TIMEOUT_S`, which is the default. */
            ringing_timeout_s?: number | null;
            /**
             * Format: date-time
             * @description The instant at which the call is placed.
             */
            at?: string | null;
            window?: components["schemas"]["CallWindow"] | null;
            if_missed?: components["schemas"]["IfMissed"] | null;
            if_not_now?: components["schemas"]["IfNotNow"] | null;
        };
        OutboundCallStarted: {
            call_id: string;
            room_name: string;
            /** @description `RINGING`, or `FAILED` when the media room could not be created. `SCHEDULED` only if the request asks for it. */
            status: string;
            /**
             * @description Only of a scheduled call.
             * @enum {string}
             */
            call_status?: "SCHEDULED";
            /**
             * Format: date-time
             * @description Only of a scheduled call.
             */
            due_at?: string;
        };
        /**
         * @example {
         *       "phone_number": "+15005550010",
         *       "carrier_sid": "PN00000000000000000000000000000010",
         *       "voice": true,
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "user_id": "user-1"
         *     }
         */
        OwnedNumber: {
            phone_number: string;
            carrier_sid: string;
            voice: boolean;
            agent_id: string | null;
            user_id: string | null;
        };
        /** @description A page of OwnedNumber items. */
        OwnedNumberPage: {
            items: components["schemas"]["OwnedNumber"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        PacingInUse: {
            /** @description Calls at the same time. Default: 10. */
            max_concurrent: number;
            /** @description Calls that start in a minute. Default: 60. */
            per_minute: number;
            /** @description Share of the user’s concurrent, daily and burst limits, and of the calls that workers take, left to other calls. Default: 0.2. */
            reserve_for_others: number;
        };
        /**
         * @example {
         *       "date": "2026-01-15",
         *       "total_cost": "0.00075",
         *       "by_provider": {
         *         "openai": "0.00075"
         *       }
         *     }
         */
        PeriodCost: {
            date: string;
            total_cost: string;
            by_provider: components["schemas"]["CostByProvider"];
        };
        /**
         * @description Takes its rules, except for the kinds of rules that are given beside it.
         * @enum {string}
         */
        PresetName: "us-federal" | "us-tx" | "us-fl" | "eu";
        PressRequest: {
            /** @description Keys of a telephone, pressed one after another as RFC 4733 events. */
            digits: string;
        };
        PreviewHour: {
            /** Format: date-time */
            from: string;
            recipients: number;
        };
        PreviewRefusal: {
            recipient_id: string;
            external_id: string;
            /** @description `suppression`, `consent`, …, `destination_not_allowed`, or `expires_at` for those who may be called only after the end. */
            rule: string;
            detail: string;
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000005",
         *       "provider": "twilio",
         *       "event_type": "telephony_minutes",
         *       "prefix": "4420",
         *       "direction": "OUTBOUND",
         *       "price": "0.0158",
         *       "billing_increment": "60/60",
         *       "valid_from": "2026-01-01",
         *       "model": null,
         *       "is_withdrawn": false,
         *       "recorded_at": "2026-01-01T09:30:00.000Z",
         *       "superseded_at": null
         *     }
         */
        Price: {
            id: string;
            provider: string;
            event_type: components["schemas"]["LedgerEventType"];
            model: string | null;
            prefix: string | null;
            direction: components["schemas"]["Direction"] | null;
            /** @description Null if the price is withdrawn. */
            price: string | null;
            billing_increment: components["schemas"]["BillingIncrement"] | null;
            /** Format: date */
            valid_from: string;
            /** @description Whether the price of this key is withdrawn from `valid_from` on. */
            is_withdrawn: boolean;
            /** Format: date-time */
            recorded_at: string;
            /**
             * Format: date-time
             * @description When another price with the same key and date replaced it.
             */
            superseded_at: string | null;
        };
        /**
         * @description The effect of an entry.
         * @enum {string}
         */
        PriceChange: "added" | "replaced" | "unchanged";
        /**
         * @example {
         *       "provider": "twilio",
         *       "event_type": "telephony_minutes",
         *       "prefix": "4420",
         *       "direction": "OUTBOUND",
         *       "price": "0.0158",
         *       "billing_increment": "60/60",
         *       "valid_from": "2026-01-01"
         *     }
         */
        PriceEntry: {
            provider: string;
            event_type: components["schemas"]["LedgerEventType"];
            /** @description Without it the price applies to all models. */
            model?: string | null;
            /** @description For `telephony_minutes`: the leading digits of the called number (your own for inbound calls), in E.164 without the plus sign. Without it the price applies to all destinations. */
            prefix?: string | null;
            direction?: components["schemas"]["Direction"] | null;
            /**
             * @description Price per unit: a minute, a token, a character. Required unless the price is withdrawn.
             * @example 0.000015
             */
            price?: number | string | null;
            billing_increment?: components["schemas"]["BillingIncrement"] | null;
            /**
             * Format: date
             * @description The first day, UTC.
             */
            valid_from: string;
            /**
             * @description Withdraws the price of this key from `valid_from` on, until a later one; less specific prices still apply.
             * @default false
             */
            is_withdrawn?: boolean;
        };
        /**
         * @description A page of Price items.
         * @example {
         *       "items": [
         *         {
         *           "id": "01980000-0000-7000-8000-000000000005",
         *           "provider": "twilio",
         *           "event_type": "telephony_minutes",
         *           "prefix": "4420",
         *           "direction": "OUTBOUND",
         *           "price": "0.0158",
         *           "billing_increment": "60/60",
         *           "valid_from": "2026-01-01",
         *           "model": null,
         *           "is_withdrawn": false,
         *           "recorded_at": "2026-01-01T09:30:00.000Z",
         *           "superseded_at": null
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        PricePage: {
            items: components["schemas"]["Price"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        PricesApplied: {
            /** @description Number of events that were priced, each by an adjusting entry. */
            priced: number;
            total_cost: string;
            /** @description Number of events without a price in the book. */
            unpriced: number;
            /** @description The missing prices, those of most events first: up to 100. */
            missing: components["schemas"]["UnpricedEvents"][];
            /** @description Number of unpriced events in detached months, which are no longer in the ledger. */
            detached: number;
            /** @description The `cursor` of the next request: each checks at most 10,000 events. Null when all were checked. */
            next_cursor: string | null;
        };
        PricesChanged: {
            /** @description Number of prices with a new key and date. */
            added: number;
            /** @description Number of prices that replaced one with the same key and date. */
            replaced: number;
            /** @description Number of prices that were already in the book. */
            unchanged: number;
            /** @description The effect of each entry, in the order sent. */
            entries: components["schemas"]["PriceChange"][];
        };
        PricesPut: {
            entries: components["schemas"]["PriceEntry"][];
        };
        ProposedCallBack: {
            date_time: string;
            time_zone: string;
            /** Format: date-time */
            due_at: string;
            /** @description The time in words, to be read back. */
            spoken: string;
        };
        ProviderCheck: {
            outcome: components["schemas"]["ProviderCheckOutcome"];
            reason: components["schemas"]["ProviderCheckReason"] | null;
            /** @description What the worker or the provider says. */
            detail: string | null;
            /** @description Until the first answer. */
            latency_ms: number | null;
            /** @description The worker that has asked; `unknown` if it gave the task up, which says why in `detail`. */
            worker: string;
            /** @description Whether this is the sandbox, which asks no provider. */
            is_simulated: boolean;
        };
        /** @description A model, as a section of an agent’s configuration names it; also the payload of the worker’s task. */
        ProviderCheckCreate: {
            kind: components["schemas"]["ModelKind"];
            /**
             * @description As in the configuration of an agent.
             * @default openai
             */
            provider?: string;
            model?: string;
            /** @description For the kinds `tts` and `realtime`. */
            voice?: string;
            language?: string;
            base_url?: string;
        };
        /**
         * @description Whether the model has answered.
         * @enum {string}
         */
        ProviderCheckOutcome: "ok" | "failed";
        /**
         * @description Why it failed: the worker has no key, the provider refuses it (401, 403), does not know the model or voice, cannot be reached, or is silent; the worker cannot use these values; or anything else.
         * @enum {string}
         */
        ProviderCheckReason: "no_key" | "refused_key" | "unknown_model" | "unreachable" | "timeout" | "wrong_config" | "error";
        /** @description The result of a task of the kind `provider_check`. */
        ProviderCheckResult: {
            outcome: components["schemas"]["ProviderCheckOutcome"];
            reason: components["schemas"]["ProviderCheckReason"] | null;
            /** @description What the worker or the provider says. */
            detail: string | null;
            /** @description Until the first answer. */
            latency_ms: number | null;
            /** @description The worker that has asked; `unknown` if it gave the task up, which says why in `detail`. */
            worker: string;
        };
        ProviderReadiness: {
            name: string;
            status: string;
        };
        ProvidersReadiness: {
            media: components["schemas"]["ProviderReadiness"];
            carrier: components["schemas"]["ProviderReadiness"];
        };
        /**
         * @description `direct`: an update of the agent is live at once. `gated`: it is refused with 409 `agent_is_gated`; changes go through the draft, a version and a release.
         * @enum {string}
         */
        Publishing: "direct" | "gated";
        /**
         * @description Why somebody is called. Absent: `marketing`, the strictest.
         * @enum {string}
         */
        Purpose: "marketing" | "service" | "emergency";
        Quota: {
            user_id: string;
            /** @description Bytes stored for the user, as text, with a constant for each row: sessions, transcripts, calls of tools, agents (deleted ones too) with their versions and tests, recordings, analyses, outreach, callbacks, responses kept for repeated requests, and entries of the audit log. */
            stored_bytes: number;
            /** @description `STORED_BYTES_PER_USER`. Null: any number. */
            stored_bytes_limit: number | null;
            /** @description Bytes written in the current minute, with any key. */
            written_bytes_this_minute: number;
            /** @description `WRITTEN_BYTES_PER_USER`. Null: any number. */
            written_bytes_limit: number | null;
        };
        /**
         * @description Sent when what is stored for a user has grown to 80 % of its quota, and to all of it: to the webhook endpoints of the user, about a minute later. Sent again only after it had fallen below.
         * @example {
         *       "type": "quota.threshold",
         *       "timestamp": "2026-01-15T09:30:05.000Z",
         *       "data": {
         *         "user_id": "user-1",
         *         "threshold": 80,
         *         "stored_bytes": 8590131200,
         *         "stored_bytes_limit": 10737418240
         *       }
         *     }
         */
        QuotaThreshold: {
            /** @description `quota.threshold`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["QuotaThresholdData"];
        };
        QuotaThresholdData: {
            user_id: string;
            /** @description The percentage that was reached: 80 or 100. */
            threshold: number;
            /** @description Bytes stored for the user when that was noticed. */
            stored_bytes: number;
            /** @description `STORED_BYTES_PER_USER`. */
            stored_bytes_limit: number;
        };
        /** @description The 95 % Wilson interval of the rate of passed runs. */
        RateInterval: {
            low: number;
            high: number;
        };
        /**
         * @description An outcome that counts as having reached somebody.
         * @enum {string}
         */
        ReachedBy: "answered" | "voicemail" | "ivr" | "screening" | "ai";
        /** @description `ok` for each part, or its problem. */
        Readiness: {
            /** @description `ok` or `unavailable`, by the database and its migrations only. */
            status: string;
            database: string;
            migrations: string;
            /** @description The same for every process on one database; null until it has been read once. Not a secret. */
            installation: string | null;
            providers: components["schemas"]["ProvidersReadiness"];
            workers: components["schemas"]["WorkersReadiness"] | null;
        };
        /** @description A speech-to-speech model. It takes the place of `stt`, `llm` and `tts`. */
        RealtimeModel: {
            provider?: components["schemas"]["RealtimeProvider"];
            /** @description The model, by the name that the provider gives it. */
            model?: string;
            /** @description The voice, by the name or id that the provider gives it. */
            voice?: string;
            /**
             * @deprecated
             * @description Without effect: the provider takes none.
             */
            temperature?: number;
            /**
             * @description An address that speaks the protocol of the provider. The worker decides which ones it may use.
             * @example http://127.0.0.1:11434/v1
             */
            base_url?: string;
            /** @description Passed to the plugin of the provider unchanged. */
            options?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description `openai` with a `base_url` is any server that speaks its protocol; `livekit` is the inference gateway of LiveKit; `local` are rules in the worker that answer from the instructions.
         * @default openai
         * @enum {string}
         */
        RealtimeProvider: "openai" | "google";
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000042",
         *       "external_id": "C-17",
         *       "phone_number": "+15005550100",
         *       "time_zone": null,
         *       "region": null,
         *       "state": "reached",
         *       "reason": "answered",
         *       "attempts": [
         *         {
         *           "attempt": 1,
         *           "call_id": "01980000-0000-7000-8000-000000000001",
         *           "decision_id": null,
         *           "outcome": "answered",
         *           "started_at": "2026-01-15T09:30:00.000Z",
         *           "ended_at": "2026-01-15T09:31:30.000Z"
         *         }
         *       ],
         *       "decision_id": null,
         *       "next_at": null,
         *       "created_at": "2026-01-15T09:00:00.000Z",
         *       "finished_at": "2026-01-15T09:31:31.000Z"
         *     }
         */
        Recipient: {
            id: string;
            external_id: string;
            phone_number: string;
            time_zone: string | null;
            region: string | null;
            state: components["schemas"]["RecipientState"];
            /** @description The outcome, or the rule of the decision, that led to the state. */
            reason: string | null;
            /** @description In order. */
            attempts: components["schemas"]["CampaignAttempt"][];
            /** @description The last decision that did not let it be dialled. */
            decision_id: string | null;
            /**
             * Format: date-time
             * @description When it may be dialled; null unless it waits.
             */
            next_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        /** @description Recipients by state. */
        RecipientCounts: {
            total: number;
            waiting: number;
            deferred: number;
            dialling: number;
            connected: number;
            reached: number;
            exhausted: number;
            suppressed: number;
            refused: number;
            expired: number;
            canceled: number;
        };
        RecipientDetail: {
            id: string;
            external_id: string;
            phone_number: string;
            time_zone: string | null;
            region: string | null;
            state: components["schemas"]["RecipientState"];
            /** @description The outcome, or the rule of the decision, that led to the state. */
            reason: string | null;
            /** @description In order. */
            attempts: components["schemas"]["CampaignAttempt"][];
            /** @description The last decision that did not let it be dialled. */
            decision_id: string | null;
            /**
             * Format: date-time
             * @description When it may be dialled; null unless it waits.
             */
            next_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            variables: components["schemas"]["CallVariables"] | null;
            metadata: components["schemas"]["CallMetadata"] | null;
        };
        /**
         * @description Once for each recipient with whom the campaign is done, also by its end (`canceled`, `expired`); not for those who are deleted with it.
         * @example {
         *       "type": "recipient.finished",
         *       "timestamp": "2026-01-15T09:31:31.000Z",
         *       "data": {
         *         "campaign_id": "01980000-0000-7000-8000-000000000041",
         *         "recipient_id": "01980000-0000-7000-8000-000000000042",
         *         "external_id": "C-17",
         *         "phone_number": "+15005550100",
         *         "state": "reached",
         *         "reason": "answered",
         *         "attempts": 1
         *       }
         *     }
         */
        RecipientFinished: {
            /** @description `recipient.finished`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["RecipientFinishedData"];
        };
        RecipientFinishedData: {
            campaign_id: string;
            recipient_id: string;
            external_id: string;
            phone_number: string;
            state: components["schemas"]["RecipientState"];
            reason: string | null;
            attempts: number;
        };
        RecipientInput: {
            /** @example +15005550100 */
            phone_number: string;
            /** @description Unique in the campaign: one that is there already is left as it is. Default: the number. */
            external_id?: string | null;
            variables?: components["schemas"]["CallVariables"] | null;
            metadata?: components["schemas"]["CallMetadata"] | null;
            /** @description For example `Europe/Berlin`. */
            time_zone?: string | null;
            /** @description `DE`, `US-TX`. */
            region?: string | null;
            consent?: components["schemas"]["GivenConsent"] | null;
        };
        /**
         * @description A page of Recipient items.
         * @example {
         *       "items": [
         *         {
         *           "id": "01980000-0000-7000-8000-000000000042",
         *           "external_id": "C-17",
         *           "phone_number": "+15005550100",
         *           "time_zone": null,
         *           "region": null,
         *           "state": "reached",
         *           "reason": "answered",
         *           "attempts": [
         *             {
         *               "attempt": 1,
         *               "call_id": "01980000-0000-7000-8000-000000000001",
         *               "decision_id": null,
         *               "outcome": "answered",
         *               "started_at": "2026-01-15T09:30:00.000Z",
         *               "ended_at": "2026-01-15T09:31:30.000Z"
         *             }
         *           ],
         *           "decision_id": null,
         *           "next_at": null,
         *           "created_at": "2026-01-15T09:00:00.000Z",
         *           "finished_at": "2026-01-15T09:31:31.000Z"
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        RecipientPage: {
            items: components["schemas"]["Recipient"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /**
         * @description `waiting` for its turn or the next attempt, `deferred` by a decision until `next_at`, `refused` by a decision. From `reached` on, the campaign is done with it.
         * @enum {string}
         */
        RecipientState: "waiting" | "deferred" | "dialling" | "connected" | "reached" | "exhausted" | "suppressed" | "refused" | "expired" | "canceled";
        RecipientsAdd: {
            /** @description Each a `RecipientInput`. */
            recipients: components["schemas"]["JsonObject"][];
        };
        RecipientsAdded: {
            added: number;
            /** @description Whose `external_id` was there already. */
            known: number;
            /** @description Those of recipients that were added. */
            consents_added: number;
            refused: number;
            /** @description The first 100, and the one with which reading stopped. */
            refusals: components["schemas"]["RefusedLine"][];
            /** @description The line from which on the file was not read; null if it was read to its end. Its refusal says why. */
            stopped_at_line: number | null;
        };
        RecordedCall: {
            name: string;
            arguments: components["schemas"]["JsonObject"];
        };
        RecordedTurn: {
            /** @description What the caller said; null when the agent began. */
            heard: string | null;
            /** @description What the agent said. */
            words: string;
            /** @description The tools that it called; null if that was not recorded. */
            calls: components["schemas"]["RecordedCall"][] | null;
        };
        /**
         * @example {
         *       "recording_id": "01980000-0000-7000-8000-0000000000a1",
         *       "call_id": "01980000-0000-7000-8000-000000000001",
         *       "state": "stored",
         *       "channels": "stereo",
         *       "started_at": "2026-01-15T09:30:00.000Z",
         *       "duration_ms": 61400,
         *       "bytes": 301112,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "gaps": [],
         *       "error": null
         *     }
         */
        Recording: {
            recording_id: string;
            call_id: string;
            state: components["schemas"]["RecordingState"];
            channels: components["schemas"]["RecordingChannels"];
            /**
             * Format: date-time
             * @description The time of the first sample.
             */
            started_at: string | null;
            duration_ms: number;
            /** @description Bytes of audio, Opus in Ogg. */
            bytes: number;
            /** @description SHA-256 of the whole audio; null unless `stored`. */
            sha256: string | null;
            gaps: components["schemas"]["RecordingGap"][];
            /** @description Why it failed. */
            error: string | null;
        };
        /**
         * @description `stereo`: the agent left, the other side right. `mono`: both together.
         * @enum {string}
         */
        RecordingChannels: "stereo" | "mono";
        /**
         * @description `stereo`: the agent left, the other side right. `mono`: both together.
         * @default stereo
         * @enum {string}
         */
        RecordingChannelsChoice: "stereo" | "mono";
        /**
         * @description A recording has ended: all of its audio is stored, or there is none. Sent again for a recording to which a worker adds more after that, or whose gaps turn out otherwise.
         * @example {
         *       "type": "recording.stored",
         *       "timestamp": "2026-01-15T09:31:04.000Z",
         *       "data": {
         *         "recording_id": "01980000-0000-7000-8000-0000000000a1",
         *         "call_id": "01980000-0000-7000-8000-000000000001",
         *         "state": "stored",
         *         "channels": "stereo",
         *         "started_at": "2026-01-15T09:30:00.000Z",
         *         "duration_ms": 61400,
         *         "bytes": 301112,
         *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *         "gaps": [],
         *         "error": null
         *       }
         *     }
         */
        RecordingEvent: {
            /** @description `recording.stored` or `recording.failed`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["Recording"];
        };
        /** @description A part of the call that is missing, in milliseconds after the start. */
        RecordingGap: {
            from_ms: number;
            to_ms: number;
            why: components["schemas"]["RecordingGapReason"];
        };
        /**
         * @description `segment_lost`: the worker could not store it. `worker_lost`: the worker died, or never sent it. `paused`: it is silent, because a tool of `recording.pause_on` ran, sensitive digits were entered, or the target of an attended transfer was asked. `redacted`: one side is silent, because it said what `privacy.redact` replaces, or words that were not recognized.
         * @enum {string}
         */
        RecordingGapReason: "segment_lost" | "worker_lost" | "paused" | "redacted";
        RecordingLevels: {
            /** @description The time of one level. */
            interval_ms: number;
            /** @description For each interval, the greatest loudness in it: 0 is at most -60 dBFS, 255 full scale, in equal steps of decibels. Empty for a recording whose worker measured none. */
            sides: components["schemas"]["RecordingSideLevels"][];
            /** @description Where lines of the transcript begin to be heard, of which their worker said so. */
            lines: components["schemas"]["RecordingLine"][];
        };
        RecordingLine: {
            transcript_id: string;
            /** @description Milliseconds after the start. */
            from_ms: number;
        };
        RecordingLink: {
            /** @description Path and query of the audio, relative to the service. */
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        RecordingPause: {
            from_ms: number;
            to_ms: number;
            why?: components["schemas"]["RecordingPauseReason"];
        };
        /**
         * @description `paused`, unless it is given: see `RecordingGap`.
         * @enum {string}
         */
        RecordingPauseReason: "paused" | "redacted";
        RecordingReport: {
            state: components["schemas"]["RecordingReportState"];
            channels: components["schemas"]["RecordingChannels"];
            /**
             * Format: date-time
             * @description The time of the first sample. Required for `recording` and `ended`.
             */
            started_at?: string;
            /** @description Required for `ended`, and ignored otherwise. */
            segments?: number;
            /** @description Why it failed. */
            error?: string;
        };
        /**
         * @description `ended`: no segment follows; `segments` says how many there are.
         * @enum {string}
         */
        RecordingReportState: "waiting_for_consent" | "recording" | "ended" | "refused" | "failed";
        /**
         * @description `both`: the recording is `mono`.
         * @enum {string}
         */
        RecordingSide: "agent" | "others" | "both";
        RecordingSideLevels: {
            side: components["schemas"]["RecordingSide"];
            levels: number[];
        };
        /**
         * @description `uploading`: the call has ended, and its audio is still arriving or being verified. `stored`: it can be played. `refused`: somebody did not consent, and nothing was recorded.
         * @enum {string}
         */
        RecordingState: "waiting_for_consent" | "recording" | "uploading" | "stored" | "refused" | "failed" | "deleted";
        Recordings: {
            /** @description In the order in which they were begun. */
            recordings: components["schemas"]["Recording"][];
        };
        /** @enum {string} */
        RedactionKind: "card" | "iban" | "ssn" | "email" | "phone";
        Redelivered: {
            /** @description Number of callbacks that are pending again. */
            redelivered: number;
            /** @description Those in `ids` that are unknown, malformed, another user’s, or of a webhook endpoint that is deleted or inactive. */
            not_found: string[];
            /** @description Whether more have failed since then: repeat the request. */
            has_more: boolean;
        };
        /** @description Either `ids` or `failed_since`. */
        Redelivery: {
            /** @description These callbacks, whatever their status. */
            ids?: string[];
            /**
             * Format: date-time
             * @description All failed callbacks created since then, oldest first.
             */
            failed_since?: string;
        };
        RefusalReason: {
            rule: string;
            detail: string;
            source: string;
        };
        RefusedLine: {
            /** @description Of the file, from 1; for JSON the place in the list, from 1. */
            line: number;
            /** @description Null if it is about the whole line. */
            field: string | null;
            /** @description A message for people. */
            msg: string;
        };
        /** @description A version, and how many of the calls get it. */
        ReleaseArm: {
            version: number;
            /** @description Calls of a hundred. */
            weight: number;
        };
        /** @description The call that was replayed, and where the conversations differ. */
        Replay: {
            call_id: string;
            /** @description The version that the call had. */
            agent_version: number | null;
            /** @description The call as it was. */
            turns: components["schemas"]["RecordedTurn"][];
            words_fork: components["schemas"]["ReplayFork"] | null;
            calls_fork: components["schemas"]["ReplayFork"] | null;
        };
        /** @description The first turn in which other tools are called, or with other arguments; null without any. */
        ReplayFork: {
            /** @description Which of `turns`; null if the call has no such turn. */
            recorded: number | null;
            /** @description Which turn of the first conversation; null if it ended before. */
            replayed: number | null;
        };
        /** @description The newest calls of the agent that have ended, that match all of these filters of `GET /api/calls/`, and in which the caller has said something. */
        ReplayedCalls: {
            /**
             * Format: date-time
             * @description Created at or after.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Created before.
             */
            to?: string;
            /** @description The version of the agent that the call has had. */
            agent_version?: number;
            direction?: components["schemas"]["Direction"];
            end_reason?: components["schemas"]["EndReason"];
            /**
             * @description A number of either side, with or without its plus sign.
             * @example +15005550100
             * @example 15005550100
             */
            number?: string;
            /** @description Words of the transcript: all of them, in any order; the last may be a beginning, except of words that are encrypted (`ENCRYPT_CONTENT`). */
            q?: string;
            /** @description Values of analyses by field, all of them: `{"outcome": "booked"}`. */
            analysis?: {
                [key: string]: string;
            };
            /** @default 100 */
            limit?: number;
        };
        RetriesInUse: {
            /** @description For each recipient at most. Default: 1. */
            attempts: number;
            /** @description Default: `busy`, `no_answer`, `unavailable`, `failed`, `abandoned` and `interrupted`. */
            on: components["schemas"]["RetryOn"][];
            /** @description Seconds after the first attempt, the second one, …; the last one for all later ones. Default: an hour. */
            delays_s: number[];
            /** @description Part of a delay by which it varies at random. Default: 0.1. */
            spread: number;
        };
        /**
         * @description An outcome after which it is tried again.
         * @enum {string}
         */
        RetryOn: "answered" | "voicemail" | "ivr" | "screening" | "ai" | "busy" | "no_answer" | "declined" | "unavailable" | "failed" | "abandoned" | "interrupted";
        /** @description Connect to `url` with `token` before `expires_at`. */
        RoomToken: {
            token: string;
            url: string;
            room_name: string;
            identity: string;
            /** Format: date-time */
            expires_at: string;
        };
        RoomTokenCreate: {
            session_id: string;
        };
        SayRequest: {
            /** @description Said as it is, without variables. A realtime model may change the words. */
            text: string;
            /**
             * @description Stops what the agent is saying. Otherwise it is said afterwards.
             * @default false
             */
            interrupt?: boolean;
        };
        Scenario: {
            id: string;
            user_id: string;
            /** @description The `scenario` of its text. */
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description As it was sent. */
            text: string;
        };
        ScenarioCassette: {
            scenario_id: string;
            agent_id: string;
            /** @description The version with which it was recorded. */
            agent_version: number;
            /** @description How many different requests it has. */
            exchanges: number;
            /** Format: date-time */
            recorded_at: string;
            content: components["schemas"]["JsonObject"];
        };
        ScenarioDraft: {
            name: string;
            /** @description YAML, to be changed and saved. */
            text: string;
        };
        ScenarioPut: {
            /** @description YAML or JSON, see docs/agent-tests.md. */
            text: string;
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000011",
         *       "user_id": "user-1",
         *       "name": "asks when we open",
         *       "created_at": "2026-01-15T09:30:00.000Z",
         *       "updated_at": "2026-01-15T09:30:00.000Z"
         *     }
         */
        ScenarioSummary: {
            id: string;
            user_id: string;
            /** @description The `scenario` of its text. */
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A page of ScenarioSummary items. */
        ScenarioSummaryPage: {
            items: components["schemas"]["ScenarioSummary"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /**
         * @description The payload of a task of the kind `scenario`.
         * @example {
         *       "test_run_id": "01980000-0000-7000-8000-000000000013",
         *       "user_id": "user-1",
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "agent_version": 4,
         *       "config": {
         *         "instructions": "We open at ten on Sundays."
         *       },
         *       "scenario": {
         *         "scenario": "asks when we open",
         *         "caller": {
         *           "script": [
         *             {
         *               "say": "When do you open on Sunday?"
         *             }
         *           ]
         *         },
         *         "expect": [
         *           {
         *             "agent_says": "ten"
         *           }
         *         ]
         *       },
         *       "runs": 1
         *     }
         */
        ScenarioTask: {
            test_run_id: string;
            user_id: string;
            agent_id: string;
            agent_version: number;
            config: components["schemas"]["JsonObject"];
            scenario: components["schemas"]["JsonObject"];
            /** @description How many conversations to hold. */
            runs: number;
            /** @description The prices of models in the price book, for usage that the worker has no price of; absent if there are none. */
            prices?: components["schemas"]["TaskPrice"][];
            cassette?: components["schemas"]["TaskCassette"];
        };
        /**
         * @description The result of a task of the kind `scenario`: the counts sum to its `runs`.
         * @example {
         *       "passed": 0,
         *       "failed": 1,
         *       "invalid": 0,
         *       "problems": [
         *         "failed: the agent says \"ten\" (not said)"
         *       ],
         *       "conversations": [
         *         {
         *           "status": "failed",
         *           "times": 1,
         *           "checks": [
         *             {
         *               "expected": "the agent says \"ten\"",
         *               "outcome": "failed",
         *               "found": "not said"
         *             }
         *           ],
         *           "turns": [
         *             {
         *               "at_ms": 0,
         *               "heard": "When do you open?",
         *               "interrupted": false,
         *               "words": "At nine.",
         *               "calls": [],
         *               "first_word_ms": 0
         *             }
         *           ],
         *           "end_reason": "script_over",
         *           "error": null,
         *           "world": {},
         *           "cost": "0",
         *           "duration_ms": 0
         *         }
         *       ],
         *       "is_complete": true
         *     }
         */
        ScenarioTaskResult: {
            /** @description Runs that passed. */
            passed: number;
            /** @description Runs that failed. */
            failed: number;
            /** @description Runs that say nothing about the agent. */
            invalid: number;
            problems: string[];
            conversations: components["schemas"]["TestConversation"][];
            is_complete: boolean;
            /** @description The usage of all models in all conversations; none of what was replayed. */
            used?: components["schemas"]["TestUsage"][];
            cassette?: components["schemas"]["JsonObject"];
        };
        ScheduledCall: {
            /** @description The `call_id` that the request was answered with. */
            scheduled_call_id: string;
            status: components["schemas"]["ScheduledCallStatus"];
            /** @description The call, once it is placed. */
            call_id: string | null;
            agent_id: string;
            phone_number: string;
            /**
             * Format: date-time
             * @description When it is placed, or was to be.
             */
            due_at: string;
            /**
             * Format: date-time
             * @description From then on it is too late, or time for the next window.
             */
            latest_at: string;
            window: components["schemas"]["ScheduledHours"] | null;
            /** @description Why it was moved or has ended: the code of an error, such as `dial_deferred`; `canceled`, `replaced`, `missed` or `agent_not_found`. */
            reason: string | null;
            /** @description The same in words. */
            detail: string | null;
            /** @description The conversation in which the agent has booked it. */
            booked_in: string | null;
            callback_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            variables: components["schemas"]["CallVariables"];
            metadata: components["schemas"]["CallMetadata"];
        };
        /**
         * @example {
         *       "type": "scheduled_call.changed",
         *       "timestamp": "2026-01-16T14:00:00.000Z",
         *       "data": {
         *         "scheduled_call_id": "01980000-0000-7000-8000-000000000034",
         *         "status": "SCHEDULED",
         *         "call_id": null,
         *         "agent_id": "01980000-0000-7000-8000-000000000000",
         *         "phone_number": "+15005550100",
         *         "due_at": "2026-01-16T14:00:00.000Z",
         *         "latest_at": "2026-01-16T17:00:00.000Z",
         *         "window": {
         *           "earliest": "2026-01-16T09:00",
         *           "latest": "2026-01-16T12:00",
         *           "time_zone": "America/New_York",
         *           "if_missed": "expire"
         *         },
         *         "reason": null,
         *         "detail": null,
         *         "booked_in": null,
         *         "callback_url": "https://example.com/calls",
         *         "created_at": "2026-01-15T09:30:00.000Z",
         *         "updated_at": "2026-01-15T09:30:00.000Z"
         *       }
         *     }
         */
        ScheduledCallChanged: {
            /** @description `scheduled_call.changed`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["ChangedScheduledCall"];
        };
        ScheduledCallMove: {
            /**
             * Format: date-time
             * @description The instant at which the call is placed.
             */
            at?: string | null;
            window?: components["schemas"]["CallWindow"] | null;
            if_missed?: components["schemas"]["IfMissed"] | null;
        };
        /** @description A page of ScheduledCall items. */
        ScheduledCallPage: {
            items: components["schemas"]["ScheduledCall"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /**
         * @description From `SCHEDULED` to one of the others, which are final. `EXPIRED`: it was not allowed, or not possible, in its time. `REFUSED`: it may never be placed.
         * @enum {string}
         */
        ScheduledCallStatus: "SCHEDULED" | "PLACED" | "CANCELED" | "EXPIRED" | "REFUSED";
        /** @description The window, as it was asked for; null for an instant. */
        ScheduledHours: {
            /** @description A local time. */
            earliest: string;
            latest: string;
            time_zone: string;
            if_missed: components["schemas"]["IfMissed"];
        };
        SecretRotation: {
            /**
             * @description Seconds during which the old secret signs as well. 0: it expires at once.
             * @default 86400
             */
            overlap_s?: number;
        };
        SegmentAdded: {
            /** @description False if it was there already, or is not wanted: the recording was deleted, refused or has failed. */
            added: boolean;
        };
        SegmentCreate: {
            /** @description Its number: 0, 1, 2 … */
            seq: number;
            /** @description Milliseconds after the start. */
            from_ms: number;
            to_ms: number;
            /** @description SHA-256 of the bytes, in hexadecimal. */
            sha256: string;
            /** @description Whole pages of one Ogg stream, in base64: all segments after one another are the file. */
            audio: string;
            /** @description Parts of it that are silent on purpose: the gaps `paused` and `redacted` of the recording. */
            pauses?: components["schemas"]["RecordingPause"][];
            /** @description The loudness (RMS) of each 100 ms from `from_ms`, in base64: a byte for each channel, the agent first. 0 is at most -60 dBFS, 255 full scale, in equal steps of decibels. */
            levels?: string;
        };
        /**
         * @description `ok`: a worker claims tasks of this kind, or did so within a minute. `nobody`: such tasks are waiting, or were requested within the last six hours, but no worker claims them. `unused`: neither. `simulated`: the sandbox does them.
         * @enum {string}
         */
        ServedBy: "ok" | "simulated" | "unused" | "nobody";
        ServiceSettings: {
            settings: components["schemas"]["Setting"][];
        };
        Session: {
            id: string;
            room_name: string;
            status: components["schemas"]["SessionStatus"];
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Seconds, with millisecond precision. */
            duration: number | null;
            user_id: string;
            agent_id: string | null;
            agent_name: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            session_data: components["schemas"]["JsonObject"];
            call_direction: components["schemas"]["CallDirection"] | null;
            outbound_phone_number: string | null;
            call_status: components["schemas"]["CallStatus"] | null;
            analysis: components["schemas"]["JsonObject"] | null;
            transferred_to: string | null;
            transfer_type: components["schemas"]["TransferType"] | null;
            /** Format: date-time */
            transfer_timestamp: string | null;
        };
        SessionCosts: {
            session_id: string;
            total_cost: string;
            by_event_type: components["schemas"]["CostByEventType"];
            by_provider: components["schemas"]["CostByProvider"];
            /** @description A page of the events, oldest first. */
            events: components["schemas"]["SessionUsageEvent"][];
            /** @description The `cursor` of the next events; null on the last page. */
            next_cursor: string | null;
        };
        SessionCreate: {
            room_name?: string;
            user_id: string;
            agent_id?: string | null;
            session_data?: components["schemas"]["JsonObject"] | null;
            metadata?: components["schemas"]["JsonObject"] | null;
        };
        /** @description A page of Session items. */
        SessionPage: {
            items: components["schemas"]["Session"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /**
         * @description From `CREATED` to `ACTIVE` to `COMPLETED` or `FAILED`; ended states are final.
         * @enum {string}
         */
        SessionStatus: "CREATED" | "ACTIVE" | "COMPLETED" | "FAILED";
        SessionUpdate: {
            /** Format: date-time */
            ended_at?: string | null;
            /** @description Seconds. */
            duration?: number | null;
            metadata?: components["schemas"]["JsonObject"] | null;
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000001",
         *       "session_id": "01980000-0000-7000-8000-000000000001",
         *       "user_id": "user-1",
         *       "agent_id": null,
         *       "provider": "openai",
         *       "event_type": "llm_tokens",
         *       "quantity": "1250",
         *       "unit_cost": "0.0000006",
         *       "total_cost": "0.00075",
         *       "created_at": "2026-01-15T09:30:00.000Z"
         *     }
         */
        SessionUsageEvent: {
            id: string;
            session_id: string;
            user_id: string;
            agent_id: string | null;
            provider: string;
            event_type: components["schemas"]["LedgerEventType"];
            quantity: string;
            unit_cost: string;
            total_cost: string;
            /** Format: date-time */
            created_at: string;
        };
        Setting: {
            /** @description The variable of the environment. */
            name: string;
            /** @description Null if unset, and for secrets. URLs are reduced to scheme and host. */
            value: string | null;
            default: string | null;
            /** @description Whether the value differs from the default. */
            is_set: boolean;
            /** @description Whether its value is never shown. */
            is_secret: boolean;
            description: string;
        };
        ShownHeader: {
            name: string;
            value: string;
        };
        SignInMethods: {
            auth_mode: components["schemas"]["AuthMode"];
            /** @description Whether users can sign in at an OpenID provider. */
            is_openid_configured: boolean;
        };
        SignedOut: {
            /** @description How many sign-ins have ended. */
            sessions: number;
        };
        /** @description Facts of the line, from a worker, or from the records of your own SIP equipment. */
        SipFigures: {
            /** @description Of the sound between carrier and bridge. */
            codec?: string;
            /** @description The cause of the end by ITU-T Q.850. */
            q850_cause?: number;
            /** @description Jitter of the phone’s sound. A worker measures it where the sound arrives. */
            jitter_ms?: number;
            /** @description Packets of it that were lost. A worker sees those between bridge and worker. */
            packet_loss_percent?: number;
        };
        /** @description Headers that an outbound call was given. */
        SipHeaderValues: {
            [key: string]: string;
        };
        /**
         * @description Headers of the SIP request, each named in `SIP_HEADERS_OUT`. At most 10, with up to 256 printable ASCII characters.
         * @example {
         *       "X-Account": "C-17"
         *     }
         */
        SipHeaders: {
            [key: string]: string;
        };
        /**
         * @description The speaker.
         * @enum {string}
         */
        Speaker: "USER" | "AGENT" | "SYSTEM";
        /**
         * @description With `number`, the same phone number always gets the same version, while the release has it; moving weight moves as few numbers as possible. Calls without a number, and all with `none`, get one by chance.
         * @enum {string}
         */
        StickyBy: "number" | "none";
        /** @enum {string} */
        StreamField: "total_cost";
        StreamToken: {
            token: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Path and query of the stream, relative to the service. */
            events_url: string;
        };
        /** @description Speech recognition. */
        SttModel: {
            provider?: components["schemas"]["SttProvider"];
            /** @description The model, by the name that the provider gives it. */
            model?: string;
            /**
             * @description A BCP 47 language tag.
             * @example en
             * @example pt-BR
             */
            language?: string;
            /**
             * @description An address that speaks the protocol of the provider. The worker decides which ones it may use.
             * @example http://127.0.0.1:11434/v1
             */
            base_url?: string;
            /** @description Passed to the plugin of the provider unchanged. */
            options?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description `openai` with a `base_url` is any server that speaks its protocol; `livekit` is the inference gateway of LiveKit; `local` are rules in the worker that answer from the instructions.
         * @default openai
         * @enum {string}
         */
        SttProvider: "openai" | "deepgram" | "elevenlabs" | "cartesia" | "groq" | "google" | "assemblyai" | "livekit";
        Suite: {
            id: string;
            user_id: string;
            name: string;
            /** @description The ids of its scenarios, in order. Deleted ones are not among them. */
            scenarios: string[];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it, or one of its scenarios, was last changed: earlier test runs do not open a gate.
             */
            changed_at: string;
        };
        /** @description A page of Suite items. */
        SuitePage: {
            items: components["schemas"]["Suite"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        SuitePut: {
            name: string;
            scenarios: string[];
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000031",
         *       "phone_number": "+15005550199",
         *       "scope": "user",
         *       "scope_id": "",
         *       "reason": "asked",
         *       "expires_at": null,
         *       "call_id": "01980000-0000-7000-8000-000000000001",
         *       "transcript_id": null,
         *       "created_at": "2026-01-15T09:30:00.000Z"
         *     }
         */
        Suppression: {
            id: string;
            phone_number: string;
            scope: components["schemas"]["SuppressionScope"];
            /** @description The id of the agent or campaign, or the purpose; empty for `user`. */
            scope_id: string;
            reason: components["schemas"]["SuppressionReason"];
            /** Format: date-time */
            expires_at: string | null;
            call_id: string | null;
            transcript_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @description Sent for each number that is suppressed from now on, to the webhook endpoints of the user: by a request, or by what was said in a call. For a request with more than 1,000 of them, one event with their `count` and without a `suppression`. None for one that replaces a suppression in force.
         * @example {
         *       "type": "suppression.added",
         *       "timestamp": "2026-01-15T09:30:00.000Z",
         *       "data": {
         *         "user_id": "user-1",
         *         "count": 1,
         *         "suppression": {
         *           "id": "01980000-0000-7000-8000-000000000031",
         *           "phone_number": "+15005550199",
         *           "scope": "user",
         *           "scope_id": "",
         *           "reason": "asked",
         *           "expires_at": null,
         *           "call_id": "01980000-0000-7000-8000-000000000001",
         *           "transcript_id": null,
         *           "created_at": "2026-01-15T09:30:00.000Z"
         *         },
         *         "cursor": "17"
         *       }
         *     }
         */
        SuppressionAdded: {
            /** @description `suppression.added`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["SuppressionAddedData"];
        };
        SuppressionAddedData: {
            user_id: string;
            /** @description How many numbers the event is about. */
            count: number;
            suppression: components["schemas"]["Suppression"] | null;
            /** @description Lists these in `GET /api/suppressions/changes`. */
            cursor: string;
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000031",
         *       "phone_number": "+15005550199",
         *       "scope": "user",
         *       "scope_id": "",
         *       "reason": "asked",
         *       "expires_at": null,
         *       "call_id": "01980000-0000-7000-8000-000000000001",
         *       "transcript_id": null,
         *       "created_at": "2026-01-15T09:30:00.000Z",
         *       "deleted_at": null
         *     }
         */
        SuppressionChange: {
            id: string;
            phone_number: string;
            scope: components["schemas"]["SuppressionScope"];
            /** @description The id of the agent or campaign, or the purpose; empty for `user`. */
            scope_id: string;
            reason: components["schemas"]["SuppressionReason"];
            /** Format: date-time */
            expires_at: string | null;
            call_id: string | null;
            transcript_id: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Null unless it was removed.
             */
            deleted_at: string | null;
        };
        SuppressionChanges: {
            items: components["schemas"]["SuppressionChange"][];
            /** @description Where to go on, now or later. */
            next_cursor: string;
        };
        SuppressionEntry: {
            /** @example +15005550100 */
            phone_number: string;
            scope?: components["schemas"]["SuppressionScope"];
            /** @description The id of the agent or campaign, or the purpose; empty for `user`. */
            scope_id?: string;
            reason?: components["schemas"]["SuppressionReason"];
            /**
             * Format: date-time
             * @description Null: never.
             */
            expires_at?: string | null;
            /** @description The id of the call that is the evidence. */
            call_id?: string | null;
            /** @description The id of what was said in it. */
            transcript_id?: string | null;
        };
        /**
         * @description A page of Suppression items.
         * @example {
         *       "items": [
         *         {
         *           "id": "01980000-0000-7000-8000-000000000031",
         *           "phone_number": "+15005550199",
         *           "scope": "user",
         *           "scope_id": "",
         *           "reason": "asked",
         *           "expires_at": null,
         *           "call_id": "01980000-0000-7000-8000-000000000001",
         *           "transcript_id": null,
         *           "created_at": "2026-01-15T09:30:00.000Z"
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        SuppressionPage: {
            items: components["schemas"]["Suppression"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /**
         * @description `asked`: by the person itself, the default; `registry`: a public list.
         * @enum {string}
         */
        SuppressionReason: "asked" | "imported" | "registry" | "wrong_number";
        /**
         * @description Which calls to the number it is about; `user`: all.
         * @enum {string}
         */
        SuppressionScope: "user" | "agent" | "campaign" | "purpose";
        SuppressionsAdded: {
            /** @description New ones. */
            added: number;
            /** @description Those for a number and scope that had one already. */
            changed: number;
        };
        SuppressionsPost: {
            entries: components["schemas"]["SuppressionEntry"][];
        };
        /**
         * @description As `cassette` of the test run.
         * @enum {string}
         */
        TapeMode: "record" | "replay";
        /**
         * @example {
         *       "task_id": "01980000-0000-7000-8000-000000000007",
         *       "kind": "chat_turn",
         *       "attempt": 1,
         *       "lease_token": 1,
         *       "lease_expires_at": "2026-01-15T09:30:30.000Z",
         *       "payload": {
         *         "chat_id": "01980000-0000-7000-8000-000000000001",
         *         "messages": [
         *           {
         *             "speaker": "USER",
         *             "content": "Hello?"
         *           }
         *         ]
         *       }
         *     }
         */
        Task: {
            task_id: string;
            kind: components["schemas"]["TaskKind"];
            /** @description 1 for the first worker that holds it. */
            attempt: number;
            /** @description As in the claimed task: proves who holds it. */
            lease_token: number;
            /**
             * Format: date-time
             * @description Another worker may get the task then, unless a heartbeat extends it.
             */
            lease_expires_at: string;
            payload: components["schemas"]["JsonObject"];
        };
        /** @description Absent if models are asked, and nothing is kept. */
        TaskCassette: {
            mode: components["schemas"]["TapeMode"];
            recorded: components["schemas"]["JsonObject"] | null;
        };
        TaskClaim: {
            kind: components["schemas"]["TaskKind"];
            /**
             * @description Maximum number of tasks.
             * @default 1
             */
            capacity?: number;
            calls?: components["schemas"]["CallCapacity"];
            /**
             * @description Seconds to wait for the first task.
             * @default 0
             */
            wait_s?: number;
        };
        TaskEnded: {
            task_id: string;
        };
        TaskEvents: {
            /** @description As in the claimed task: proves who holds it. */
            lease_token: number;
            /** @description In the order in which they happened. */
            events: components["schemas"]["JsonObject"][];
        };
        TaskExtended: {
            /** Format: date-time */
            lease_expires_at: string;
        };
        TaskFailure: {
            /** @description As in the claimed task: proves who holds it. */
            lease_token: number;
            /** @description For operators. */
            error: string;
            /** @description Whether another attempt may succeed. */
            retryable: boolean;
            /** @description For whoever waits for the result, if this was the last attempt. */
            detail?: string;
        };
        /**
         * @description The kind of a task, which has a schema of its payload and one of its result.
         * @enum {string}
         */
        TaskKind: "chat_turn" | "scenario" | "analysis" | "provider_check" | "function_check";
        TaskLease: {
            /** @description As in the claimed task: proves who holds it. */
            lease_token: number;
        };
        TaskPrice: {
            provider: string;
            event_type: components["schemas"]["TestUsageType"];
            /** @description Null for all models that have no price of their own. */
            model: string | null;
            /** @description Of one unit. */
            price: string;
        };
        TaskResult: {
            /** @description As in the claimed task: proves who holds it. */
            lease_token: number;
            result: components["schemas"]["JsonObject"];
        };
        /** @description The newest result of the base version; null if it has none of the scenario as it is now. */
        TestBase: {
            /** @description Runs that passed. */
            passed: number;
            /** @description Runs that failed. */
            failed: number;
        };
        /** @description An expectation, and the fact that decided. */
        TestCheck: {
            expected: string;
            outcome: components["schemas"]["TestOutcome"];
            found: string;
            /** @description Those of a judge. */
            votes?: components["schemas"]["TestVote"][];
        };
        TestConversation: {
            status: components["schemas"]["TestConversationStatus"];
            /** @description How many runs went like this. */
            times: number;
            checks: components["schemas"]["TestCheck"][];
            turns: components["schemas"]["TestTurn"][];
            end_reason: components["schemas"]["TestEndReason"];
            error: string | null;
            world: components["schemas"]["JsonObject"];
            /** @description Null if a price is not known. */
            cost: string | null;
            /** @description Milliseconds of the virtual clock; by voice of the real one. */
            duration_ms: number;
        };
        /**
         * @description The outcome of the conversation.
         * @enum {string}
         */
        TestConversationStatus: "passed" | "failed" | "invalid";
        TestDecision: {
            /** @description Who decided: a provider and its model, or `rules`. */
            model: string;
            words: string;
            /** @description Names of the tools that it called. */
            calls: string[];
            /** @description How long it took, in milliseconds of the real clock. */
            ms: number;
        };
        /**
         * @description How the conversation ended.
         * @enum {string}
         */
        TestEndReason: "caller_hung_up" | "agent_hung_up" | "transferred" | "script_over" | "failed";
        /**
         * @description Sent by `POST /api/webhook-endpoints/{endpoint_id}/test`, signed like any other.
         * @example {
         *       "type": "webhook.test",
         *       "timestamp": "2026-01-15T09:30:00.000Z",
         *       "data": {
         *         "endpoint_id": "01980000-0000-7000-8000-000000000005",
         *         "message": "A test event, sent on request. Nothing has happened."
         *       }
         *     }
         */
        TestEvent: {
            /** @description `webhook.test`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["TestEventData"];
        };
        TestEventData: {
            endpoint_id: string;
            message: string;
        };
        /**
         * @description `undecided`: it could not be decided, so the run is invalid. `not_checked`: rules answered, which neither take time nor cost anything.
         * @enum {string}
         */
        TestOutcome: "passed" | "failed" | "undecided" | "not_checked";
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000014",
         *       "scenario_id": "01980000-0000-7000-8000-000000000011",
         *       "replay": null,
         *       "base": null,
         *       "name": "asks when we open",
         *       "critical": false,
         *       "status": "failed",
         *       "verdict": "regressed",
         *       "runs": 1,
         *       "passed": 0,
         *       "failed": 1,
         *       "invalid": 0,
         *       "interval": {
         *         "low": 0,
         *         "high": 0.7935
         *       },
         *       "problems": [
         *         "failed: the agent says \"ten\" (not said)"
         *       ],
         *       "error": null,
         *       "conversations": [
         *         {
         *           "status": "failed",
         *           "times": 1,
         *           "checks": [
         *             {
         *               "expected": "the agent says \"ten\"",
         *               "outcome": "failed",
         *               "found": "not said"
         *             }
         *           ],
         *           "turns": [
         *             {
         *               "at_ms": 0,
         *               "heard": "When do you open?",
         *               "interrupted": false,
         *               "words": "At nine.",
         *               "calls": [],
         *               "first_word_ms": 0
         *             }
         *           ],
         *           "end_reason": "script_over",
         *           "error": null,
         *           "world": {},
         *           "cost": "0",
         *           "duration_ms": 0
         *         }
         *       ],
         *       "is_complete": true,
         *       "started_at": "2026-01-15T09:30:00.000Z",
         *       "ended_at": "2026-01-15T09:30:04.000Z"
         *     }
         */
        TestResult: {
            id: string;
            /** @description Null for a call that is replayed, and for one of `texts`. */
            scenario_id: string | null;
            replay: components["schemas"]["Replay"] | null;
            name: string;
            critical: boolean;
            status: components["schemas"]["TestStatus"];
            verdict: components["schemas"]["TestVerdict"];
            base: components["schemas"]["TestBase"] | null;
            /** @description Runs that were asked for. */
            runs: number;
            /** @description Runs that passed. */
            passed: number;
            /** @description Runs that failed. */
            failed: number;
            /** @description Runs that say nothing about the agent. */
            invalid: number;
            interval: components["schemas"]["RateInterval"];
            /** @description Why the first run that did not pass did not. */
            problems: string[];
            /** @description Why there is no result. */
            error: string | null;
            /** @description Those that differ, beginning with those that did not pass. */
            conversations: components["schemas"]["TestConversation"][];
            /** @description Whether all that differ are listed; large ones are not kept. */
            is_complete: boolean;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        /** @description A page of TestResult items. */
        TestResultPage: {
            items: components["schemas"]["TestResult"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000013",
         *       "user_id": "user-1",
         *       "purpose": "test",
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "agent_version": 4,
         *       "suite": null,
         *       "cassette": "passthrough",
         *       "base_version": null,
         *       "status": "passed",
         *       "is_simulated": false,
         *       "scenarios": 1,
         *       "passed": 1,
         *       "failed": 0,
         *       "invalid": 0,
         *       "created_at": "2026-01-15T09:30:00.000Z",
         *       "started_at": "2026-01-15T09:30:00.000Z",
         *       "ended_at": "2026-01-15T09:30:04.000Z"
         *     }
         */
        TestRun: {
            id: string;
            user_id: string;
            /**
             * @description It is no call: statistics and callbacks of calls do not know it, and budgets only with `count_tests`.
             * @enum {string}
             */
            purpose: "test";
            agent_id: string;
            /** @description The version that is tested; a draft has become one. */
            agent_version: number;
            /** @description The suite that was run; null for chosen scenarios. */
            suite: string | null;
            cassette: components["schemas"]["CassetteMode"];
            /** @description With whose earlier results these are compared. */
            base_version: number | null;
            status: components["schemas"]["TestStatus"];
            /** @description Whether this is the sandbox, where rules answer instead of a model. */
            is_simulated: boolean;
            /** @description How many there are. */
            scenarios: number;
            /** @description Scenarios of which every run passed. */
            passed: number;
            /** @description Scenarios of which a run failed. */
            failed: number;
            /** @description Scenarios without a result. */
            invalid: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        TestRunCreate: {
            agent_id: string;
            /**
             * AgentVersionSource
             * @description The number of a version, or `draft`.
             */
            agent_version: number | string;
            /** @description Runs of each, instead of those that it asks for. */
            runs?: number;
            cassette?: components["schemas"]["CassetteMode"];
            /** @description The id of a suite. */
            suite?: string;
            /** @description Instead of a suite: ids of scenarios. */
            scenarios?: string[];
            /** @description Instead of either: scenarios in YAML or JSON, which are run and not saved. Neither `base_version` nor a `cassette` goes with them. */
            texts?: string[];
            calls?: components["schemas"]["ReplayedCalls"];
            /** @description Verdicts compare with the newest results of this version, of the scenario as it is now: `regressed` only if the intervals separate. */
            base_version?: number;
        };
        /**
         * @description Sent once for each test run, to the webhook endpoints of the user.
         * @example {
         *       "type": "test_run.finished",
         *       "timestamp": "2026-01-15T09:30:04.000Z",
         *       "data": {
         *         "id": "01980000-0000-7000-8000-000000000013",
         *         "user_id": "user-1",
         *         "purpose": "test",
         *         "agent_id": "01980000-0000-7000-8000-000000000000",
         *         "agent_version": 4,
         *         "suite": null,
         *         "cassette": "passthrough",
         *         "base_version": null,
         *         "status": "passed",
         *         "is_simulated": false,
         *         "scenarios": 1,
         *         "passed": 1,
         *         "failed": 0,
         *         "invalid": 0,
         *         "created_at": "2026-01-15T09:30:00.000Z",
         *         "started_at": "2026-01-15T09:30:00.000Z",
         *         "ended_at": "2026-01-15T09:30:04.000Z"
         *       }
         *     }
         */
        TestRunFinished: {
            /** @description `test_run.finished`. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["TestRun"];
        };
        /** @description A page of TestRun items. */
        TestRunPage: {
            items: components["schemas"]["TestRun"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /**
         * @description `invalid`: nothing can be said about the agent, because the conversations could not be held, or not checked.
         * @enum {string}
         */
        TestStatus: "queued" | "running" | "passed" | "failed" | "invalid" | "canceled";
        /** @description A call of a tool, and what the model got. */
        TestToolCall: {
            name: string;
            arguments: components["schemas"]["JsonObject"];
            text: string;
            is_error: boolean;
            /** @description Milliseconds of the virtual clock; by voice of the real one. */
            ms: number;
        };
        /** @description What was heard, decided and said. */
        TestTurn: {
            /** @description Milliseconds of the virtual clock; by voice of the real one. */
            at_ms: number;
            /** @description What the caller said or pressed, by voice as the agent heard it; null when the agent began. */
            heard: string | null;
            /** @description Whether the caller interrupted. */
            interrupted: boolean;
            /** @description What the agent said. */
            words: string;
            calls: components["schemas"]["TestToolCall"][];
            /** @description Until its first word; null if it said nothing. */
            first_word_ms: number | null;
            /** @description By voice: from the end of the words of the caller until the first sound of the agent reached the caller; null if none did. */
            first_audio_ms?: number | null;
            /** @description The answers of its model, in order; several if it called tools. */
            decisions?: components["schemas"]["TestDecision"][];
        };
        TestUsage: {
            provider: string;
            model: string;
            event_type: components["schemas"]["TestUsageType"];
            quantity: string;
            /** @description Without it, the price book decides. */
            unit_cost?: string;
        };
        /**
         * @description The unit that is counted.
         * @enum {string}
         */
        TestUsageType: "llm_tokens" | "llm_input_tokens" | "llm_cached_tokens" | "llm_output_tokens" | "stt_minutes" | "tts_characters";
        /**
         * @description `flaky`: some runs passed. `regressed`: none did, or not every one of a critical scenario, or, with a base, the interval lies below that of the base. `unknown`: no run says anything yet.
         * @enum {string}
         */
        TestVerdict: "passed" | "flaky" | "regressed" | "unknown";
        TestVote: {
            /** @description Whether the claim is true; null if it decided nothing. */
            holds: boolean | null;
            reason: string;
        };
        TextDiff: {
            path: string;
            /** @description In the unified format, without a header. */
            diff: string;
        };
        TimelineEntry: {
            status: components["schemas"]["SessionStatus"];
            call_status: components["schemas"]["CallStatus"] | null;
            failed_over: components["schemas"]["FailedOver"] | null;
            /** Format: date-time */
            created_at: string;
        };
        TimelineKeys: {
            speaker: components["schemas"]["Speaker"];
            /** @description The name of the entry in `tools.collect_digits`; null for keys of the agent. */
            name: string | null;
            /** @description The keys. Null if they are sensitive, or `privacy.redact` replaces them. */
            digits: string | null;
            /** @description Whether only functions of the agent get the keys. */
            is_sensitive: boolean;
            /**
             * Format: date-time
             * @description When the agent began to wait for them, or to press them.
             */
            created_at: string;
        };
        /** @description All turns found. */
        TotalLatency: {
            transcript: components["schemas"]["Latency"] | null;
            first_token: components["schemas"]["Latency"] | null;
            first_audio: components["schemas"]["Latency"] | null;
        };
        /**
         * @example {
         *       "id": "01980000-0000-7000-8000-000000000001",
         *       "session_id": "01980000-0000-7000-8000-000000000001",
         *       "content": "I would like to move my appointment.",
         *       "speaker": "USER",
         *       "timestamp": "2026-01-15T09:30:00.000Z"
         *     }
         */
        Transcript: {
            id: string;
            session_id: string;
            content: string;
            speaker: components["schemas"]["Speaker"];
            /** Format: date-time */
            timestamp: string;
        };
        TranscriptCreate: {
            content: string;
            speaker?: components["schemas"]["Speaker"] | null;
            /** Format: date-time */
            timestamp?: string | null;
            /**
             * Format: date-time
             * @description When its sound begins: see `lines` of `getRecordingLevels`.
             */
            started_at?: string | null;
        };
        TranscriptLine: {
            id: string;
            speaker: components["schemas"]["Speaker"];
            content: string;
            /** Format: date-time */
            timestamp: string;
        };
        /** @description A page of Transcript items. */
        TranscriptPage: {
            items: components["schemas"]["Transcript"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        Transfer: {
            session_id: string;
            transfer_type: components["schemas"]["TransferType"];
            transferred_to: string;
            /** @description `completed` (cold) or `initiated` (warm: the target is being dialled). */
            status: string;
            message: string;
        };
        TransferAttempt: {
            id: string;
            transfer_type: components["schemas"]["TransferType"];
            phone_number: string;
            /** @description Whether no worker had taken the call, so that it went to `inbound.fallback_number` of its agent. */
            fallback: boolean;
            /** @description Whether the agent talks to the target first, while the caller waits. */
            attended: boolean;
            /** @description What the agent tells the target; null once that is over. */
            briefing: string | null;
            status: components["schemas"]["TransferStatus"];
            reason: components["schemas"]["EndReason"] | null;
            sip_status_code: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @enum {string} */
        TransferOutcome: "connect" | "return";
        TransferRequest: {
            /** @example +15005550100 */
            phone_number: string;
            type?: components["schemas"]["TransferTypeInput"] | null;
            /**
             * @description WARM only: once the target has answered, the caller hears music while the agent asks the target, and the two are connected if it agrees. Then `type` is WARM by default.
             * @default false
             */
            attended?: boolean;
            /** @description What the agent tells the target of an attended transfer about the caller. */
            briefing?: string;
        };
        /** @enum {string} */
        TransferReturnReason: "declined" | "voicemail" | "canceled";
        /**
         * @description `pending` while the target is dialled; `connected` while all three talk, or the agent and the target of an attended one. That is `failed` once the caller is back with the agent, and `reason` says why: `declined`, `voicemail`, `hangup`, `canceled` by a request, `max_duration`, `call_ended`.
         * @enum {string}
         */
        TransferStatus: "pending" | "connected" | "completed" | "failed";
        /**
         * @description COLD refers the caller to the target; WARM dials the target into the room.
         * @enum {string}
         */
        TransferType: "WARM" | "COLD";
        /**
         * @description As `TransferType`; lower case is accepted.
         * @enum {string}
         */
        TransferTypeInput: "WARM" | "COLD" | "warm" | "cold";
        /**
         * @example {
         *       "trunk": "ST_a",
         *       "end_reason": "trunk_failure",
         *       "sip_status_code": 503
         *     }
         */
        TrunkAttempt: {
            /** @description Its id, as in `LIVEKIT_SIP_TRUNK_ID`. */
            trunk: string;
            /** @description Why the call went no further there; null if it was answered. */
            end_reason: string | null;
            sip_status_code: number | null;
        };
        /** @description The voice. */
        TtsModel: {
            provider?: components["schemas"]["TtsProvider"];
            /** @description The model, by the name that the provider gives it. */
            model?: string;
            /** @description The voice, by the name or id that the provider gives it. */
            voice?: string;
            /**
             * @description A BCP 47 language tag.
             * @example en
             * @example pt-BR
             */
            language?: string;
            /** @description 1 is the normal speed. */
            speed?: number;
            /**
             * @description An address that speaks the protocol of the provider. The worker decides which ones it may use.
             * @example http://127.0.0.1:11434/v1
             */
            base_url?: string;
            /** @description Passed to the plugin of the provider unchanged. */
            options?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description `openai` with a `base_url` is any server that speaks its protocol; `livekit` is the inference gateway of LiveKit; `local` are rules in the worker that answer from the instructions.
         * @default openai
         * @enum {string}
         */
        TtsProvider: "openai" | "elevenlabs" | "cartesia" | "deepgram" | "google" | "livekit";
        /**
         * @example {
         *       "session_id": "01980000-0000-7000-8000-000000000001",
         *       "turn_index": 0,
         *       "model": "gpt-4o-mini",
         *       "end_of_speech_at": "2026-01-15T09:30:04.120Z",
         *       "transcript_ms": 180,
         *       "first_token_ms": 540,
         *       "first_audio_ms": 790,
         *       "interrupted_after_ms": null
         *     }
         */
        Turn: {
            session_id: string;
            turn_index: number;
            model: string | null;
            /**
             * Format: date-time
             * @description When the caller’s last sound ended, at the caller.
             */
            end_of_speech_at: string;
            /** @description Milliseconds from the end of speech to the final transcript, at the worker; 0 if it was earlier, null if there was none. */
            transcript_ms: number | null;
            /** @description Milliseconds from the end of speech to the first token of the model, at the worker; 0 if it was earlier, null if there was none. */
            first_token_ms: number | null;
            /** @description Milliseconds from the end of speech to the first sound of the agent, as the caller hears it; 0 if it was earlier, null if there was none. */
            first_audio_ms: number | null;
            /** @description How long the agent had been speaking when the caller began these words, in milliseconds; null if it was silent. */
            interrupted_after_ms: number | null;
        };
        /**
         * @description What decides that the user has finished: silence, the speech recognition, or a turn detection model.
         * @default vad
         * @enum {string}
         */
        TurnDetectionMode: "vad" | "stt" | "model";
        /** @description A page of Turn items. */
        TurnPage: {
            items: components["schemas"]["Turn"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        TurnsCreate: {
            turns?: components["schemas"]["NewTurn"][];
            /** @description Calls of tools that have ended, in order. Those beyond 256 KiB of a session, as it is stored, are not kept. */
            tool_calls?: components["schemas"]["NewToolCall"][];
        };
        TurnsReported: {
            /** @description Number of new turns. */
            added: number;
            /** @description Number of turns that already existed, and are unchanged. */
            known: number;
        };
        /**
         * @description What follows where zone or region are not known for certain. `strictest`, the default: it must be allowed in all that are possible. `deny`: nobody is called.
         * @enum {string}
         */
        UnknownZone: "strictest" | "deny";
        /** @description A record of the carrier without a line in the ledger. */
        UnmatchedCarrierRecord: {
            carrier_call_sid: string;
            parent_call_sid: string | null;
            from: string;
            to: string;
            /** Format: date-time */
            started_at: string;
            duration_s: number;
            /** @description Null: not billed yet. */
            cost: string | null;
            currency: string;
        };
        /** @description These are not booked. Up to 1,000 are listed. */
        UnmatchedCarrierRecords: {
            count: number;
            billed: string;
            items: components["schemas"]["UnmatchedCarrierRecord"][];
        };
        /** @description A line in the ledger without a record of the carrier. */
        UnmatchedLine: {
            session_id: string;
            event_id: string;
            direction: components["schemas"]["Direction"] | null;
            /** Format: date-time */
            ended_at: string;
            booked: string;
        };
        /** @description These remain booked. Up to 1,000 are listed. */
        UnmatchedLines: {
            count: number;
            booked: string;
            items: components["schemas"]["UnmatchedLine"][];
        };
        UnpricedCosts: {
            /** @description Number of events without a price, which count as 0. */
            events: number;
            /** @description The kinds of unpriced events, most events first: up to 100. */
            kinds: components["schemas"]["UnpricedKind"][];
        };
        /**
         * @example {
         *       "provider": "openai",
         *       "event_type": "llm_tokens",
         *       "model": "gpt-5",
         *       "direction": null,
         *       "events": 12
         *     }
         */
        UnpricedEvents: {
            provider: string;
            event_type: components["schemas"]["LedgerEventType"];
            model: string | null;
            direction: components["schemas"]["Direction"] | null;
            events: number;
        };
        /** @description Events of one kind that have no price. */
        UnpricedKind: {
            provider: string;
            model: string | null;
            event_type: components["schemas"]["LedgerEventType"];
            events: number;
        };
        UsageBatch: {
            /** @description In the order sent. */
            events: components["schemas"]["LedgerEvent"][];
        };
        UsageBatchCreate: {
            /** @description Of one user. */
            events: components["schemas"]["UsageBatchEvent"][];
        };
        /**
         * @example {
         *       "session_id": "01980000-0000-7000-8000-000000000000",
         *       "user_id": "user-1",
         *       "provider": "openai",
         *       "event_type": "llm_output_tokens",
         *       "quantity": 1250,
         *       "unit_cost": "0.0000006",
         *       "total_cost": "0.00075",
         *       "model": "gpt-4o-mini"
         *     }
         */
        UsageBatchEvent: {
            session_id: string;
            user_id: string;
            agent_id?: string | null;
            provider: string;
            event_type: components["schemas"]["LedgerEventType"];
            /** @example 0.000015 */
            quantity: number | string;
            /**
             * @description Default: the price in the price book; without one the event is stored as unpriced.
             * @example 0.000015
             */
            unit_cost?: number | string | null;
            /**
             * @description Default: `quantity` times `unit_cost`, with all digits.
             * @example 0.000015
             */
            total_cost?: number | string | null;
            /** @description The model, if prices depend on it. */
            model?: string | null;
        };
        UsageEvent: {
            id: string;
            session_id: string;
            user_id: string;
            agent_id: string | null;
            provider: string;
            event_type: components["schemas"]["EventType"];
            quantity: string;
            unit_cost: string;
            total_cost: string;
            /** Format: date-time */
            created_at: string;
        };
        UsageEventCreate: {
            session_id: string;
            user_id: string;
            agent_id?: string | null;
            provider: string;
            event_type: components["schemas"]["EventType"];
            /** @example 0.000015 */
            quantity: number | string;
            /** @example 0.000015 */
            unit_cost: number | string;
            /** @example 0.000015 */
            total_cost: number | string;
        };
        /**
         * @description A user that has agents.
         * @example {
         *       "user_id": "user-1",
         *       "legal_hold": false
         *     }
         */
        User: {
            user_id: string;
            /** @description Whether none of the user’s conversations are deleted (docs/privacy.md). */
            legal_hold?: boolean;
        };
        /** @description A page of User items. */
        UserPage: {
            items: components["schemas"]["User"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description What is not kept of conversations of the user that begin from now on, beside what their agents say: what either redacts is replaced, and the shorter time counts. */
        UserPrivacy: {
            /** @description Secrets that are replaced by placeholders like `[card]` before anything is written. */
            redact?: components["schemas"]["RedactionKind"][];
            /** @description Patterns that are replaced in the same way. */
            custom?: {
                /** @description `[name]` takes the place of what the pattern matches. */
                name: string;
                /** @description A regular expression in the syntax of RE2; upper and lower case are the same. */
                pattern: string;
            }[];
            /** @description How long conversations are kept that begin from now on, if the installation does not delete them earlier. */
            keep?: {
                /** @description Days after which the words of a conversation are deleted. */
                transcripts_days?: number;
                /** @description Days after which its recordings are deleted. */
                recordings_days?: number;
                /** @description Days after which its variables, `metadata` and `session_data` are deleted. */
                metadata_days?: number;
            };
        };
        UserSettings: {
            user_id: string;
            /** @description Whether none of the user’s conversations are deleted. */
            legal_hold: boolean;
            privacy: components["schemas"]["UserPrivacy"] | null;
        };
        /** @description What is absent stays; `privacy` is replaced as a whole, and `null` removes it. */
        UserUpdate: {
            /** @description Whether none of the user’s conversations are deleted. */
            legal_hold?: boolean;
            privacy?: components["schemas"]["UserPrivacy"] | null;
        };
        /** @description One problem of a request. */
        ValidationError: {
            /** @description `body`, `path`, `query` or `header`, then the path of the field. */
            loc: (string | number)[];
            /** @description A message for people. */
            msg: string;
            /** @description What is wrong: `missing`, `string_type`, `enum`, … */
            type: string;
            /** @description The value that was sent. */
            input?: unknown;
            /** @description The bound that was exceeded. */
            ctx?: {
                [key: string]: unknown;
            };
        };
        /** @description All problems of an invalid request. */
        ValidationFailure: {
            detail: components["schemas"]["ValidationError"][];
        };
        /**
         * @description What the agent does once an answering machine has answered. It reports `answered_by: voicemail`, or `unavailable` if the machine takes no message.
         * @default hang_up
         * @enum {string}
         */
        VoicemailAction: "hang_up" | "leave_message" | "continue";
        WebCall: {
            agent_id: string;
            /**
             * AgentVersionSource
             * @description The number of a version, or `draft`.
             */
            agent_version?: number | string;
            /**
             * Format: uri
             * @example https://example.com/calls
             */
            callback_url?: string | null;
            variables?: components["schemas"]["CallVariables"] | null;
            metadata?: components["schemas"]["CallMetadata"] | null;
            /** @description Seconds after which the call is hung up; at most `MAX_CALL_DURATION_S`, which is the default. */
            max_duration_s?: number | null;
            /** @description Whether the call is recorded, if its agent has `recording` in its configuration. Default: as `recording.enabled` says. */
            record?: boolean | null;
        };
        /** @description Everything a page needs to talk to the agent. */
        WebCallStarted: {
            call_id: string;
            room_name: string;
            /** @description The URL to connect to with `token`. */
            url: string;
            /** @description Valid for the room of this call only, until `expires_at`. */
            token: string;
            /** @description Path and query of the event stream of the call, for an `EventSource`, relative to the service. */
            events_url: string;
            /** Format: date-time */
            expires_at: string;
        };
        WebhookEndpoint: {
            id: string;
            user_id: string;
            url: string;
            /** @description The types of events to send. Null: all, including those of later versions. */
            events: components["schemas"]["WebhookEventType"][] | null;
            is_active: boolean;
            /**
             * Format: date-time
             * @description Since when nothing is sent because the receiver answered 410. Updating the endpoint resumes delivery.
             */
            disabled_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookEndpointCreate: {
            /**
             * Format: uri
             * @example https://example.com/calls
             */
            url: string;
            /** @description The types of events to send. Null: all, including those of later versions. */
            events?: components["schemas"]["WebhookEventType"][] | null;
            /** @default true */
            is_active?: boolean;
        };
        /** @description A page of WebhookEndpoint items. */
        WebhookEndpointPage: {
            items: components["schemas"]["WebhookEndpoint"][];
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        WebhookEndpointUpdate: {
            /**
             * Format: uri
             * @example https://example.com/calls
             */
            url?: string;
            /** @description The types of events to send. Null: all, including those of later versions. */
            events?: components["schemas"]["WebhookEventType"][] | null;
            is_active?: boolean;
        };
        /**
         * @description The type of an event.
         * @enum {string}
         */
        WebhookEventType: "call.answered" | "call.completed" | "call.failed" | "call.no_answer" | "call.transferred" | "call.transfer_answered" | "call.report" | "call.analyzed" | "call.transfer_failed" | "chat.ended" | "scheduled_call.changed" | "budget.threshold" | "test_run.finished" | "campaign.started" | "campaign.paused" | "campaign.blocked" | "campaign.completed" | "campaign.canceled" | "recipient.finished" | "call.digits" | "recording.stored" | "recording.failed" | "quota.threshold" | "agent.released" | "suppression.added";
        /** @enum {string} */
        Weekday: "sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat";
        WorkItem: {
            id: string;
            /** @description For instance `number_watch`. */
            kind: string;
            /** @description What it is about, for instance a phone number. */
            subject: string;
            /** Format: date-time */
            due_at: string;
            /** @description Attempts since it was added or last succeeded. */
            attempts: number;
            last_error: string | null;
            is_running: boolean;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @example {
         *       "kind": "number_watch",
         *       "waiting": 1,
         *       "running": 0,
         *       "failing": 1,
         *       "oldest_due_at": null
         *     }
         */
        WorkKind: {
            /** @description For instance `number_watch`. */
            kind: string;
            /** @description Not begun, due or not; work that is tried again is part of it. */
            waiting: number;
            /** @description Held by a process. */
            running: number;
            /** @description Whose last attempt has failed. */
            failing: number;
            /** Format: date-time */
            oldest_due_at: string | null;
        };
        WorkList: {
            /** @description Every kind of which work is stored. */
            kinds: components["schemas"]["WorkKind"][];
            /** @description Work whose last attempt has failed; `kinds` has the counts of all. */
            failing: components["schemas"]["WorkItem"][];
        };
        /**
         * @description The job metadata that an agent's worker receives when it is dispatched into a room, as JSON. Fields may be added within a version.
         * @example {
         *       "version": 1,
         *       "session_id": "01980000-0000-7000-8000-000000000001",
         *       "room_name": "call-01980000",
         *       "user_id": "user-1",
         *       "agent_id": "01980000-0000-7000-8000-000000000000",
         *       "agent_name": "Front desk",
         *       "agent_version": 4,
         *       "config": {
         *         "greeting": "Hello {{name}}"
         *       },
         *       "direction": "OUTBOUND",
         *       "from_number": "+15005550010",
         *       "to_number": "+15005550100",
         *       "variables": {
         *         "name": "Ada"
         *       },
         *       "metadata": {
         *         "crm_id": "C-17"
         *       }
         *     }
         */
        WorkerJob: {
            /**
             * @description The version of this schema.
             * @enum {integer}
             */
            version: 1;
            session_id: string;
            room_name: string;
            user_id: string;
            agent_id: string;
            agent_name: string;
            /** @description The version that `agent_name` and `config` are of. Null: a call of an earlier release. */
            agent_version: number | null;
            config: components["schemas"]["JsonObject"];
            direction: components["schemas"]["Direction"];
            /** @description INBOUND: the caller's number. OUTBOUND: the caller ID; null: the trunk's. WEB: null. */
            from_number: string | null;
            /** @description INBOUND: the called number. OUTBOUND: the callee's number. WEB: null. */
            to_number: string | null;
            variables: components["schemas"]["CallVariables"];
            metadata: components["schemas"]["CallMetadata"];
        };
        /** @description The JSON Schema (2020-12) of `WorkerJob`. */
        WorkerJobSchema: {
            [key: string]: unknown;
        };
        /** @description Who does the tasks of each kind (`POST /api/worker/tasks/claim`); null if it could not be read. */
        WorkersReadiness: {
            chat_turn: components["schemas"]["ServedBy"];
            scenario: components["schemas"]["ServedBy"];
            analysis: components["schemas"]["ServedBy"];
            provider_check: components["schemas"]["ServedBy"];
            function_check: components["schemas"]["ServedBy"];
        };
    };
    responses: {
        /** @description Credentials or the calling user are missing or invalid. */
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The user’s budget is spent. */
        PaymentRequired: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The caller lacks permission. */
        Forbidden: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The resource does not exist, or belongs to another user. */
        NotFound: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The state of the resource does not allow it. */
        Conflict: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The resource is no longer the one that `If-Match` names. */
        ChangedMeanwhile: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is larger than the operation accepts. */
        BodyTooLarge: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is not JSON. */
        UnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request is invalid; the response lists all of its problems. */
        Invalid: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationFailure"];
            };
        };
        /** @description A limit was reached: retry after `Retry-After`. */
        TooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The service failed; its log has the cause under `request_id`. */
        InternalError: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The media provider or the carrier refused. */
        ProviderRefused: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Temporarily unavailable: retry after `Retry-After`. */
        Unavailable: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The media provider or the carrier did not respond in time. */
        ProviderTimeout: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of the request: as sent by the client, or a new one. */
        "x-request-id": string;
        /** @description Seconds to wait before a retry. */
        "retry-after": number;
    };
    pathItems: never;
}
export type Agent = components['schemas']['Agent'];
export type AgentCallbackUrl = components['schemas']['AgentCallbackUrl'];
export type AgentCallbackUrlUpdate = components['schemas']['AgentCallbackUrlUpdate'];
export type AgentConfig = components['schemas']['AgentConfig'];
export type AgentConfigCheck = components['schemas']['AgentConfigCheck'];
export type AgentConfigCheckRequest = components['schemas']['AgentConfigCheckRequest'];
export type AgentConfigSchema = components['schemas']['AgentConfigSchema'];
export type AgentCost = components['schemas']['AgentCost'];
export type AgentCreate = components['schemas']['AgentCreate'];
export type AgentCurrentRelease = components['schemas']['AgentCurrentRelease'];
export type AgentDraft = components['schemas']['AgentDraft'];
export type AgentDraftPut = components['schemas']['AgentDraftPut'];
export type AgentExternalKey = components['schemas']['AgentExternalKey'];
export type AgentExternalKeyUpdate = components['schemas']['AgentExternalKeyUpdate'];
export type AgentLatency = components['schemas']['AgentLatency'];
export type AgentLegalHold = components['schemas']['AgentLegalHold'];
export type AgentLegalHoldUpdate = components['schemas']['AgentLegalHoldUpdate'];
export type AgentPublishingPut = components['schemas']['AgentPublishingPut'];
export type AgentRelease = components['schemas']['AgentRelease'];
export type AgentReleasePage = components['schemas']['AgentReleasePage'];
export type AgentReleasePut = components['schemas']['AgentReleasePut'];
export type AgentReleased = components['schemas']['AgentReleased'];
export type AgentReleasedData = components['schemas']['AgentReleasedData'];
export type AgentType = components['schemas']['AgentType'];
export type AgentUpdate = components['schemas']['AgentUpdate'];
export type AgentVersion = components['schemas']['AgentVersion'];
export type AgentVersionCreate = components['schemas']['AgentVersionCreate'];
export type AgentVersionDiff = components['schemas']['AgentVersionDiff'];
export type AgentVersionSummary = components['schemas']['AgentVersionSummary'];
export type AgentVersionSummaryPage = components['schemas']['AgentVersionSummaryPage'];
export type AnalysedCall = components['schemas']['AnalysedCall'];
export type Analyses = components['schemas']['Analyses'];
export type Analysis = components['schemas']['Analysis'];
export type AnalysisBackfill = components['schemas']['AnalysisBackfill'];
export type AnalysisBackfillCreate = components['schemas']['AnalysisBackfillCreate'];
export type AnalysisBackfillFilter = components['schemas']['AnalysisBackfillFilter'];
export type AnalysisBackfillPage = components['schemas']['AnalysisBackfillPage'];
export type AnalysisBackfillState = components['schemas']['AnalysisBackfillState'];
export type AnalysisEvent = components['schemas']['AnalysisEvent'];
export type AnalysisEventType = components['schemas']['AnalysisEventType'];
export type AnalysisEvidence = components['schemas']['AnalysisEvidence'];
export type AnalysisExtractor = components['schemas']['AnalysisExtractor'];
export type AnalysisGroup = components['schemas']['AnalysisGroup'];
export type AnalysisLine = components['schemas']['AnalysisLine'];
export type AnalysisRequest = components['schemas']['AnalysisRequest'];
export type AnalysisResult = components['schemas']['AnalysisResult'];
export type AnalysisState = components['schemas']['AnalysisState'];
export type AnalysisStats = components['schemas']['AnalysisStats'];
export type AnalysisTask = components['schemas']['AnalysisTask'];
export type AnalysisUsage = components['schemas']['AnalysisUsage'];
export type AnalysisValues = components['schemas']['AnalysisValues'];
export type AnsweredBy = components['schemas']['AnsweredBy'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyCreate = components['schemas']['ApiKeyCreate'];
export type ApiKeyCreated = components['schemas']['ApiKeyCreated'];
export type ApiKeyPage = components['schemas']['ApiKeyPage'];
export type AttemptCounts = components['schemas']['AttemptCounts'];
export type AttemptLimit = components['schemas']['AttemptLimit'];
export type AttemptOutcome = components['schemas']['AttemptOutcome'];
export type AuditAction = components['schemas']['AuditAction'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditEntryPage = components['schemas']['AuditEntryPage'];
export type AuditOutcome = components['schemas']['AuditOutcome'];
export type AuditValues = components['schemas']['AuditValues'];
export type AuthMode = components['schemas']['AuthMode'];
export type BillingIncrement = components['schemas']['BillingIncrement'];
export type BlockReason = components['schemas']['BlockReason'];
export type Budget = components['schemas']['Budget'];
export type BudgetPut = components['schemas']['BudgetPut'];
export type BudgetThreshold = components['schemas']['BudgetThreshold'];
export type BudgetThresholdData = components['schemas']['BudgetThresholdData'];
export type CallAnalyzed = components['schemas']['CallAnalyzed'];
export type CallBackConfirmation = components['schemas']['CallBackConfirmation'];
export type CallBackProposal = components['schemas']['CallBackProposal'];
export type CallCapacity = components['schemas']['CallCapacity'];
export type CallCosts = components['schemas']['CallCosts'];
export type CallDetail = components['schemas']['CallDetail'];
export type CallDigits = components['schemas']['CallDigits'];
export type CallDigitsData = components['schemas']['CallDigitsData'];
export type CallDirection = components['schemas']['CallDirection'];
export type CallEvidence = components['schemas']['CallEvidence'];
export type CallGroup = components['schemas']['CallGroup'];
export type CallJob = components['schemas']['CallJob'];
export type CallListening = components['schemas']['CallListening'];
export type CallMetadata = components['schemas']['CallMetadata'];
export type CallOutcome = components['schemas']['CallOutcome'];
export type CallReplay = components['schemas']['CallReplay'];
export type CallReport = components['schemas']['CallReport'];
export type CallReportData = components['schemas']['CallReportData'];
export type CallSip = components['schemas']['CallSip'];
export type CallState = components['schemas']['CallState'];
export type CallStats = components['schemas']['CallStats'];
export type CallStatus = components['schemas']['CallStatus'];
export type CallSummary = components['schemas']['CallSummary'];
export type CallSummaryPage = components['schemas']['CallSummaryPage'];
export type CallTakenOver = components['schemas']['CallTakenOver'];
export type CallTimes = components['schemas']['CallTimes'];
export type CallTotal = components['schemas']['CallTotal'];
export type CallValues = components['schemas']['CallValues'];
export type CallVariables = components['schemas']['CallVariables'];
export type CallWindow = components['schemas']['CallWindow'];
export type Callback = components['schemas']['Callback'];
export type CallbackAttempt = components['schemas']['CallbackAttempt'];
export type CallbackData = components['schemas']['CallbackData'];
export type CallbackEvent = components['schemas']['CallbackEvent'];
export type CallbackPage = components['schemas']['CallbackPage'];
export type CallbackSecret = components['schemas']['CallbackSecret'];
export type CallbackStatus = components['schemas']['CallbackStatus'];
export type CallbackTransfer = components['schemas']['CallbackTransfer'];
export type Campaign = components['schemas']['Campaign'];
export type CampaignAbandonment = components['schemas']['CampaignAbandonment'];
export type CampaignAttempt = components['schemas']['CampaignAttempt'];
export type CampaignBlock = components['schemas']['CampaignBlock'];
export type CampaignCircuit = components['schemas']['CampaignCircuit'];
export type CampaignCreate = components['schemas']['CampaignCreate'];
export type CampaignEvent = components['schemas']['CampaignEvent'];
export type CampaignPacing = components['schemas']['CampaignPacing'];
export type CampaignPage = components['schemas']['CampaignPage'];
export type CampaignPreview = components['schemas']['CampaignPreview'];
export type CampaignRetries = components['schemas']['CampaignRetries'];
export type CampaignState = components['schemas']['CampaignState'];
export type CampaignStats = components['schemas']['CampaignStats'];
export type CampaignUpdate = components['schemas']['CampaignUpdate'];
export type CarrierImport = components['schemas']['CarrierImport'];
export type CassetteMode = components['schemas']['CassetteMode'];
export type ChangedScheduledCall = components['schemas']['ChangedScheduledCall'];
export type Chat = components['schemas']['Chat'];
export type ChatAnswer = components['schemas']['ChatAnswer'];
export type ChatCreate = components['schemas']['ChatCreate'];
export type ChatEnded = components['schemas']['ChatEnded'];
export type ChatEndedData = components['schemas']['ChatEndedData'];
export type ChatFork = components['schemas']['ChatFork'];
export type ChatMessageCreate = components['schemas']['ChatMessageCreate'];
export type ChatRewind = components['schemas']['ChatRewind'];
export type ChatToolCall = components['schemas']['ChatToolCall'];
export type ChatTurn = components['schemas']['ChatTurn'];
export type ChatTurnResult = components['schemas']['ChatTurnResult'];
export type Check = components['schemas']['Check'];
export type CheckState = components['schemas']['CheckState'];
export type ClaimedTasks = components['schemas']['ClaimedTasks'];
export type CommandAccepted = components['schemas']['CommandAccepted'];
export type ComparedCall = components['schemas']['ComparedCall'];
export type Consent = components['schemas']['Consent'];
export type ConsentPage = components['schemas']['ConsentPage'];
export type ConsentPost = components['schemas']['ConsentPost'];
export type ConsentRule = components['schemas']['ConsentRule'];
export type ConsentType = components['schemas']['ConsentType'];
export type ConsoleRole = components['schemas']['ConsoleRole'];
export type ConsoleSession = components['schemas']['ConsoleSession'];
export type ConsoleSignIn = components['schemas']['ConsoleSignIn'];
export type CostByEventType = components['schemas']['CostByEventType'];
export type CostByProvider = components['schemas']['CostByProvider'];
export type CostGroup = components['schemas']['CostGroup'];
export type CostPurpose = components['schemas']['CostPurpose'];
export type CostReport = components['schemas']['CostReport'];
export type CostSummary = components['schemas']['CostSummary'];
export type DecisionEvidence = components['schemas']['DecisionEvidence'];
export type Diagnosis = components['schemas']['Diagnosis'];
export type DialCheck = components['schemas']['DialCheck'];
export type DialCheckRequest = components['schemas']['DialCheckRequest'];
export type DialDecision = components['schemas']['DialDecision'];
export type DialDecisionPage = components['schemas']['DialDecisionPage'];
export type DialHoliday = components['schemas']['DialHoliday'];
export type DialKind = components['schemas']['DialKind'];
export type DialOutcome = components['schemas']['DialOutcome'];
export type DialPolicy = components['schemas']['DialPolicy'];
export type DialPolicyList = components['schemas']['DialPolicyList'];
export type DialPolicyPut = components['schemas']['DialPolicyPut'];
export type DialPreset = components['schemas']['DialPreset'];
export type DialReason = components['schemas']['DialReason'];
export type DialRefusal = components['schemas']['DialRefusal'];
export type DialRules = components['schemas']['DialRules'];
export type DialWindow = components['schemas']['DialWindow'];
export type Direction = components['schemas']['Direction'];
export type DisclosureReport = components['schemas']['DisclosureReport'];
export type EndReason = components['schemas']['EndReason'];
export type ErasedUser = components['schemas']['ErasedUser'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type EventType = components['schemas']['EventType'];
export type EvidenceAgent = components['schemas']['EvidenceAgent'];
export type EvidenceCall = components['schemas']['EvidenceCall'];
export type EvidenceChain = components['schemas']['EvidenceChain'];
export type EvidenceDecision = components['schemas']['EvidenceDecision'];
export type EvidenceDisclosure = components['schemas']['EvidenceDisclosure'];
export type EvidenceKey = components['schemas']['EvidenceKey'];
export type EvidenceKeySet = components['schemas']['EvidenceKeySet'];
export type EvidenceOptOut = components['schemas']['EvidenceOptOut'];
export type EvidencePolicy = components['schemas']['EvidencePolicy'];
export type EvidenceRecording = components['schemas']['EvidenceRecording'];
export type Extractor = components['schemas']['Extractor'];
export type ExtractorModel = components['schemas']['ExtractorModel'];
export type ExtractorPage = components['schemas']['ExtractorPage'];
export type ExtractorPut = components['schemas']['ExtractorPut'];
export type ExtractorWeights = components['schemas']['ExtractorWeights'];
export type ExtractorWhen = components['schemas']['ExtractorWhen'];
export type FailOverReason = components['schemas']['FailOverReason'];
export type FailedOver = components['schemas']['FailedOver'];
export type FailedOverCreate = components['schemas']['FailedOverCreate'];
export type FailedOverReason = components['schemas']['FailedOverReason'];
export type FailedOverReported = components['schemas']['FailedOverReported'];
export type Failure = components['schemas']['Failure'];
export type FunctionCheck = components['schemas']['FunctionCheck'];
export type FunctionCheckCreate = components['schemas']['FunctionCheckCreate'];
export type FunctionCheckOutcome = components['schemas']['FunctionCheckOutcome'];
export type FunctionCheckReason = components['schemas']['FunctionCheckReason'];
export type FunctionCheckRequest = components['schemas']['FunctionCheckRequest'];
export type FunctionCheckResponse = components['schemas']['FunctionCheckResponse'];
export type FunctionCheckResult = components['schemas']['FunctionCheckResult'];
export type FunctionCheckTask = components['schemas']['FunctionCheckTask'];
export type FunctionMethod = components['schemas']['FunctionMethod'];
export type GivenConsent = components['schemas']['GivenConsent'];
export type Health = components['schemas']['Health'];
export type IfMissed = components['schemas']['IfMissed'];
export type IfNotNow = components['schemas']['IfNotNow'];
export type InstructRequest = components['schemas']['InstructRequest'];
export type JsonObject = components['schemas']['JsonObject'];
export type JsonPatchOp = components['schemas']['JsonPatchOp'];
export type JsonPatchOperation = components['schemas']['JsonPatchOperation'];
export type KeyRole = components['schemas']['KeyRole'];
export type KeyScope = components['schemas']['KeyScope'];
export type LastTranscript = components['schemas']['LastTranscript'];
export type Latency = components['schemas']['Latency'];
export type LatencyReport = components['schemas']['LatencyReport'];
export type LedgerEvent = components['schemas']['LedgerEvent'];
export type LedgerEventPage = components['schemas']['LedgerEventPage'];
export type LedgerEventType = components['schemas']['LedgerEventType'];
export type LlmModel = components['schemas']['LlmModel'];
export type LlmProvider = components['schemas']['LlmProvider'];
export type MediaEvent = components['schemas']['MediaEvent'];
export type MediaEventReceived = components['schemas']['MediaEventReceived'];
export type ModelKind = components['schemas']['ModelKind'];
export type NewToolCall = components['schemas']['NewToolCall'];
export type NewTurn = components['schemas']['NewTurn'];
export type NumberAssign = components['schemas']['NumberAssign'];
export type NumberAssigned = components['schemas']['NumberAssigned'];
export type NumberLookup = components['schemas']['NumberLookup'];
export type NumberRelease = components['schemas']['NumberRelease'];
export type NumberReleased = components['schemas']['NumberReleased'];
export type OnRefusal = components['schemas']['OnRefusal'];
export type OptOutNoticedBy = components['schemas']['OptOutNoticedBy'];
export type OptOutScope = components['schemas']['OptOutScope'];
export type OutboundCall = components['schemas']['OutboundCall'];
export type OutboundCallStarted = components['schemas']['OutboundCallStarted'];
export type OwnedNumber = components['schemas']['OwnedNumber'];
export type OwnedNumberPage = components['schemas']['OwnedNumberPage'];
export type PacingInUse = components['schemas']['PacingInUse'];
export type PeriodCost = components['schemas']['PeriodCost'];
export type PresetName = components['schemas']['PresetName'];
export type PressRequest = components['schemas']['PressRequest'];
export type PreviewHour = components['schemas']['PreviewHour'];
export type PreviewRefusal = components['schemas']['PreviewRefusal'];
export type Price = components['schemas']['Price'];
export type PriceChange = components['schemas']['PriceChange'];
export type PriceEntry = components['schemas']['PriceEntry'];
export type PricePage = components['schemas']['PricePage'];
export type PricesApplied = components['schemas']['PricesApplied'];
export type PricesChanged = components['schemas']['PricesChanged'];
export type PricesPut = components['schemas']['PricesPut'];
export type ProposedCallBack = components['schemas']['ProposedCallBack'];
export type ProviderCheck = components['schemas']['ProviderCheck'];
export type ProviderCheckCreate = components['schemas']['ProviderCheckCreate'];
export type ProviderCheckOutcome = components['schemas']['ProviderCheckOutcome'];
export type ProviderCheckReason = components['schemas']['ProviderCheckReason'];
export type ProviderCheckResult = components['schemas']['ProviderCheckResult'];
export type ProviderReadiness = components['schemas']['ProviderReadiness'];
export type ProvidersReadiness = components['schemas']['ProvidersReadiness'];
export type Publishing = components['schemas']['Publishing'];
export type Purpose = components['schemas']['Purpose'];
export type Quota = components['schemas']['Quota'];
export type QuotaThreshold = components['schemas']['QuotaThreshold'];
export type QuotaThresholdData = components['schemas']['QuotaThresholdData'];
export type RateInterval = components['schemas']['RateInterval'];
export type ReachedBy = components['schemas']['ReachedBy'];
export type Readiness = components['schemas']['Readiness'];
export type RealtimeModel = components['schemas']['RealtimeModel'];
export type RealtimeProvider = components['schemas']['RealtimeProvider'];
export type Recipient = components['schemas']['Recipient'];
export type RecipientCounts = components['schemas']['RecipientCounts'];
export type RecipientDetail = components['schemas']['RecipientDetail'];
export type RecipientFinished = components['schemas']['RecipientFinished'];
export type RecipientFinishedData = components['schemas']['RecipientFinishedData'];
export type RecipientInput = components['schemas']['RecipientInput'];
export type RecipientPage = components['schemas']['RecipientPage'];
export type RecipientState = components['schemas']['RecipientState'];
export type RecipientsAdd = components['schemas']['RecipientsAdd'];
export type RecipientsAdded = components['schemas']['RecipientsAdded'];
export type RecordedCall = components['schemas']['RecordedCall'];
export type RecordedTurn = components['schemas']['RecordedTurn'];
export type Recording = components['schemas']['Recording'];
export type RecordingChannels = components['schemas']['RecordingChannels'];
export type RecordingChannelsChoice = components['schemas']['RecordingChannelsChoice'];
export type RecordingEvent = components['schemas']['RecordingEvent'];
export type RecordingGap = components['schemas']['RecordingGap'];
export type RecordingGapReason = components['schemas']['RecordingGapReason'];
export type RecordingLevels = components['schemas']['RecordingLevels'];
export type RecordingLine = components['schemas']['RecordingLine'];
export type RecordingLink = components['schemas']['RecordingLink'];
export type RecordingPause = components['schemas']['RecordingPause'];
export type RecordingPauseReason = components['schemas']['RecordingPauseReason'];
export type RecordingReport = components['schemas']['RecordingReport'];
export type RecordingReportState = components['schemas']['RecordingReportState'];
export type RecordingSide = components['schemas']['RecordingSide'];
export type RecordingSideLevels = components['schemas']['RecordingSideLevels'];
export type RecordingState = components['schemas']['RecordingState'];
export type Recordings = components['schemas']['Recordings'];
export type RedactionKind = components['schemas']['RedactionKind'];
export type Redelivered = components['schemas']['Redelivered'];
export type Redelivery = components['schemas']['Redelivery'];
export type RefusalReason = components['schemas']['RefusalReason'];
export type RefusedLine = components['schemas']['RefusedLine'];
export type ReleaseArm = components['schemas']['ReleaseArm'];
export type Replay = components['schemas']['Replay'];
export type ReplayFork = components['schemas']['ReplayFork'];
export type ReplayedCalls = components['schemas']['ReplayedCalls'];
export type RetriesInUse = components['schemas']['RetriesInUse'];
export type RetryOn = components['schemas']['RetryOn'];
export type RoomToken = components['schemas']['RoomToken'];
export type RoomTokenCreate = components['schemas']['RoomTokenCreate'];
export type SayRequest = components['schemas']['SayRequest'];
export type Scenario = components['schemas']['Scenario'];
export type ScenarioCassette = components['schemas']['ScenarioCassette'];
export type ScenarioDraft = components['schemas']['ScenarioDraft'];
export type ScenarioPut = components['schemas']['ScenarioPut'];
export type ScenarioSummary = components['schemas']['ScenarioSummary'];
export type ScenarioSummaryPage = components['schemas']['ScenarioSummaryPage'];
export type ScenarioTask = components['schemas']['ScenarioTask'];
export type ScenarioTaskResult = components['schemas']['ScenarioTaskResult'];
export type ScheduledCall = components['schemas']['ScheduledCall'];
export type ScheduledCallChanged = components['schemas']['ScheduledCallChanged'];
export type ScheduledCallMove = components['schemas']['ScheduledCallMove'];
export type ScheduledCallPage = components['schemas']['ScheduledCallPage'];
export type ScheduledCallStatus = components['schemas']['ScheduledCallStatus'];
export type ScheduledHours = components['schemas']['ScheduledHours'];
export type SecretRotation = components['schemas']['SecretRotation'];
export type SegmentAdded = components['schemas']['SegmentAdded'];
export type SegmentCreate = components['schemas']['SegmentCreate'];
export type ServedBy = components['schemas']['ServedBy'];
export type ServiceSettings = components['schemas']['ServiceSettings'];
export type Session = components['schemas']['Session'];
export type SessionCosts = components['schemas']['SessionCosts'];
export type SessionCreate = components['schemas']['SessionCreate'];
export type SessionPage = components['schemas']['SessionPage'];
export type SessionStatus = components['schemas']['SessionStatus'];
export type SessionUpdate = components['schemas']['SessionUpdate'];
export type SessionUsageEvent = components['schemas']['SessionUsageEvent'];
export type Setting = components['schemas']['Setting'];
export type ShownHeader = components['schemas']['ShownHeader'];
export type SignInMethods = components['schemas']['SignInMethods'];
export type SignedOut = components['schemas']['SignedOut'];
export type SipFigures = components['schemas']['SipFigures'];
export type SipHeaderValues = components['schemas']['SipHeaderValues'];
export type SipHeaders = components['schemas']['SipHeaders'];
export type Speaker = components['schemas']['Speaker'];
export type StickyBy = components['schemas']['StickyBy'];
export type StreamField = components['schemas']['StreamField'];
export type StreamToken = components['schemas']['StreamToken'];
export type SttModel = components['schemas']['SttModel'];
export type SttProvider = components['schemas']['SttProvider'];
export type Suite = components['schemas']['Suite'];
export type SuitePage = components['schemas']['SuitePage'];
export type SuitePut = components['schemas']['SuitePut'];
export type Suppression = components['schemas']['Suppression'];
export type SuppressionAdded = components['schemas']['SuppressionAdded'];
export type SuppressionAddedData = components['schemas']['SuppressionAddedData'];
export type SuppressionChange = components['schemas']['SuppressionChange'];
export type SuppressionChanges = components['schemas']['SuppressionChanges'];
export type SuppressionEntry = components['schemas']['SuppressionEntry'];
export type SuppressionPage = components['schemas']['SuppressionPage'];
export type SuppressionReason = components['schemas']['SuppressionReason'];
export type SuppressionScope = components['schemas']['SuppressionScope'];
export type SuppressionsAdded = components['schemas']['SuppressionsAdded'];
export type SuppressionsPost = components['schemas']['SuppressionsPost'];
export type TapeMode = components['schemas']['TapeMode'];
export type Task = components['schemas']['Task'];
export type TaskCassette = components['schemas']['TaskCassette'];
export type TaskClaim = components['schemas']['TaskClaim'];
export type TaskEnded = components['schemas']['TaskEnded'];
export type TaskEvents = components['schemas']['TaskEvents'];
export type TaskExtended = components['schemas']['TaskExtended'];
export type TaskFailure = components['schemas']['TaskFailure'];
export type TaskKind = components['schemas']['TaskKind'];
export type TaskLease = components['schemas']['TaskLease'];
export type TaskPrice = components['schemas']['TaskPrice'];
export type TaskResult = components['schemas']['TaskResult'];
export type TestBase = components['schemas']['TestBase'];
export type TestCheck = components['schemas']['TestCheck'];
export type TestConversation = components['schemas']['TestConversation'];
export type TestConversationStatus = components['schemas']['TestConversationStatus'];
export type TestDecision = components['schemas']['TestDecision'];
export type TestEndReason = components['schemas']['TestEndReason'];
export type TestEvent = components['schemas']['TestEvent'];
export type TestEventData = components['schemas']['TestEventData'];
export type TestOutcome = components['schemas']['TestOutcome'];
export type TestResult = components['schemas']['TestResult'];
export type TestResultPage = components['schemas']['TestResultPage'];
export type TestRun = components['schemas']['TestRun'];
export type TestRunCreate = components['schemas']['TestRunCreate'];
export type TestRunFinished = components['schemas']['TestRunFinished'];
export type TestRunPage = components['schemas']['TestRunPage'];
export type TestStatus = components['schemas']['TestStatus'];
export type TestToolCall = components['schemas']['TestToolCall'];
export type TestTurn = components['schemas']['TestTurn'];
export type TestUsage = components['schemas']['TestUsage'];
export type TestUsageType = components['schemas']['TestUsageType'];
export type TestVerdict = components['schemas']['TestVerdict'];
export type TestVote = components['schemas']['TestVote'];
export type TextDiff = components['schemas']['TextDiff'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type TimelineKeys = components['schemas']['TimelineKeys'];
export type TotalLatency = components['schemas']['TotalLatency'];
export type Transcript = components['schemas']['Transcript'];
export type TranscriptCreate = components['schemas']['TranscriptCreate'];
export type TranscriptLine = components['schemas']['TranscriptLine'];
export type TranscriptPage = components['schemas']['TranscriptPage'];
export type Transfer = components['schemas']['Transfer'];
export type TransferAttempt = components['schemas']['TransferAttempt'];
export type TransferOutcome = components['schemas']['TransferOutcome'];
export type TransferRequest = components['schemas']['TransferRequest'];
export type TransferReturnReason = components['schemas']['TransferReturnReason'];
export type TransferStatus = components['schemas']['TransferStatus'];
export type TransferType = components['schemas']['TransferType'];
export type TransferTypeInput = components['schemas']['TransferTypeInput'];
export type TrunkAttempt = components['schemas']['TrunkAttempt'];
export type TtsModel = components['schemas']['TtsModel'];
export type TtsProvider = components['schemas']['TtsProvider'];
export type Turn = components['schemas']['Turn'];
export type TurnDetectionMode = components['schemas']['TurnDetectionMode'];
export type TurnPage = components['schemas']['TurnPage'];
export type TurnsCreate = components['schemas']['TurnsCreate'];
export type TurnsReported = components['schemas']['TurnsReported'];
export type UnknownZone = components['schemas']['UnknownZone'];
export type UnmatchedCarrierRecord = components['schemas']['UnmatchedCarrierRecord'];
export type UnmatchedCarrierRecords = components['schemas']['UnmatchedCarrierRecords'];
export type UnmatchedLine = components['schemas']['UnmatchedLine'];
export type UnmatchedLines = components['schemas']['UnmatchedLines'];
export type UnpricedCosts = components['schemas']['UnpricedCosts'];
export type UnpricedEvents = components['schemas']['UnpricedEvents'];
export type UnpricedKind = components['schemas']['UnpricedKind'];
export type UsageBatch = components['schemas']['UsageBatch'];
export type UsageBatchCreate = components['schemas']['UsageBatchCreate'];
export type UsageBatchEvent = components['schemas']['UsageBatchEvent'];
export type UsageEvent = components['schemas']['UsageEvent'];
export type UsageEventCreate = components['schemas']['UsageEventCreate'];
export type User = components['schemas']['User'];
export type UserPage = components['schemas']['UserPage'];
export type UserPrivacy = components['schemas']['UserPrivacy'];
export type UserSettings = components['schemas']['UserSettings'];
export type UserUpdate = components['schemas']['UserUpdate'];
export type ValidationError = components['schemas']['ValidationError'];
export type ValidationFailure = components['schemas']['ValidationFailure'];
export type VoicemailAction = components['schemas']['VoicemailAction'];
export type WebCall = components['schemas']['WebCall'];
export type WebCallStarted = components['schemas']['WebCallStarted'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookEndpointCreate = components['schemas']['WebhookEndpointCreate'];
export type WebhookEndpointPage = components['schemas']['WebhookEndpointPage'];
export type WebhookEndpointUpdate = components['schemas']['WebhookEndpointUpdate'];
export type WebhookEventType = components['schemas']['WebhookEventType'];
export type Weekday = components['schemas']['Weekday'];
export type WorkItem = components['schemas']['WorkItem'];
export type WorkKind = components['schemas']['WorkKind'];
export type WorkList = components['schemas']['WorkList'];
export type WorkerJob = components['schemas']['WorkerJob'];
export type WorkerJobSchema = components['schemas']['WorkerJobSchema'];
export type WorkersReadiness = components['schemas']['WorkersReadiness'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponsePaymentRequired = components['responses']['PaymentRequired'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseChangedMeanwhile = components['responses']['ChangedMeanwhile'];
export type ResponseBodyTooLarge = components['responses']['BodyTooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseInvalid = components['responses']['Invalid'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseProviderRefused = components['responses']['ProviderRefused'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseProviderTimeout = components['responses']['ProviderTimeout'];
export type HeaderXRequestId = components['headers']['x-request-id'];
export type HeaderRetryAfter = components['headers']['retry-after'];
export type $defs = Record<string, never>;
export interface operations {
    listAgents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01980000-0000-7000-8000-000000000000",
                     *         "name": "Front desk",
                     *         "type": "PIPELINE",
                     *         "is_active": true,
                     *         "user_id": "user-1",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z",
                     *         "description": null,
                     *         "config": {
                     *           "llm": {
                     *             "model": "gpt-4o-mini"
                     *           },
                     *           "tts": {
                     *             "voice": "nova"
                     *           }
                     *         },
                     *         "phone_number": "+15005550010",
                     *         "carrier_sid": "PN00000000000000000000000000000010"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Agent"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Front desk",
                 *       "user_id": "user-1",
                 *       "config": {
                 *         "stt": {
                 *           "provider": "deepgram"
                 *         },
                 *         "llm": {
                 *           "model": "gpt-4o-mini"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AgentCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000000",
                     *       "name": "Front desk",
                     *       "type": "PIPELINE",
                     *       "is_active": true,
                     *       "user_id": "user-1",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "description": null,
                     *       "config": {
                     *         "llm": {
                     *           "model": "gpt-4o-mini"
                     *         },
                     *         "tts": {
                     *           "voice": "nova"
                     *         }
                     *       },
                     *       "phone_number": "+15005550010",
                     *       "carrier_sid": "PN00000000000000000000000000000010"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only users whose id begins with this text. */
                prefix?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of User items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "user_id": "user-1",
                     *           "legal_hold": false
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000000",
                     *       "name": "Front desk",
                     *       "type": "PIPELINE",
                     *       "is_active": true,
                     *       "user_id": "user-1",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "description": null,
                     *       "config": {
                     *         "llm": {
                     *           "model": "gpt-4o-mini"
                     *         },
                     *         "tts": {
                     *           "voice": "nova"
                     *         }
                     *       },
                     *       "phone_number": "+15005550010",
                     *       "carrier_sid": "PN00000000000000000000000000000010"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description The `ETag` of the state that the change is for, in quotes. */
                "if-match"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_active": false
                 *     }
                 */
                "application/json": components["schemas"]["AgentUpdate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000000",
                     *       "name": "Front desk",
                     *       "type": "PIPELINE",
                     *       "is_active": true,
                     *       "user_id": "user-1",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "description": null,
                     *       "config": {
                     *         "llm": {
                     *           "model": "gpt-4o-mini"
                     *         },
                     *         "tts": {
                     *           "voice": "nova"
                     *         }
                     *       },
                     *       "phone_number": "+15005550010",
                     *       "carrier_sid": "PN00000000000000000000000000000010"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentCallbackUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "callback_url": "https://example.com/calls"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCallbackUrl"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAgentCallbackUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "callback_url": "https://example.com/calls"
                 *     }
                 */
                "application/json": components["schemas"]["AgentCallbackUrlUpdate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "callback_url": "https://example.com/calls"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCallbackUrl"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentExternalKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "external_key": "front-desk"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentExternalKey"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAgentExternalKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "external_key": "front-desk"
                 *     }
                 */
                "application/json": components["schemas"]["AgentExternalKeyUpdate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "external_key": "front-desk"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentExternalKey"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentByExternalKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                external_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000000",
                     *       "name": "Front desk",
                     *       "type": "PIPELINE",
                     *       "is_active": true,
                     *       "user_id": "user-1",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "description": null,
                     *       "config": {
                     *         "llm": {
                     *           "model": "gpt-4o-mini"
                     *         },
                     *         "tts": {
                     *           "voice": "nova"
                     *         }
                     *       },
                     *       "phone_number": "+15005550010",
                     *       "carrier_sid": "PN00000000000000000000000000000010"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentLegalHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "legal_hold": true
                     *     }
                     */
                    "application/json": components["schemas"]["AgentLegalHold"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAgentLegalHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "legal_hold": true
                 *     }
                 */
                "application/json": components["schemas"]["AgentLegalHoldUpdate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "legal_hold": true
                     *     }
                     */
                    "application/json": components["schemas"]["AgentLegalHold"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentConfigSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The JSON Schema (2020-12) of an agent’s `config`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "object",
                     *       "properties": {}
                     *     }
                     */
                    "application/json": components["schemas"]["AgentConfigSchema"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    validateAgentConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "config": {
                 *         "llm": {
                 *           "provider": "openai",
                 *           "model": "gpt-4o-mini"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AgentConfigCheckRequest"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "problems": [],
                     *       "variables": [
                     *         "clinic",
                     *         "first_name"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentConfigCheck"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "name": "Front desk",
                     *       "description": null,
                     *       "type": "PIPELINE",
                     *       "config": {
                     *         "llm": {
                     *           "provider": "openai",
                     *           "model": "gpt-4o-mini"
                     *         },
                     *         "greeting": "Good morning."
                     *       },
                     *       "has_changes": true,
                     *       "based_on": 3,
                     *       "revision": "2026-01-15T09:30:00.000Z",
                     *       "updated_by": "Night shift",
                     *       "updated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentDraft"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putAgentDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description The `ETag` of the state that the change is for, in quotes. */
                "if-match"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Front desk",
                 *       "config": {
                 *         "llm": {
                 *           "provider": "openai",
                 *           "model": "gpt-4o-mini"
                 *         },
                 *         "greeting": "Good morning."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AgentDraftPut"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "name": "Front desk",
                     *       "description": null,
                     *       "type": "PIPELINE",
                     *       "config": {
                     *         "llm": {
                     *           "provider": "openai",
                     *           "model": "gpt-4o-mini"
                     *         },
                     *         "greeting": "Good morning."
                     *       },
                     *       "has_changes": true,
                     *       "based_on": 3,
                     *       "revision": "2026-01-15T09:30:00.000Z",
                     *       "updated_by": "Night shift",
                     *       "updated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentDraft"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of AgentVersionSummary items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "number": 4,
                     *           "hash": "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
                     *           "name": "Front desk",
                     *           "note": "Says good morning",
                     *           "created_by": "Night shift",
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "released_at": "2026-01-15T09:31:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AgentVersionSummaryPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAgentVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
                /** @description The `ETag` of the state that the change is for, in quotes. */
                "if-match"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Says good morning",
                 *       "from": "draft"
                 *     }
                 */
                "application/json": components["schemas"]["AgentVersionCreate"];
            };
        };
        responses: {
            /** @description What calls get of an agent. It never changes. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 4,
                     *       "hash": "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
                     *       "name": "Front desk",
                     *       "note": "Says good morning",
                     *       "created_by": "Night shift",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "released_at": "2026-01-15T09:31:00.000Z",
                     *       "description": null,
                     *       "type": "PIPELINE",
                     *       "config": {
                     *         "llm": {
                     *           "provider": "openai",
                     *           "model": "gpt-4o-mini"
                     *         },
                     *         "greeting": "Good morning."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentVersion"];
                };
            };
            /** @description What calls get of an agent. It never changes. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 4,
                     *       "hash": "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
                     *       "name": "Front desk",
                     *       "note": "Says good morning",
                     *       "created_by": "Night shift",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "released_at": "2026-01-15T09:31:00.000Z",
                     *       "description": null,
                     *       "type": "PIPELINE",
                     *       "config": {
                     *         "llm": {
                     *           "provider": "openai",
                     *           "model": "gpt-4o-mini"
                     *         },
                     *         "greeting": "Good morning."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentVersion"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What calls get of an agent. It never changes. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 4,
                     *       "hash": "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
                     *       "name": "Front desk",
                     *       "note": "Says good morning",
                     *       "created_by": "Night shift",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "released_at": "2026-01-15T09:31:00.000Z",
                     *       "description": null,
                     *       "type": "PIPELINE",
                     *       "config": {
                     *         "llm": {
                     *           "provider": "openai",
                     *           "model": "gpt-4o-mini"
                     *         },
                     *         "greeting": "Good morning."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentVersion"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    diffAgentVersions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
                /** @description The number of a version, or `draft`. */
                from: number | string;
                /** @description The number of a version, or `draft`. */
                to: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": 3,
                     *       "to": 4,
                     *       "patch": [
                     *         {
                     *           "op": "replace",
                     *           "path": "/config/greeting",
                     *           "value": "Good morning.\nHow can I help?"
                     *         }
                     *       ],
                     *       "texts": [
                     *         {
                     *           "path": "/config/greeting",
                     *           "diff": "@@ -1,1 +1,2 @@\n-Hello.\n+Good morning.\n+How can I help?"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentVersionDiff"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentRelease: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What calls get now, and how the agent is changed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 5,
                     *       "arms": [
                     *         {
                     *           "version": 3,
                     *           "weight": 90
                     *         },
                     *         {
                     *           "version": 4,
                     *           "weight": 10
                     *         }
                     *       ],
                     *       "sticky_by": "number",
                     *       "gate": null,
                     *       "repeats": null,
                     *       "previous": 4,
                     *       "created_by": "Night shift",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "publishing": "direct"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCurrentRelease"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description The `ETag` of the state that the change is for, in quotes. */
                "if-match"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "arms": [
                 *         {
                 *           "version": 3,
                 *           "weight": 90
                 *         },
                 *         {
                 *           "version": 4,
                 *           "weight": 10
                 *         }
                 *       ],
                 *       "sticky_by": "number"
                 *     }
                 */
                "application/json": components["schemas"]["AgentReleasePut"];
            };
        };
        responses: {
            /** @description What calls get now, and how the agent is changed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 5,
                     *       "arms": [
                     *         {
                     *           "version": 3,
                     *           "weight": 90
                     *         },
                     *         {
                     *           "version": 4,
                     *           "weight": 10
                     *         }
                     *       ],
                     *       "sticky_by": "number",
                     *       "gate": null,
                     *       "repeats": null,
                     *       "previous": 4,
                     *       "created_by": "Night shift",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "publishing": "direct"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCurrentRelease"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rollBackAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
                /** @description The `ETag` of the state that the change is for, in quotes. */
                "if-match"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What calls get now, and how the agent is changed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 5,
                     *       "arms": [
                     *         {
                     *           "version": 3,
                     *           "weight": 90
                     *         },
                     *         {
                     *           "version": 4,
                     *           "weight": 10
                     *         }
                     *       ],
                     *       "sticky_by": "number",
                     *       "gate": null,
                     *       "repeats": null,
                     *       "previous": 4,
                     *       "created_by": "Night shift",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "publishing": "direct"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCurrentRelease"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["ChangedMeanwhile"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgentReleases: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of AgentRelease items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "number": 5,
                     *           "arms": [
                     *             {
                     *               "version": 3,
                     *               "weight": 90
                     *             },
                     *             {
                     *               "version": 4,
                     *               "weight": 10
                     *             }
                     *           ],
                     *           "sticky_by": "number",
                     *           "gate": null,
                     *           "repeats": null,
                     *           "previous": 4,
                     *           "created_by": "Night shift",
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AgentReleasePage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAgentPublishing: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "publishing": "gated"
                 *     }
                 */
                "application/json": components["schemas"]["AgentPublishingPut"];
            };
        };
        responses: {
            /** @description What calls get now, and how the agent is changed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 5,
                     *       "arms": [
                     *         {
                     *           "version": 3,
                     *           "weight": 90
                     *         },
                     *         {
                     *           "version": 4,
                     *           "weight": 10
                     *         }
                     *       ],
                     *       "sticky_by": "number",
                     *       "gate": null,
                     *       "repeats": null,
                     *       "previous": 4,
                     *       "created_by": "Night shift",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "publishing": "direct"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCurrentRelease"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listExtractors: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Extractor items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000021",
                     *           "user_id": "user-1",
                     *           "name": "outcome",
                     *           "version": 1,
                     *           "schema": {
                     *             "type": "object",
                     *             "properties": {
                     *               "outcome": {
                     *                 "type": "string",
                     *                 "description": "What came of the call: booked, moved, or nothing."
                     *               },
                     *               "was_friendly": {
                     *                 "type": "boolean"
                     *               }
                     *             }
                     *           },
                     *           "instructions": "The caller talks to the front desk of a clinic.",
                     *           "model": null,
                     *           "when": {
                     *             "answered_by": "human",
                     *             "min_duration_s": 10
                     *           },
                     *           "sample": 1,
                     *           "weights": {
                     *             "was_friendly": 1
                     *           },
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "updated_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ExtractorPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveExtractor: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "outcome",
                 *       "schema": {
                 *         "type": "object",
                 *         "properties": {
                 *           "outcome": {
                 *             "type": "string",
                 *             "description": "What came of the call: booked, moved, or nothing."
                 *           },
                 *           "was_friendly": {
                 *             "type": "boolean"
                 *           }
                 *         }
                 *       },
                 *       "instructions": "The caller talks to the front desk of a clinic.",
                 *       "model": null,
                 *       "when": {
                 *         "answered_by": "human",
                 *         "min_duration_s": 10
                 *       },
                 *       "sample": 1,
                 *       "weights": {
                 *         "was_friendly": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ExtractorPut"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000021",
                     *       "user_id": "user-1",
                     *       "name": "outcome",
                     *       "version": 1,
                     *       "schema": {
                     *         "type": "object",
                     *         "properties": {
                     *           "outcome": {
                     *             "type": "string",
                     *             "description": "What came of the call: booked, moved, or nothing."
                     *           },
                     *           "was_friendly": {
                     *             "type": "boolean"
                     *           }
                     *         }
                     *       },
                     *       "instructions": "The caller talks to the front desk of a clinic.",
                     *       "model": null,
                     *       "when": {
                     *         "answered_by": "human",
                     *         "min_duration_s": 10
                     *       },
                     *       "sample": 1,
                     *       "weights": {
                     *         "was_friendly": 1
                     *       },
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Extractor"];
                };
            };
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000021",
                     *       "user_id": "user-1",
                     *       "name": "outcome",
                     *       "version": 1,
                     *       "schema": {
                     *         "type": "object",
                     *         "properties": {
                     *           "outcome": {
                     *             "type": "string",
                     *             "description": "What came of the call: booked, moved, or nothing."
                     *           },
                     *           "was_friendly": {
                     *             "type": "boolean"
                     *           }
                     *         }
                     *       },
                     *       "instructions": "The caller talks to the front desk of a clinic.",
                     *       "model": null,
                     *       "when": {
                     *         "answered_by": "human",
                     *         "min_duration_s": 10
                     *       },
                     *       "sample": 1,
                     *       "weights": {
                     *         "was_friendly": 1
                     *       },
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Extractor"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getExtractor: {
        parameters: {
            query?: {
                /** @description By default the newest. */
                version?: number;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                extractor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000021",
                     *       "user_id": "user-1",
                     *       "name": "outcome",
                     *       "version": 1,
                     *       "schema": {
                     *         "type": "object",
                     *         "properties": {
                     *           "outcome": {
                     *             "type": "string",
                     *             "description": "What came of the call: booked, moved, or nothing."
                     *           },
                     *           "was_friendly": {
                     *             "type": "boolean"
                     *           }
                     *         }
                     *       },
                     *       "instructions": "The caller talks to the front desk of a clinic.",
                     *       "model": null,
                     *       "when": {
                     *         "answered_by": "human",
                     *         "min_duration_s": 10
                     *       },
                     *       "sample": 1,
                     *       "weights": {
                     *         "was_friendly": 1
                     *       },
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Extractor"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteExtractor: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                extractor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAnalyses: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "analyses": [
                     *         {
                     *           "analysis_id": "01980000-0000-7000-8000-000000000022",
                     *           "call_id": "01980000-0000-7000-8000-000000000001",
                     *           "state": "done",
                     *           "extractor": "outcome",
                     *           "extractor_version": 1,
                     *           "values": {
                     *             "outcome": "booked",
                     *             "was_friendly": true
                     *           },
                     *           "evidence": {
                     *             "outcome": [
                     *               "01980000-0000-7000-8000-000000000002"
                     *             ],
                     *             "was_friendly": [
                     *               "01980000-0000-7000-8000-000000000002"
                     *             ]
                     *           },
                     *           "summary": "The caller booked an appointment.",
                     *           "success": true,
                     *           "score": 1,
                     *           "cost": "0.0012",
                     *           "error": null,
                     *           "is_simulated": false,
                     *           "created_at": "2026-01-15T09:32:00.000Z",
                     *           "started_at": "2026-01-15T09:32:00.100Z",
                     *           "ended_at": "2026-01-15T09:32:02.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Analyses"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestAnalyses: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "extractors": [
                 *         "outcome"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AnalysisRequest"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "analyses": [
                     *         {
                     *           "analysis_id": "01980000-0000-7000-8000-000000000022",
                     *           "call_id": "01980000-0000-7000-8000-000000000001",
                     *           "state": "done",
                     *           "extractor": "outcome",
                     *           "extractor_version": 1,
                     *           "values": {
                     *             "outcome": "booked",
                     *             "was_friendly": true
                     *           },
                     *           "evidence": {
                     *             "outcome": [
                     *               "01980000-0000-7000-8000-000000000002"
                     *             ],
                     *             "was_friendly": [
                     *               "01980000-0000-7000-8000-000000000002"
                     *             ]
                     *           },
                     *           "summary": "The caller booked an appointment.",
                     *           "success": true,
                     *           "score": 1,
                     *           "cost": "0.0012",
                     *           "error": null,
                     *           "is_simulated": false,
                     *           "created_at": "2026-01-15T09:32:00.000Z",
                     *           "started_at": "2026-01-15T09:32:00.100Z",
                     *           "ended_at": "2026-01-15T09:32:02.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Analyses"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    backfillAnalyses: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "extractor": "outcome",
                 *       "filter": {
                 *         "from": "2026-01-01T00:00:00Z"
                 *       },
                 *       "estimate": true
                 *     }
                 */
                "application/json": components["schemas"]["AnalysisBackfillCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backfill_id": null,
                     *       "state": "estimate",
                     *       "extractor": "outcome",
                     *       "extractor_version": 1,
                     *       "filter": {
                     *         "from": "2026-01-01T00:00:00Z"
                     *       },
                     *       "calls": 1200,
                     *       "estimated_cost": "1.44",
                     *       "queued": 0,
                     *       "done": 0,
                     *       "failed": 0,
                     *       "created_at": null,
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["AnalysisBackfill"];
                };
            };
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backfill_id": null,
                     *       "state": "estimate",
                     *       "extractor": "outcome",
                     *       "extractor_version": 1,
                     *       "filter": {
                     *         "from": "2026-01-01T00:00:00Z"
                     *       },
                     *       "calls": 1200,
                     *       "estimated_cost": "1.44",
                     *       "queued": 0,
                     *       "done": 0,
                     *       "failed": 0,
                     *       "created_at": null,
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["AnalysisBackfill"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalysisBackfill: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                backfill_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backfill_id": null,
                     *       "state": "estimate",
                     *       "extractor": "outcome",
                     *       "extractor_version": 1,
                     *       "filter": {
                     *         "from": "2026-01-01T00:00:00Z"
                     *       },
                     *       "calls": 1200,
                     *       "estimated_cost": "1.44",
                     *       "queued": 0,
                     *       "done": 0,
                     *       "failed": 0,
                     *       "created_at": null,
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["AnalysisBackfill"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAnalysisBackfills: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of AnalysisBackfill items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "backfill_id": null,
                     *           "state": "estimate",
                     *           "extractor": "outcome",
                     *           "extractor_version": 1,
                     *           "filter": {
                     *             "from": "2026-01-01T00:00:00Z"
                     *           },
                     *           "calls": 1200,
                     *           "estimated_cost": "1.44",
                     *           "queued": 0,
                     *           "done": 0,
                     *           "failed": 0,
                     *           "created_at": null,
                     *           "ended_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AnalysisBackfillPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelAnalysisBackfill: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                backfill_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backfill_id": null,
                     *       "state": "estimate",
                     *       "extractor": "outcome",
                     *       "extractor_version": 1,
                     *       "filter": {
                     *         "from": "2026-01-01T00:00:00Z"
                     *       },
                     *       "calls": 1200,
                     *       "estimated_cost": "1.44",
                     *       "queued": 0,
                     *       "done": 0,
                     *       "failed": 0,
                     *       "created_at": null,
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["AnalysisBackfill"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalysisStats: {
        parameters: {
            query: {
                /**
                 * @description A field with choices, a boolean or a number; or `success`, or `score`.
                 * @example outcome
                 */
                field: string;
                /** @description Names separated by commas, in the order of the groups: `value`, `day`, `agent`, `agent_version`, `extractor`. */
                group_by?: string;
                /** @description First day, UTC, inclusive. */
                start_date?: string;
                /** @description Last day, UTC, inclusive. */
                end_date?: string;
                /** @description Analyses by this extractor. */
                extractor?: string;
                /** @description Calls of this agent. */
                agent_id?: string;
                agent_version?: number;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "field": "outcome",
                     *       "groups": [
                     *         {
                     *           "value": "booked",
                     *           "calls": 84,
                     *           "mean": null
                     *         },
                     *         {
                     *           "value": "none",
                     *           "calls": 36,
                     *           "mean": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AnalysisStats"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDialPolicies: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policies": [
                     *         {
                     *           "name": "office-hours",
                     *           "version": 1,
                     *           "is_default": true,
                     *           "rules": {
                     *             "windows": [
                     *               {
                     *                 "country": "US",
                     *                 "days": [
                     *                   "mon",
                     *                   "tue",
                     *                   "wed",
                     *                   "thu",
                     *                   "fri"
                     *                 ],
                     *                 "from": "09:00",
                     *                 "to": "18:00"
                     *               }
                     *             ],
                     *             "max_attempts": [
                     *               {
                     *                 "count": 3,
                     *                 "days": 7
                     *               }
                     *             ],
                     *             "min_gap_s": 14400
                     *           },
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "presets": [
                     *         {
                     *           "name": "us-federal",
                     *           "label": "United States, federal law",
                     *           "date": "2026-11-26",
                     *           "rules": {
                     *             "windows": [
                     *               {
                     *                 "country": "US",
                     *                 "days": [
                     *                   "mon",
                     *                   "tue",
                     *                   "wed",
                     *                   "thu",
                     *                   "fri"
                     *                 ],
                     *                 "from": "09:00",
                     *                 "to": "18:00"
                     *               }
                     *             ],
                     *             "max_attempts": [
                     *               {
                     *                 "count": 3,
                     *                 "days": 7
                     *               }
                     *             ],
                     *             "min_gap_s": 14400
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DialPolicyList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDialPolicy: {
        parameters: {
            query?: {
                version?: number;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "office-hours",
                     *       "version": 1,
                     *       "is_default": true,
                     *       "rules": {
                     *         "windows": [
                     *           {
                     *             "country": "US",
                     *             "days": [
                     *               "mon",
                     *               "tue",
                     *               "wed",
                     *               "thu",
                     *               "fri"
                     *             ],
                     *             "from": "09:00",
                     *             "to": "18:00"
                     *           }
                     *         ],
                     *         "max_attempts": [
                     *           {
                     *             "count": 3,
                     *             "days": 7
                     *           }
                     *         ],
                     *         "min_gap_s": 14400
                     *       },
                     *       "created_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DialPolicy"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putDialPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "windows": [
                 *         {
                 *           "country": "US",
                 *           "days": [
                 *             "mon",
                 *             "tue",
                 *             "wed",
                 *             "thu",
                 *             "fri"
                 *           ],
                 *           "from": "09:00",
                 *           "to": "18:00"
                 *         }
                 *       ],
                 *       "max_attempts": [
                 *         {
                 *           "count": 3,
                 *           "days": 7
                 *         }
                 *       ],
                 *       "min_gap_s": 14400,
                 *       "is_default": false
                 *     }
                 */
                "application/json": components["schemas"]["DialPolicyPut"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "office-hours",
                     *       "version": 1,
                     *       "is_default": true,
                     *       "rules": {
                     *         "windows": [
                     *           {
                     *             "country": "US",
                     *             "days": [
                     *               "mon",
                     *               "tue",
                     *               "wed",
                     *               "thu",
                     *               "fri"
                     *             ],
                     *             "from": "09:00",
                     *             "to": "18:00"
                     *           }
                     *         ],
                     *         "max_attempts": [
                     *           {
                     *             "count": 3,
                     *             "days": 7
                     *           }
                     *         ],
                     *         "min_gap_s": 14400
                     *       },
                     *       "created_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DialPolicy"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startOutboundCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "01980000-0000-7000-8000-000000000000",
                 *       "phone_number": "+15005550100",
                 *       "callback_url": "https://example.com/calls",
                 *       "variables": {
                 *         "name": "Ada"
                 *       },
                 *       "metadata": {
                 *         "crm_id": "C-17"
                 *       },
                 *       "max_duration_s": 600
                 *     }
                 */
                "application/json": components["schemas"]["OutboundCall"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "call_id": "01980000-0000-7000-8000-000000000001",
                     *       "room_name": "call-01980000",
                     *       "status": "RINGING"
                     *     }
                     */
                    "application/json": components["schemas"]["OutboundCallStarted"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkerJobSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The JSON Schema (2020-12) of `WorkerJob`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "WorkerJob",
                     *       "type": "object"
                     *     }
                     */
                    "application/json": components["schemas"]["WorkerJobSchema"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkDial: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "01980000-0000-7000-8000-000000000000",
                 *       "phone_number": "+15005550100",
                 *       "purpose": "marketing"
                 *     }
                 */
                "application/json": components["schemas"]["DialCheckRequest"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "defer",
                     *       "not_before": "2026-01-15T14:00:00.000Z",
                     *       "reasons": [
                     *         {
                     *           "rule": "window",
                     *           "detail": "It is 04:30 on 2026-01-15 in America/New_York, outside of the hours.",
                     *           "source": "policy office-hours, version 1"
                     *         }
                     *       ],
                     *       "policy": "office-hours",
                     *       "policy_version": 1,
                     *       "inputs": {
                     *         "format": 2,
                     *         "purpose": "marketing"
                     *       },
                     *       "inputs_hash": "b6f360ea811725f0e6ec1c7d3437fc72edcff91e44153d96ced7e5642f3635df",
                     *       "evaluated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DialCheck"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDialDecisions: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only decisions about this number. */
                phone_number?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of DialDecision items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000033",
                     *           "call_id": null,
                     *           "kind": "call",
                     *           "agent_id": "01980000-0000-7000-8000-000000000000",
                     *           "phone_number": "+15005550100",
                     *           "purpose": "marketing",
                     *           "outcome": "defer",
                     *           "not_before": "2026-01-15T14:00:00.000Z",
                     *           "reasons": [
                     *             {
                     *               "rule": "window",
                     *               "detail": "It is 04:30 on 2026-01-15 in America/New_York, outside of the hours.",
                     *               "source": "policy office-hours, version 1"
                     *             }
                     *           ],
                     *           "policy": "office-hours",
                     *           "policy_version": 1,
                     *           "inputs": {
                     *             "format": 2,
                     *             "purpose": "marketing"
                     *           },
                     *           "inputs_hash": "b6f360ea811725f0e6ec1c7d3437fc72edcff91e44153d96ced7e5642f3635df",
                     *           "evaluated_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DialDecisionPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listScheduledCalls: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description From `SCHEDULED` to one of the others, which are final. `EXPIRED`: it was not allowed, or not possible, in its time. `REFUSED`: it may never be placed. */
                status?: components["schemas"]["ScheduledCallStatus"];
                phone_number?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ScheduledCall items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "scheduled_call_id": "01980000-0000-7000-8000-000000000034",
                     *           "status": "SCHEDULED",
                     *           "call_id": null,
                     *           "agent_id": "01980000-0000-7000-8000-000000000000",
                     *           "phone_number": "+15005550100",
                     *           "due_at": "2026-01-16T14:00:00.000Z",
                     *           "latest_at": "2026-01-16T17:00:00.000Z",
                     *           "window": {
                     *             "earliest": "2026-01-16T09:00",
                     *             "latest": "2026-01-16T12:00",
                     *             "time_zone": "America/New_York",
                     *             "if_missed": "expire"
                     *           },
                     *           "reason": null,
                     *           "detail": null,
                     *           "booked_in": null,
                     *           "callback_url": "https://example.com/calls",
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "updated_at": "2026-01-15T09:30:00.000Z",
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {}
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduledCallPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getScheduledCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                scheduled_call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scheduled_call_id": "01980000-0000-7000-8000-000000000034",
                     *       "status": "SCHEDULED",
                     *       "call_id": null,
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "phone_number": "+15005550100",
                     *       "due_at": "2026-01-16T14:00:00.000Z",
                     *       "latest_at": "2026-01-16T17:00:00.000Z",
                     *       "window": {
                     *         "earliest": "2026-01-16T09:00",
                     *         "latest": "2026-01-16T12:00",
                     *         "time_zone": "America/New_York",
                     *         "if_missed": "expire"
                     *       },
                     *       "reason": null,
                     *       "detail": null,
                     *       "booked_in": null,
                     *       "callback_url": "https://example.com/calls",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "variables": {
                     *         "name": "Ada"
                     *       },
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduledCall"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    moveScheduledCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                scheduled_call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "at": "2026-01-17T14:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ScheduledCallMove"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scheduled_call_id": "01980000-0000-7000-8000-000000000034",
                     *       "status": "SCHEDULED",
                     *       "call_id": null,
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "phone_number": "+15005550100",
                     *       "due_at": "2026-01-16T14:00:00.000Z",
                     *       "latest_at": "2026-01-16T17:00:00.000Z",
                     *       "window": {
                     *         "earliest": "2026-01-16T09:00",
                     *         "latest": "2026-01-16T12:00",
                     *         "time_zone": "America/New_York",
                     *         "if_missed": "expire"
                     *       },
                     *       "reason": null,
                     *       "detail": null,
                     *       "booked_in": null,
                     *       "callback_url": "https://example.com/calls",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "variables": {
                     *         "name": "Ada"
                     *       },
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduledCall"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelScheduledCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                scheduled_call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scheduled_call_id": "01980000-0000-7000-8000-000000000034",
                     *       "status": "SCHEDULED",
                     *       "call_id": null,
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "phone_number": "+15005550100",
                     *       "due_at": "2026-01-16T14:00:00.000Z",
                     *       "latest_at": "2026-01-16T17:00:00.000Z",
                     *       "window": {
                     *         "earliest": "2026-01-16T09:00",
                     *         "latest": "2026-01-16T12:00",
                     *         "time_zone": "America/New_York",
                     *         "if_missed": "expire"
                     *       },
                     *       "reason": null,
                     *       "detail": null,
                     *       "booked_in": null,
                     *       "callback_url": "https://example.com/calls",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "variables": {
                     *         "name": "Ada"
                     *       },
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduledCall"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    proposeCallBack: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "date_time": "2026-01-16T15:00",
                 *       "note": "The offer."
                 *     }
                 */
                "application/json": components["schemas"]["CallBackProposal"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "date_time": "2026-01-16T15:00",
                     *       "time_zone": "America/New_York",
                     *       "due_at": "2026-01-16T20:00:00.000Z",
                     *       "spoken": "Friday, January 16, 2026 at 3:00 PM (America/New_York)"
                     *     }
                     */
                    "application/json": components["schemas"]["ProposedCallBack"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmCallBack: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "date_time": "2026-01-16T15:00"
                 *     }
                 */
                "application/json": components["schemas"]["CallBackConfirmation"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scheduled_call_id": "01980000-0000-7000-8000-000000000034",
                     *       "status": "SCHEDULED",
                     *       "call_id": null,
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "phone_number": "+15005550100",
                     *       "due_at": "2026-01-16T14:00:00.000Z",
                     *       "latest_at": "2026-01-16T17:00:00.000Z",
                     *       "window": {
                     *         "earliest": "2026-01-16T09:00",
                     *         "latest": "2026-01-16T12:00",
                     *         "time_zone": "America/New_York",
                     *         "if_missed": "expire"
                     *       },
                     *       "reason": null,
                     *       "detail": null,
                     *       "booked_in": null,
                     *       "callback_url": "https://example.com/calls",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "variables": {
                     *         "name": "Ada"
                     *       },
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduledCall"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Campaign items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000041",
                     *           "name": "Renewals",
                     *           "agent_id": "01980000-0000-7000-8000-000000000000",
                     *           "agent_version": null,
                     *           "from_numbers": [],
                     *           "pacing": {
                     *             "max_concurrent": 20,
                     *             "per_minute": 120,
                     *             "reserve_for_others": 0.2
                     *           },
                     *           "retries": {
                     *             "attempts": 3,
                     *             "on": [
                     *               "busy",
                     *               "no_answer"
                     *             ],
                     *             "delays_s": [
                     *               600,
                     *               86400
                     *             ],
                     *             "spread": 0.1
                     *           },
                     *           "reached_by": [
                     *             "answered"
                     *           ],
                     *           "reached_dispositions": null,
                     *           "purpose": "service",
                     *           "policy": null,
                     *           "budget": "250",
                     *           "circuit": {
                     *             "failure_rate": 0.5,
                     *             "window_s": 300,
                     *             "min_calls": 20
                     *           },
                     *           "expires_at": null,
                     *           "state": "running",
                     *           "blocked": null,
                     *           "abandonment": null,
                     *           "spent": "12.5",
                     *           "recipients": {
                     *             "total": 3,
                     *             "waiting": 1,
                     *             "deferred": 0,
                     *             "dialling": 0,
                     *             "connected": 0,
                     *             "reached": 2,
                     *             "exhausted": 0,
                     *             "suppressed": 0,
                     *             "refused": 0,
                     *             "expired": 0,
                     *             "canceled": 0
                     *           },
                     *           "created_at": "2026-01-15T09:00:00.000Z",
                     *           "started_at": "2026-01-15T09:30:00.000Z",
                     *           "ended_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Renewals",
                 *       "agent_id": "01980000-0000-7000-8000-000000000000",
                 *       "agent_version": null,
                 *       "from_numbers": [],
                 *       "pacing": {
                 *         "max_concurrent": 20,
                 *         "per_minute": 120,
                 *         "reserve_for_others": 0.2
                 *       },
                 *       "retries": {
                 *         "attempts": 3,
                 *         "on": [
                 *           "busy",
                 *           "no_answer"
                 *         ],
                 *         "delays_s": [
                 *           600,
                 *           86400
                 *         ],
                 *         "spread": 0.1
                 *       },
                 *       "reached_by": [
                 *         "answered"
                 *       ],
                 *       "reached_dispositions": null,
                 *       "purpose": "service",
                 *       "policy": null,
                 *       "budget": "250",
                 *       "circuit": {
                 *         "failure_rate": 0.5,
                 *         "window_s": 300,
                 *         "min_calls": 20
                 *       },
                 *       "expires_at": null
                 *     }
                 */
                "application/json": components["schemas"]["CampaignCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000041",
                     *       "name": "Renewals",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": null,
                     *       "from_numbers": [],
                     *       "pacing": {
                     *         "max_concurrent": 20,
                     *         "per_minute": 120,
                     *         "reserve_for_others": 0.2
                     *       },
                     *       "retries": {
                     *         "attempts": 3,
                     *         "on": [
                     *           "busy",
                     *           "no_answer"
                     *         ],
                     *         "delays_s": [
                     *           600,
                     *           86400
                     *         ],
                     *         "spread": 0.1
                     *       },
                     *       "reached_by": [
                     *         "answered"
                     *       ],
                     *       "reached_dispositions": null,
                     *       "purpose": "service",
                     *       "policy": null,
                     *       "budget": "250",
                     *       "circuit": {
                     *         "failure_rate": 0.5,
                     *         "window_s": 300,
                     *         "min_calls": 20
                     *       },
                     *       "expires_at": null,
                     *       "state": "running",
                     *       "blocked": null,
                     *       "abandonment": null,
                     *       "spent": "12.5",
                     *       "recipients": {
                     *         "total": 3,
                     *         "waiting": 1,
                     *         "deferred": 0,
                     *         "dialling": 0,
                     *         "connected": 0,
                     *         "reached": 2,
                     *         "exhausted": 0,
                     *         "suppressed": 0,
                     *         "refused": 0,
                     *         "expired": 0,
                     *         "canceled": 0
                     *       },
                     *       "created_at": "2026-01-15T09:00:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000041",
                     *       "name": "Renewals",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": null,
                     *       "from_numbers": [],
                     *       "pacing": {
                     *         "max_concurrent": 20,
                     *         "per_minute": 120,
                     *         "reserve_for_others": 0.2
                     *       },
                     *       "retries": {
                     *         "attempts": 3,
                     *         "on": [
                     *           "busy",
                     *           "no_answer"
                     *         ],
                     *         "delays_s": [
                     *           600,
                     *           86400
                     *         ],
                     *         "spread": 0.1
                     *       },
                     *       "reached_by": [
                     *         "answered"
                     *       ],
                     *       "reached_dispositions": null,
                     *       "purpose": "service",
                     *       "policy": null,
                     *       "budget": "250",
                     *       "circuit": {
                     *         "failure_rate": 0.5,
                     *         "window_s": 300,
                     *         "min_calls": 20
                     *       },
                     *       "expires_at": null,
                     *       "state": "running",
                     *       "blocked": null,
                     *       "abandonment": null,
                     *       "spent": "12.5",
                     *       "recipients": {
                     *         "total": 3,
                     *         "waiting": 1,
                     *         "deferred": 0,
                     *         "dialling": 0,
                     *         "connected": 0,
                     *         "reached": 2,
                     *         "exhausted": 0,
                     *         "suppressed": 0,
                     *         "refused": 0,
                     *         "expired": 0,
                     *         "canceled": 0
                     *       },
                     *       "created_at": "2026-01-15T09:00:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pacing": {
                 *         "max_concurrent": 5
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CampaignUpdate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000041",
                     *       "name": "Renewals",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": null,
                     *       "from_numbers": [],
                     *       "pacing": {
                     *         "max_concurrent": 20,
                     *         "per_minute": 120,
                     *         "reserve_for_others": 0.2
                     *       },
                     *       "retries": {
                     *         "attempts": 3,
                     *         "on": [
                     *           "busy",
                     *           "no_answer"
                     *         ],
                     *         "delays_s": [
                     *           600,
                     *           86400
                     *         ],
                     *         "spread": 0.1
                     *       },
                     *       "reached_by": [
                     *         "answered"
                     *       ],
                     *       "reached_dispositions": null,
                     *       "purpose": "service",
                     *       "policy": null,
                     *       "budget": "250",
                     *       "circuit": {
                     *         "failure_rate": 0.5,
                     *         "window_s": 300,
                     *         "min_calls": 20
                     *       },
                     *       "expires_at": null,
                     *       "state": "running",
                     *       "blocked": null,
                     *       "abandonment": null,
                     *       "spent": "12.5",
                     *       "recipients": {
                     *         "total": 3,
                     *         "waiting": 1,
                     *         "deferred": 0,
                     *         "dialling": 0,
                     *         "connected": 0,
                     *         "reached": 2,
                     *         "exhausted": 0,
                     *         "suppressed": 0,
                     *         "refused": 0,
                     *         "expired": 0,
                     *         "canceled": 0
                     *       },
                     *       "created_at": "2026-01-15T09:00:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCampaignStats: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "campaign_id": "01980000-0000-7000-8000-000000000041",
                     *       "state": "running",
                     *       "recipients": {
                     *         "total": 3,
                     *         "waiting": 1,
                     *         "deferred": 0,
                     *         "dialling": 0,
                     *         "connected": 0,
                     *         "reached": 2,
                     *         "exhausted": 0,
                     *         "suppressed": 0,
                     *         "refused": 0,
                     *         "expired": 0,
                     *         "canceled": 0
                     *       },
                     *       "attempts": {
                     *         "total": 2,
                     *         "open": 0,
                     *         "answered": 2,
                     *         "voicemail": 0,
                     *         "ivr": 0,
                     *         "screening": 0,
                     *         "ai": 0,
                     *         "busy": 0,
                     *         "no_answer": 0,
                     *         "declined": 0,
                     *         "unavailable": 0,
                     *         "invalid_number": 0,
                     *         "failed": 0,
                     *         "abandoned": 0,
                     *         "interrupted": 0,
                     *         "canceled": 0
                     *       },
                     *       "spent": "12.5",
                     *       "estimated_end_at": "2026-01-15T09:45:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignStats"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "waiting": 3,
                     *       "decided": 3,
                     *       "is_sample": false,
                     *       "same_number": 0,
                     *       "now": 1,
                     *       "hours": [
                     *         {
                     *           "from": "2026-01-15T09:00:00.000Z",
                     *           "recipients": 1
                     *         },
                     *         {
                     *           "from": "2026-01-15T14:00:00.000Z",
                     *           "recipients": 1
                     *         }
                     *       ],
                     *       "refused": 1,
                     *       "refusals": [
                     *         {
                     *           "recipient_id": "01980000-0000-7000-8000-000000000043",
                     *           "external_id": "C-18",
                     *           "rule": "suppression",
                     *           "detail": "The number is suppressed for all calls: asked."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignPreview"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000041",
                     *       "name": "Renewals",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": null,
                     *       "from_numbers": [],
                     *       "pacing": {
                     *         "max_concurrent": 20,
                     *         "per_minute": 120,
                     *         "reserve_for_others": 0.2
                     *       },
                     *       "retries": {
                     *         "attempts": 3,
                     *         "on": [
                     *           "busy",
                     *           "no_answer"
                     *         ],
                     *         "delays_s": [
                     *           600,
                     *           86400
                     *         ],
                     *         "spread": 0.1
                     *       },
                     *       "reached_by": [
                     *         "answered"
                     *       ],
                     *       "reached_dispositions": null,
                     *       "purpose": "service",
                     *       "policy": null,
                     *       "budget": "250",
                     *       "circuit": {
                     *         "failure_rate": 0.5,
                     *         "window_s": 300,
                     *         "min_calls": 20
                     *       },
                     *       "expires_at": null,
                     *       "state": "running",
                     *       "blocked": null,
                     *       "abandonment": null,
                     *       "spent": "12.5",
                     *       "recipients": {
                     *         "total": 3,
                     *         "waiting": 1,
                     *         "deferred": 0,
                     *         "dialling": 0,
                     *         "connected": 0,
                     *         "reached": 2,
                     *         "exhausted": 0,
                     *         "suppressed": 0,
                     *         "refused": 0,
                     *         "expired": 0,
                     *         "canceled": 0
                     *       },
                     *       "created_at": "2026-01-15T09:00:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000041",
                     *       "name": "Renewals",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": null,
                     *       "from_numbers": [],
                     *       "pacing": {
                     *         "max_concurrent": 20,
                     *         "per_minute": 120,
                     *         "reserve_for_others": 0.2
                     *       },
                     *       "retries": {
                     *         "attempts": 3,
                     *         "on": [
                     *           "busy",
                     *           "no_answer"
                     *         ],
                     *         "delays_s": [
                     *           600,
                     *           86400
                     *         ],
                     *         "spread": 0.1
                     *       },
                     *       "reached_by": [
                     *         "answered"
                     *       ],
                     *       "reached_dispositions": null,
                     *       "purpose": "service",
                     *       "policy": null,
                     *       "budget": "250",
                     *       "circuit": {
                     *         "failure_rate": 0.5,
                     *         "window_s": 300,
                     *         "min_calls": 20
                     *       },
                     *       "expires_at": null,
                     *       "state": "running",
                     *       "blocked": null,
                     *       "abandonment": null,
                     *       "spent": "12.5",
                     *       "recipients": {
                     *         "total": 3,
                     *         "waiting": 1,
                     *         "deferred": 0,
                     *         "dialling": 0,
                     *         "connected": 0,
                     *         "reached": 2,
                     *         "exhausted": 0,
                     *         "suppressed": 0,
                     *         "refused": 0,
                     *         "expired": 0,
                     *         "canceled": 0
                     *       },
                     *       "created_at": "2026-01-15T09:00:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000041",
                     *       "name": "Renewals",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": null,
                     *       "from_numbers": [],
                     *       "pacing": {
                     *         "max_concurrent": 20,
                     *         "per_minute": 120,
                     *         "reserve_for_others": 0.2
                     *       },
                     *       "retries": {
                     *         "attempts": 3,
                     *         "on": [
                     *           "busy",
                     *           "no_answer"
                     *         ],
                     *         "delays_s": [
                     *           600,
                     *           86400
                     *         ],
                     *         "spread": 0.1
                     *       },
                     *       "reached_by": [
                     *         "answered"
                     *       ],
                     *       "reached_dispositions": null,
                     *       "purpose": "service",
                     *       "policy": null,
                     *       "budget": "250",
                     *       "circuit": {
                     *         "failure_rate": 0.5,
                     *         "window_s": 300,
                     *         "min_calls": 20
                     *       },
                     *       "expires_at": null,
                     *       "state": "running",
                     *       "blocked": null,
                     *       "abandonment": null,
                     *       "spent": "12.5",
                     *       "recipients": {
                     *         "total": 3,
                     *         "waiting": 1,
                     *         "deferred": 0,
                     *         "dialling": 0,
                     *         "connected": 0,
                     *         "reached": 2,
                     *         "exhausted": 0,
                     *         "suppressed": 0,
                     *         "refused": 0,
                     *         "expired": 0,
                     *         "canceled": 0
                     *       },
                     *       "created_at": "2026-01-15T09:00:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000041",
                     *       "name": "Renewals",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": null,
                     *       "from_numbers": [],
                     *       "pacing": {
                     *         "max_concurrent": 20,
                     *         "per_minute": 120,
                     *         "reserve_for_others": 0.2
                     *       },
                     *       "retries": {
                     *         "attempts": 3,
                     *         "on": [
                     *           "busy",
                     *           "no_answer"
                     *         ],
                     *         "delays_s": [
                     *           600,
                     *           86400
                     *         ],
                     *         "spread": 0.1
                     *       },
                     *       "reached_by": [
                     *         "answered"
                     *       ],
                     *       "reached_dispositions": null,
                     *       "purpose": "service",
                     *       "policy": null,
                     *       "budget": "250",
                     *       "circuit": {
                     *         "failure_rate": 0.5,
                     *         "window_s": 300,
                     *         "min_calls": 20
                     *       },
                     *       "expires_at": null,
                     *       "state": "running",
                     *       "blocked": null,
                     *       "abandonment": null,
                     *       "spent": "12.5",
                     *       "recipients": {
                     *         "total": 3,
                     *         "waiting": 1,
                     *         "deferred": 0,
                     *         "dialling": 0,
                     *         "connected": 0,
                     *         "reached": 2,
                     *         "exhausted": 0,
                     *         "suppressed": 0,
                     *         "refused": 0,
                     *         "expired": 0,
                     *         "canceled": 0
                     *       },
                     *       "created_at": "2026-01-15T09:00:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRecipients: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description `waiting` for its turn or the next attempt, `deferred` by a decision until `next_at`, `refused` by a decision. From `reached` on, the campaign is done with it. */
                state?: components["schemas"]["RecipientState"];
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON, or CSV where the `Accept` header prefers `text/csv`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientPage"];
                    /** @example external_id,phone_number,state,reason,attempts,next_at,finished_at,call_id,outcome */
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addRecipients: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recipients": [
                 *         {
                 *           "phone_number": "+15005550100",
                 *           "external_id": "C-17",
                 *           "variables": {
                 *             "name": "Ada"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RecipientsAdd"];
                /**
                 * @example phone_number,external_id
                 *     '+15005550100,C-17
                 */
                "text/csv": string;
                /** @example {"phone_number":"+15005550100","external_id":"C-17","variables":{"name":"Ada"}} */
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "added": 2,
                     *       "known": 0,
                     *       "consents_added": 0,
                     *       "refused": 1,
                     *       "refusals": [
                     *         {
                     *           "line": 3,
                     *           "field": "phone_number",
                     *           "msg": "Input should be a phone number in E.164"
                     *         }
                     *       ],
                     *       "stopped_at_line": null
                     *     }
                     */
                    "application/json": components["schemas"]["RecipientsAdded"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                campaign_id: string;
                recipient_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000042",
                     *       "external_id": "C-17",
                     *       "phone_number": "+15005550100",
                     *       "time_zone": null,
                     *       "region": null,
                     *       "state": "reached",
                     *       "reason": "answered",
                     *       "attempts": [
                     *         {
                     *           "attempt": 1,
                     *           "call_id": "01980000-0000-7000-8000-000000000001",
                     *           "decision_id": null,
                     *           "outcome": "answered",
                     *           "started_at": "2026-01-15T09:30:00.000Z",
                     *           "ended_at": "2026-01-15T09:31:30.000Z"
                     *         }
                     *       ],
                     *       "decision_id": null,
                     *       "next_at": null,
                     *       "created_at": "2026-01-15T09:00:00.000Z",
                     *       "finished_at": "2026-01-15T09:31:31.000Z",
                     *       "variables": {
                     *         "name": "Ada"
                     *       },
                     *       "metadata": null
                     *     }
                     */
                    "application/json": components["schemas"]["RecipientDetail"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only this number. */
                phone_number?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON, or CSV where the `Accept` header prefers `text/csv`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionPage"];
                    /** @example id,phone_number,scope,scope_id,reason,expires_at,call_id,transcript_id,created_at */
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addSuppressions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entries": [
                 *         {
                 *           "phone_number": "+15005550199",
                 *           "reason": "asked"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SuppressionsPost"];
                /**
                 * @example phone_number,reason
                 *     '+15005550199,asked
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "added": 1,
                     *       "changed": 0
                     *     }
                     */
                    "application/json": components["schemas"]["SuppressionsAdded"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSuppressionChanges: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000031",
                     *           "phone_number": "+15005550199",
                     *           "scope": "user",
                     *           "scope_id": "",
                     *           "reason": "asked",
                     *           "expires_at": null,
                     *           "call_id": "01980000-0000-7000-8000-000000000001",
                     *           "transcript_id": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "deleted_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "17"
                     *     }
                     */
                    "application/json": components["schemas"]["SuppressionChanges"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSuppression: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                suppression_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConsents: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only this number. */
                phone_number?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Consent items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000032",
                     *           "phone_number": "+15005550199",
                     *           "purpose": "marketing",
                     *           "kind": "express_written",
                     *           "text": "Yes, call me about offers.",
                     *           "obtained_at": "2026-01-15T09:30:00.000Z",
                     *           "channel": "web form",
                     *           "evidence_url": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "revoked_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConsentPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addConsent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone_number": "+15005550199",
                 *       "purpose": "marketing",
                 *       "kind": "express_written",
                 *       "text": "Yes, call me about offers.",
                 *       "obtained_at": "2026-01-15T09:30:00.000Z",
                 *       "channel": "web form",
                 *       "evidence_url": null
                 *     }
                 */
                "application/json": components["schemas"]["ConsentPost"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000032",
                     *       "phone_number": "+15005550199",
                     *       "purpose": "marketing",
                     *       "kind": "express_written",
                     *       "text": "Yes, call me about offers.",
                     *       "obtained_at": "2026-01-15T09:30:00.000Z",
                     *       "channel": "web form",
                     *       "evidence_url": null,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "revoked_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Consent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeConsent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                consent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000032",
                     *       "phone_number": "+15005550199",
                     *       "purpose": "marketing",
                     *       "kind": "express_written",
                     *       "text": "Yes, call me about offers.",
                     *       "obtained_at": "2026-01-15T09:30:00.000Z",
                     *       "channel": "web form",
                     *       "evidence_url": null,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "revoked_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Consent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "call_id": "01980000-0000-7000-8000-000000000001",
                     *       "status": "FAILED",
                     *       "room_name": "call-01980000",
                     *       "call_status": "FAILED",
                     *       "call_direction": "OUTBOUND",
                     *       "outbound_phone_number": "+15005550001",
                     *       "direction": "OUTBOUND",
                     *       "from_number": "+15005550010",
                     *       "to_number": "+15005550001",
                     *       "started_at": null,
                     *       "ended_at": "2026-01-15T09:31:30.500Z",
                     *       "duration": 0,
                     *       "end_reason": "busy",
                     *       "sip_status_code": 486,
                     *       "user_id": "user-1",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 4,
                     *       "caller_number": null,
                     *       "caller_id": null,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "answered_by": null,
                     *       "disposition": null,
                     *       "agent_name": "Front desk",
                     *       "variables": {
                     *         "name": "Ada"
                     *       },
                     *       "metadata": {
                     *         "crm_id": "C-17"
                     *       },
                     *       "ringing_timeout_s": null,
                     *       "max_duration_s": 600,
                     *       "record": null,
                     *       "sip": {
                     *         "call_id": null,
                     *         "bridge_call_id": "SCL_aBcDeFgHiJkL",
                     *         "carrier_call_id": null,
                     *         "codec": null,
                     *         "q850_cause": null,
                     *         "jitter_ms": null,
                     *         "packet_loss_percent": null,
                     *         "headers_in": {},
                     *         "headers_out": {
                     *           "X-Account": "C-17"
                     *         }
                     *       },
                     *       "trunks": [
                     *         {
                     *           "trunk": "ST_a",
                     *           "end_reason": "busy",
                     *           "sip_status_code": 486
                     *         }
                     *       ],
                     *       "transfers": [],
                     *       "dial_decisions": [],
                     *       "keys": [],
                     *       "timeline": [
                     *         {
                     *           "status": "CREATED",
                     *           "call_status": "RINGING",
                     *           "failed_over": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         },
                     *         {
                     *           "status": "FAILED",
                     *           "call_status": "FAILED",
                     *           "failed_over": null,
                     *           "created_at": "2026-01-15T09:31:30.500Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CallDetail"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The worker’s job, built from the call and its version of the agent. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job": {
                     *         "version": 1,
                     *         "session_id": "01980000-0000-7000-8000-000000000001",
                     *         "room_name": "call-01980000",
                     *         "user_id": "user-1",
                     *         "agent_id": "01980000-0000-7000-8000-000000000000",
                     *         "agent_name": "Front desk",
                     *         "agent_version": 4,
                     *         "config": {
                     *           "greeting": "Hello {{name}}"
                     *         },
                     *         "direction": "OUTBOUND",
                     *         "from_number": "+15005550010",
                     *         "to_number": "+15005550100",
                     *         "variables": {
                     *           "name": "Ada"
                     *         },
                     *         "metadata": {
                     *           "crm_id": "C-17"
                     *         }
                     *       },
                     *       "agent_changed": false
                     *     }
                     */
                    "application/json": components["schemas"]["CallJob"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "call_id": "01980000-0000-7000-8000-000000000001",
                     *       "status": "ACTIVE",
                     *       "room_name": "call-01980000",
                     *       "call_status": "ANSWERED",
                     *       "call_direction": "OUTBOUND",
                     *       "outbound_phone_number": "+15005550100",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null,
                     *       "duration": null
                     *     }
                     */
                    "application/json": components["schemas"]["CallState"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "call_id": "01980000-0000-7000-8000-000000000001",
                     *       "status": "ACTIVE",
                     *       "room_name": "call-01980000",
                     *       "call_status": "ANSWERED",
                     *       "call_direction": "OUTBOUND",
                     *       "outbound_phone_number": "+15005550100",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null,
                     *       "duration": null
                     *     }
                     */
                    "application/json": components["schemas"]["CallState"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportCallOutcome: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        /** @description Absent fields are not changed. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "answered_by": "voicemail",
                 *       "hang_up": true
                 *     }
                 */
                "application/json": components["schemas"]["CallOutcome"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "call_id": "01980000-0000-7000-8000-000000000001",
                     *       "status": "FAILED",
                     *       "room_name": "call-01980000",
                     *       "call_status": "FAILED",
                     *       "call_direction": "OUTBOUND",
                     *       "outbound_phone_number": "+15005550001",
                     *       "direction": "OUTBOUND",
                     *       "from_number": "+15005550010",
                     *       "to_number": "+15005550001",
                     *       "started_at": null,
                     *       "ended_at": "2026-01-15T09:31:30.500Z",
                     *       "duration": 0,
                     *       "end_reason": "busy",
                     *       "sip_status_code": 486,
                     *       "user_id": "user-1",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 4,
                     *       "caller_number": null,
                     *       "caller_id": null,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "answered_by": null,
                     *       "disposition": null,
                     *       "agent_name": "Front desk",
                     *       "variables": {
                     *         "name": "Ada"
                     *       },
                     *       "metadata": {
                     *         "crm_id": "C-17"
                     *       },
                     *       "ringing_timeout_s": null,
                     *       "max_duration_s": 600,
                     *       "record": null,
                     *       "sip": {
                     *         "call_id": null,
                     *         "bridge_call_id": "SCL_aBcDeFgHiJkL",
                     *         "carrier_call_id": null,
                     *         "codec": null,
                     *         "q850_cause": null,
                     *         "jitter_ms": null,
                     *         "packet_loss_percent": null,
                     *         "headers_in": {},
                     *         "headers_out": {
                     *           "X-Account": "C-17"
                     *         }
                     *       },
                     *       "trunks": [
                     *         {
                     *           "trunk": "ST_a",
                     *           "end_reason": "busy",
                     *           "sip_status_code": 486
                     *         }
                     *       ],
                     *       "transfers": [],
                     *       "dial_decisions": [],
                     *       "keys": [],
                     *       "timeline": [
                     *         {
                     *           "status": "CREATED",
                     *           "call_status": "RINGING",
                     *           "failed_over": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         },
                     *         {
                     *           "status": "FAILED",
                     *           "call_status": "FAILED",
                     *           "failed_over": null,
                     *           "created_at": "2026-01-15T09:31:30.500Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CallDetail"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallEvidence: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "switchboard.call-evidence",
                     *       "format": 1,
                     *       "call": {
                     *         "call_id": "01980000-0000-7000-8000-000000000001",
                     *         "user_id": "user-1",
                     *         "direction": "OUTBOUND",
                     *         "from_number": "+15005550010",
                     *         "to_number": "+15005550100",
                     *         "status": "COMPLETED",
                     *         "answered_by": "human",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "started_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": "2026-01-15T09:30:00.000Z",
                     *         "end_reason": "ended_by_agent",
                     *         "sip_status_code": null
                     *       },
                     *       "agent": null,
                     *       "decisions": [],
                     *       "policies": [],
                     *       "consents": [],
                     *       "disclosure": {
                     *         "text": "This is an AI calling.",
                     *         "started_at": "2026-01-15T09:30:00.000Z",
                     *         "is_complete": true
                     *       },
                     *       "recordings": [],
                     *       "opt_out": null,
                     *       "issued_at": "2026-01-15T09:30:00.000Z",
                     *       "key_id": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
                     *       "chain": {
                     *         "position": 1,
                     *         "previous": null
                     *       },
                     *       "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                     *     }
                     */
                    "application/json": components["schemas"]["CallEvidence"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDecisionEvidence: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "switchboard.decision-evidence",
                     *       "format": 1,
                     *       "decision": {
                     *         "id": "01980000-0000-7000-8000-000000000033",
                     *         "call_id": null,
                     *         "kind": "call",
                     *         "agent_id": "01980000-0000-7000-8000-000000000000",
                     *         "phone_number": "+15005550100",
                     *         "purpose": "marketing",
                     *         "outcome": "defer",
                     *         "not_before": "2026-01-15T14:00:00.000Z",
                     *         "reasons": [
                     *           {
                     *             "rule": "window",
                     *             "detail": "It is 04:30 on 2026-01-15 in America/New_York, outside of the hours.",
                     *             "source": "policy office-hours, version 1"
                     *           }
                     *         ],
                     *         "policy": "office-hours",
                     *         "policy_version": 1,
                     *         "inputs": {
                     *           "format": 2,
                     *           "purpose": "marketing"
                     *         },
                     *         "inputs_hash": "b6f360ea811725f0e6ec1c7d3437fc72edcff91e44153d96ced7e5642f3635df",
                     *         "evaluated_at": "2026-01-15T09:30:00.000Z",
                     *         "user_id": "user-1"
                     *       },
                     *       "policies": [],
                     *       "consents": [],
                     *       "issued_at": "2026-01-15T09:30:00.000Z",
                     *       "key_id": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
                     *       "chain": {
                     *         "position": 1,
                     *         "previous": null
                     *       },
                     *       "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                     *     }
                     */
                    "application/json": components["schemas"]["DecisionEvidence"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvidenceKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "OKP",
                     *           "crv": "Ed25519",
                     *           "use": "sig",
                     *           "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
                     *           "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EvidenceKeySet"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sayInCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "One moment, please.",
                 *       "interrupt": true
                 *     }
                 */
                "application/json": components["schemas"]["SayRequest"];
            };
        };
        responses: {
            /** @description The worker of the call has accepted it, and does it now. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "call_id": "01980000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    instructAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Offer a refund of 20 euros."
                 *     }
                 */
                "application/json": components["schemas"]["InstructRequest"];
            };
        };
        responses: {
            /** @description The worker of the call has accepted it, and does it now. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "call_id": "01980000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pressKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "digits": "2#"
                 *     }
                 */
                "application/json": components["schemas"]["PressRequest"];
            };
        };
        responses: {
            /** @description The worker of the call has accepted it, and does it now. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "call_id": "01980000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    takeOverCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is silent. Connect to `url` with `token` before `expires_at`; leave to give the call back. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "room_name": "call-01980000",
                     *       "url": "wss://example.livekit.cloud",
                     *       "token": "eyJ…",
                     *       "expires_at": "2026-01-15T09:30:20.000Z",
                     *       "is_simulated": false
                     *     }
                     */
                    "application/json": components["schemas"]["CallTakenOver"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startWebCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "01980000-0000-7000-8000-000000000000",
                 *       "variables": {
                 *         "name": "Ada"
                 *       },
                 *       "max_duration_s": 600
                 *     }
                 */
                "application/json": components["schemas"]["WebCall"];
            };
        };
        responses: {
            /** @description Everything a page needs to talk to the agent. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "call_id": "01980000-0000-7000-8000-000000000001",
                     *       "room_name": "web-01980000",
                     *       "url": "wss://example.livekit.cloud",
                     *       "token": "eyJ…",
                     *       "events_url": "/api/calls/01980000-0000-7000-8000-000000000001/events?token=sbs_…",
                     *       "expires_at": "2026-01-15T09:31:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebCallStarted"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listenToCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Connect to `url` with `token` before `expires_at`. Who is connected stays until the call ends. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "room_name": "call-01980000",
                     *       "url": "wss://example.livekit.cloud",
                     *       "token": "eyJ…",
                     *       "expires_at": "2026-01-15T09:31:00.000Z",
                     *       "is_simulated": false
                     *     }
                     */
                    "application/json": components["schemas"]["CallListening"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRoomToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session_id": "01980000-0000-7000-8000-000000000000"
                 *     }
                 */
                "application/json": components["schemas"]["RoomTokenCreate"];
            };
        };
        responses: {
            /** @description Connect to `url` with `token` before `expires_at`. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJ…",
                     *       "url": "wss://example.livekit.cloud",
                     *       "room_name": "call-01980000",
                     *       "identity": "web-01980000",
                     *       "expires_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RoomToken"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "01980000-0000-7000-8000-000000000000",
                 *       "variables": {
                 *         "name": "Ada"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChatCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chat_id": "01980000-0000-7000-8000-000000000001",
                     *       "direction": "CHAT",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 3,
                     *       "user_id": "user-1",
                     *       "status": "ACTIVE",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null,
                     *       "is_simulated": false,
                     *       "timeline": [
                     *         {
                     *           "status": "ACTIVE",
                     *           "call_status": null,
                     *           "failed_over": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Chat"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chat_id": "01980000-0000-7000-8000-000000000001",
                     *       "direction": "CHAT",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 3,
                     *       "user_id": "user-1",
                     *       "status": "ACTIVE",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null,
                     *       "is_simulated": false,
                     *       "timeline": [
                     *         {
                     *           "status": "ACTIVE",
                     *           "call_status": null,
                     *           "failed_over": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Chat"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rewindChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to_message": "01980000-0000-7000-8000-000000000003"
                 *     }
                 */
                "application/json": components["schemas"]["ChatRewind"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chat_id": "01980000-0000-7000-8000-000000000001",
                     *       "direction": "CHAT",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 3,
                     *       "user_id": "user-1",
                     *       "status": "ACTIVE",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null,
                     *       "is_simulated": false,
                     *       "timeline": [
                     *         {
                     *           "status": "ACTIVE",
                     *           "call_status": null,
                     *           "failed_over": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Chat"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    forkChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
            };
            path: {
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to_message": "01980000-0000-7000-8000-000000000003",
                 *       "agent_version": "draft"
                 *     }
                 */
                "application/json": components["schemas"]["ChatFork"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chat_id": "01980000-0000-7000-8000-000000000001",
                     *       "direction": "CHAT",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 3,
                     *       "user_id": "user-1",
                     *       "status": "ACTIVE",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null,
                     *       "is_simulated": false,
                     *       "timeline": [
                     *         {
                     *           "status": "ACTIVE",
                     *           "call_status": null,
                     *           "failed_over": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Chat"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chat_id": "01980000-0000-7000-8000-000000000001",
                     *       "direction": "CHAT",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 3,
                     *       "user_id": "user-1",
                     *       "status": "ACTIVE",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": null,
                     *       "is_simulated": false,
                     *       "timeline": [
                     *         {
                     *           "status": "ACTIVE",
                     *           "call_status": null,
                     *           "failed_over": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Chat"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendChatMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
            };
            path: {
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "When do you open on Sunday?"
                 *     }
                 */
                "application/json": components["schemas"]["ChatMessageCreate"];
            };
        };
        responses: {
            /**
             * @description The answer, as JSON; with `Accept: text/event-stream` while it comes, as events: `sent` with the id of the
             *     message; `words`, `tool_call`, `tool_result`, `failed_over` and `usage` as the worker reports them (`ChatTurnEvent`); `restarted` when another
             *     worker begins anew; then `message` with the answer, or `failed` with `code` and `detail`.
             */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswer"];
                    /**
                     * @example retry: 1000
                     *
                     *     id: 1
                     *     event: sent
                     *     data: {"chat_id":"01980000-0000-7000-8000-000000000001","message_id":"01980000-0000-7000-8000-000000000002"}
                     *
                     *     id: 2
                     *     event: words
                     *     data: {"text":"We open "}
                     */
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTestRuns: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only those of this agent. */
                agent_id?: string;
                /** @description Only those of this suite. */
                suite?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of TestRun items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000013",
                     *           "user_id": "user-1",
                     *           "purpose": "test",
                     *           "agent_id": "01980000-0000-7000-8000-000000000000",
                     *           "agent_version": 4,
                     *           "suite": null,
                     *           "cassette": "passthrough",
                     *           "base_version": null,
                     *           "status": "passed",
                     *           "is_simulated": false,
                     *           "scenarios": 1,
                     *           "passed": 1,
                     *           "failed": 0,
                     *           "invalid": 0,
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "started_at": "2026-01-15T09:30:00.000Z",
                     *           "ended_at": "2026-01-15T09:30:04.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TestRunPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startTestRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "01980000-0000-7000-8000-000000000000",
                 *       "agent_version": "draft",
                 *       "scenarios": [
                 *         "01980000-0000-7000-8000-000000000011"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TestRunCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000013",
                     *       "user_id": "user-1",
                     *       "purpose": "test",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 4,
                     *       "suite": null,
                     *       "cassette": "passthrough",
                     *       "base_version": null,
                     *       "status": "passed",
                     *       "is_simulated": false,
                     *       "scenarios": 1,
                     *       "passed": 1,
                     *       "failed": 0,
                     *       "invalid": 0,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": "2026-01-15T09:30:04.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TestRun"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTestRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                test_run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000013",
                     *       "user_id": "user-1",
                     *       "purpose": "test",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 4,
                     *       "suite": null,
                     *       "cassette": "passthrough",
                     *       "base_version": null,
                     *       "status": "passed",
                     *       "is_simulated": false,
                     *       "scenarios": 1,
                     *       "passed": 1,
                     *       "failed": 0,
                     *       "invalid": 0,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": "2026-01-15T09:30:04.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TestRun"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTestResults: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                test_run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of TestResult items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000014",
                     *           "scenario_id": "01980000-0000-7000-8000-000000000011",
                     *           "replay": null,
                     *           "base": null,
                     *           "name": "asks when we open",
                     *           "critical": false,
                     *           "status": "failed",
                     *           "verdict": "regressed",
                     *           "runs": 1,
                     *           "passed": 0,
                     *           "failed": 1,
                     *           "invalid": 0,
                     *           "interval": {
                     *             "low": 0,
                     *             "high": 0.7935
                     *           },
                     *           "problems": [
                     *             "failed: the agent says \"ten\" (not said)"
                     *           ],
                     *           "error": null,
                     *           "conversations": [
                     *             {
                     *               "status": "failed",
                     *               "times": 1,
                     *               "checks": [
                     *                 {
                     *                   "expected": "the agent says \"ten\"",
                     *                   "outcome": "failed",
                     *                   "found": "not said"
                     *                 }
                     *               ],
                     *               "turns": [
                     *                 {
                     *                   "at_ms": 0,
                     *                   "heard": "When do you open?",
                     *                   "interrupted": false,
                     *                   "words": "At nine.",
                     *                   "calls": [],
                     *                   "first_word_ms": 0
                     *                 }
                     *               ],
                     *               "end_reason": "script_over",
                     *               "error": null,
                     *               "world": {},
                     *               "cost": "0",
                     *               "duration_ms": 0
                     *             }
                     *           ],
                     *           "is_complete": true,
                     *           "started_at": "2026-01-15T09:30:00.000Z",
                     *           "ended_at": "2026-01-15T09:30:04.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TestResultPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelTestRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                test_run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000013",
                     *       "user_id": "user-1",
                     *       "purpose": "test",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 4,
                     *       "suite": null,
                     *       "cassette": "passthrough",
                     *       "base_version": null,
                     *       "status": "passed",
                     *       "is_simulated": false,
                     *       "scenarios": 1,
                     *       "passed": 1,
                     *       "failed": 0,
                     *       "invalid": 0,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": "2026-01-15T09:30:04.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TestRun"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_version": "draft"
                 *     }
                 */
                "application/json": components["schemas"]["CallReplay"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000013",
                     *       "user_id": "user-1",
                     *       "purpose": "test",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 4,
                     *       "suite": null,
                     *       "cassette": "passthrough",
                     *       "base_version": null,
                     *       "status": "passed",
                     *       "is_simulated": false,
                     *       "scenarios": 1,
                     *       "passed": 1,
                     *       "failed": 0,
                     *       "invalid": 0,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": "2026-01-15T09:30:04.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TestRun"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listScenarios: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ScenarioSummary items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000011",
                     *           "user_id": "user-1",
                     *           "name": "asks when we open",
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "updated_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ScenarioSummaryPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveScenario: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "scenario: asks when we open\ncaller:\n  script:\n    - { say: \"When do you open on Sunday?\" }\nexpect:\n  - { agent_says: \"ten\" }\n"
                 *     }
                 */
                "application/json": components["schemas"]["ScenarioPut"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000011",
                     *       "user_id": "user-1",
                     *       "name": "asks when we open",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "text": "scenario: asks when we open\ncaller:\n  script:\n    - { say: \"When do you open on Sunday?\" }\nexpect:\n  - { agent_says: \"ten\" }\n"
                     *     }
                     */
                    "application/json": components["schemas"]["Scenario"];
                };
            };
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000011",
                     *       "user_id": "user-1",
                     *       "name": "asks when we open",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "text": "scenario: asks when we open\ncaller:\n  script:\n    - { say: \"When do you open on Sunday?\" }\nexpect:\n  - { agent_says: \"ten\" }\n"
                     *     }
                     */
                    "application/json": components["schemas"]["Scenario"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getScenario: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                scenario_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000011",
                     *       "user_id": "user-1",
                     *       "name": "asks when we open",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z",
                     *       "text": "scenario: asks when we open\ncaller:\n  script:\n    - { say: \"When do you open on Sunday?\" }\nexpect:\n  - { agent_says: \"ten\" }\n"
                     *     }
                     */
                    "application/json": components["schemas"]["Scenario"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteScenario: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                scenario_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSuites: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Suite items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000012",
                     *           "user_id": "user-1",
                     *           "name": "Front desk",
                     *           "scenarios": [
                     *             "01980000-0000-7000-8000-000000000011"
                     *           ],
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "changed_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SuitePage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveSuite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Front desk",
                 *       "scenarios": [
                 *         "01980000-0000-7000-8000-000000000011"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SuitePut"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000012",
                     *       "user_id": "user-1",
                     *       "name": "Front desk",
                     *       "scenarios": [
                     *         "01980000-0000-7000-8000-000000000011"
                     *       ],
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "changed_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Suite"];
                };
            };
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000012",
                     *       "user_id": "user-1",
                     *       "name": "Front desk",
                     *       "scenarios": [
                     *         "01980000-0000-7000-8000-000000000011"
                     *       ],
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "changed_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Suite"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSuite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                suite_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000012",
                     *       "user_id": "user-1",
                     *       "name": "Front desk",
                     *       "scenarios": [
                     *         "01980000-0000-7000-8000-000000000011"
                     *       ],
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "changed_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Suite"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSuite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                suite_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCassette: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                scenario_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scenario_id": "01980000-0000-7000-8000-000000000011",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_version": 4,
                     *       "exchanges": 1,
                     *       "recorded_at": "2026-01-15T09:30:00.000Z",
                     *       "content": {
                     *         "scenario": "asks when we open",
                     *         "settings": [],
                     *         "exchanges": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScenarioCassette"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCassette: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                scenario_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    draftScenario: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "asks when we open",
                     *       "text": "scenario: asks when we open\ncaller:\n  script:\n    - { say: \"When do you open on Sunday?\" }\nexpect:\n  - { agent_says: \"ten\" }\n"
                     *     }
                     */
                    "application/json": components["schemas"]["ScenarioDraft"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description From `CREATED` to `ACTIVE` to `COMPLETED` or `FAILED`; ended states are final. */
                status?: components["schemas"]["SessionStatus"];
                /** @description INBOUND: a phone called. OUTBOUND: the service dialled. */
                call_direction?: components["schemas"]["CallDirection"];
                agent_id?: string;
                /** @description Created at or after. */
                from?: string;
                /** @description Created before. */
                to?: string;
                /** @description The version of the agent that the call has had. */
                agent_version?: number;
                /** @description From `RINGING` to `ANSWERED` to `COMPLETED` or `FAILED`, or from `RINGING` to `NO_ANSWER`; ended states are final. */
                call_status?: components["schemas"]["CallStatus"];
                /** @description INBOUND: a phone called. OUTBOUND: the service dialled. WEB: a browser. For `WEB`, `call_direction` is null. */
                direction?: components["schemas"]["Direction"];
                /** @description Why a call, or an attempt to transfer it, ended. */
                end_reason?: components["schemas"]["EndReason"];
                /** @description A number of either side, with or without its plus sign. */
                number?: string;
                /** @description Words of the transcript: all of them, in any order; the last may be a beginning, except of words that are encrypted (`ENCRYPT_CONTENT`). */
                q?: string;
                /** @description Values of analyses, all of them: `analysis.outcome=booked`, or `analysis[outcome]=booked`. Of a list any item, of a text its first 200 characters. */
                analysis?: {
                    [key: string]: string;
                };
                /** @description By a value of analyses, `analysis.score`, or falling, `-analysis.score`. Only calls that have one, once for each. */
                sort?: string;
                /** @description Fields that are left out otherwise, separated by commas: `total_cost`, `last_transcript`, `analysis`. */
                include?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of CallSummary items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "call_id": "01980000-0000-7000-8000-000000000001",
                     *           "status": "FAILED",
                     *           "room_name": "call-01980000",
                     *           "call_status": "FAILED",
                     *           "call_direction": "OUTBOUND",
                     *           "outbound_phone_number": "+15005550001",
                     *           "direction": "OUTBOUND",
                     *           "from_number": "+15005550010",
                     *           "to_number": "+15005550001",
                     *           "started_at": null,
                     *           "ended_at": "2026-01-15T09:31:30.500Z",
                     *           "duration": 0,
                     *           "end_reason": "busy",
                     *           "sip_status_code": 486,
                     *           "user_id": "user-1",
                     *           "agent_id": "01980000-0000-7000-8000-000000000000",
                     *           "agent_version": 4,
                     *           "caller_number": null,
                     *           "caller_id": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["CallSummaryPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportCalls: {
        parameters: {
            query?: {
                /** @description From `CREATED` to `ACTIVE` to `COMPLETED` or `FAILED`; ended states are final. */
                status?: components["schemas"]["SessionStatus"];
                /** @description INBOUND: a phone called. OUTBOUND: the service dialled. */
                call_direction?: components["schemas"]["CallDirection"];
                agent_id?: string;
                /** @description Created at or after. */
                from?: string;
                /** @description Created before. */
                to?: string;
                /** @description The version of the agent that the call has had. */
                agent_version?: number;
                /** @description From `RINGING` to `ANSWERED` to `COMPLETED` or `FAILED`, or from `RINGING` to `NO_ANSWER`; ended states are final. */
                call_status?: components["schemas"]["CallStatus"];
                /** @description INBOUND: a phone called. OUTBOUND: the service dialled. WEB: a browser. For `WEB`, `call_direction` is null. */
                direction?: components["schemas"]["Direction"];
                /** @description Why a call, or an attempt to transfer it, ended. */
                end_reason?: components["schemas"]["EndReason"];
                /** @description A number of either side, with or without its plus sign. */
                number?: string;
                /** @description Words of the transcript: all of them, in any order; the last may be a beginning, except of words that are encrypted (`ENCRYPT_CONTENT`). */
                q?: string;
                /** @description Values of analyses, all of them: `analysis.outcome=booked`, or `analysis[outcome]=booked`. Of a list any item, of a text its first 200 characters. */
                analysis?: {
                    [key: string]: string;
                };
                /** @description By a value of analyses, `analysis.score`, or falling, `-analysis.score`. Only calls that have one, once for each. */
                sort?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calls. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example call_id,created_at,user_id,agent_id,direction,from_number,to_number,status,call_status,end_reason,sip_status_code,started_at,ended_at,duration,total_cost,agent_version */
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamCallEvents: {
        parameters: {
            query?: {
                /** @description A stream token of this call. */
                token?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description The id of the last event that was received; 0 without it. */
                "last-event-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description Everything after `Last-Event-ID`, then what happens, until the call has ended. Event `call`: the call after a change, as
             *     its callback has it but for agent, `answered_by`, `disposition` and `caller_number`, and when that was (`at`). Event `transcript`: a transcript. Event `provider.failed_over`: a model took over from another one.
             */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 1000
                     *
                     *     id: 2
                     *     event: call
                     *     data: {"call_status":"ANSWERED"}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description The call has ended and all its events have been sent. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createStreamToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "sbs_…",
                     *       "expires_at": "2026-01-15T10:30:00.000Z",
                     *       "events_url": "/api/calls/01980000-0000-7000-8000-000000000001/events?token=sbs_…"
                     *     }
                     */
                    "application/json": components["schemas"]["StreamToken"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description The same as `x-user-id`, for an `EventSource`, which can send no header. */
                user_id?: string;
                /** @description A field of `cost` events that is left out otherwise. */
                include?: components["schemas"]["StreamField"];
                /** @description A stream token of `POST /api/events/token`. */
                token?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description The id of the last event that was received. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description Everything after `Last-Event-ID`, then what happens. Event `call`: a call after a change, with `user_id`, `agent_id`,
             *     `from_number`, `to_number` and when the change was (`at`). Event `transcript`: a transcript. Event `turn`: the
             *     latency of a turn, once it is reported. Event `cost`: a usage event, and with
             *     `include=total_cost` what its call has cost the user so far (`call_total_cost`). Event `delivery`: an attempt
             *     to deliver a callback. Event `campaign`: a campaign after a change of its `state`, what it is `blocked` by, its `recipients`
             *     by state or what it has `spent`, and once it is deleted (`is_deleted`); changes that come together are one event. Event `reset`: what came since `Last-Event-ID` is too much or unknown; read the lists again.
             */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 1000
                     *
                     *     id: 7310
                     *
                     *     id: 7312
                     *     event: call
                     *     data: {"call_id":"01980000-0000-7000-8000-000000000001","call_status":"ANSWERED","at":"2026-01-15T09:30:00.000Z"}
                     */
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createEventsToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "sbs_…",
                     *       "expires_at": "2026-01-15T10:30:00.000Z",
                     *       "events_url": "/api/calls/01980000-0000-7000-8000-000000000001/events?token=sbs_…"
                     *     }
                     */
                    "application/json": components["schemas"]["StreamToken"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRecordings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recordings": [
                     *         {
                     *           "recording_id": "01980000-0000-7000-8000-0000000000a1",
                     *           "call_id": "01980000-0000-7000-8000-000000000001",
                     *           "state": "stored",
                     *           "channels": "stereo",
                     *           "started_at": "2026-01-15T09:30:00.000Z",
                     *           "duration_ms": 61400,
                     *           "bytes": 301112,
                     *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "gaps": [],
                     *           "error": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Recordings"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecordingAudio: {
        parameters: {
            query?: {
                /** @description The token of a link. */
                token?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description `bytes=0-1023`: one range. */
                range?: string;
            };
            path: {
                call_id: string;
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audio. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "audio/ogg": string;
                };
            };
            /** @description A part of the audio. */
            206: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "audio/ogg": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRecordingLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "/api/calls/01980000-0000-7000-8000-000000000001/recordings/01980000-0000-7000-8000-0000000000a1/audio?token=sbs_…",
                     *       "expires_at": "2026-01-15T10:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RecordingLink"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecordingLevels: {
        parameters: {
            query?: {
                /** @description At most so many levels of each side. */
                points?: number;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "interval_ms": 100,
                     *       "sides": [
                     *         {
                     *           "side": "agent",
                     *           "levels": [
                     *             0,
                     *             178,
                     *             190,
                     *             12
                     *           ]
                     *         },
                     *         {
                     *           "side": "others",
                     *           "levels": [
                     *             0,
                     *             0,
                     *             0,
                     *             160
                     *           ]
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "transcript_id": "01980000-0000-7000-8000-000000000001",
                     *           "from_ms": 120
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecordingLevels"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRecording: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                call_id: string;
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportRecording: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "recording",
                 *       "channels": "stereo",
                 *       "started_at": "2026-01-15T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["RecordingReport"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recording_id": "01980000-0000-7000-8000-0000000000a1",
                     *       "call_id": "01980000-0000-7000-8000-000000000001",
                     *       "state": "stored",
                     *       "channels": "stereo",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "duration_ms": 61400,
                     *       "bytes": 301112,
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "gaps": [],
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["Recording"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addRecordingSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "seq": 0,
                 *       "from_ms": 0,
                 *       "to_ms": 4000,
                 *       "sha256": "68d9ed2adb24458ff173db06b41b9d1b6e228764c457030d63fad11b02bfae1e",
                 *       "audio": "T2dnUw=="
                 *     }
                 */
                "application/json": components["schemas"]["SegmentCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "added": true
                     *     }
                     */
                    "application/json": components["schemas"]["SegmentAdded"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description From `CREATED` to `ACTIVE` to `COMPLETED` or `FAILED`; ended states are final. */
                status?: components["schemas"]["SessionStatus"];
                /** @description INBOUND: a phone called. OUTBOUND: the service dialled. */
                call_direction?: components["schemas"]["CallDirection"];
                agent_id?: string;
                /** @description Created at or after. */
                from?: string;
                /** @description Created before. */
                to?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Session items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000001",
                     *           "room_name": "call-01980000",
                     *           "status": "COMPLETED",
                     *           "started_at": "2026-01-15T09:30:00.000Z",
                     *           "ended_at": "2026-01-15T09:31:30.500Z",
                     *           "duration": 90.5,
                     *           "user_id": "user-1",
                     *           "agent_id": "01980000-0000-7000-8000-000000000000",
                     *           "agent_name": "Front desk",
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "updated_at": "2026-01-15T09:31:30.500Z",
                     *           "session_data": {
                     *             "analysis": {
                     *               "sentiment": "positive"
                     *             }
                     *           },
                     *           "call_direction": "OUTBOUND",
                     *           "outbound_phone_number": "+15005550100",
                     *           "call_status": "COMPLETED",
                     *           "analysis": {
                     *             "sentiment": "positive"
                     *           },
                     *           "transferred_to": null,
                     *           "transfer_type": null,
                     *           "transfer_timestamp": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "user-1",
                 *       "room_name": "web-42"
                 *     }
                 */
                "application/json": components["schemas"]["SessionCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000001",
                     *       "room_name": "call-01980000",
                     *       "status": "COMPLETED",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": "2026-01-15T09:31:30.500Z",
                     *       "duration": 90.5,
                     *       "user_id": "user-1",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_name": "Front desk",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:31:30.500Z",
                     *       "session_data": {
                     *         "analysis": {
                     *           "sentiment": "positive"
                     *         }
                     *       },
                     *       "call_direction": "OUTBOUND",
                     *       "outbound_phone_number": "+15005550100",
                     *       "call_status": "COMPLETED",
                     *       "analysis": {
                     *         "sentiment": "positive"
                     *       },
                     *       "transferred_to": null,
                     *       "transfer_type": null,
                     *       "transfer_timestamp": null
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000001",
                     *       "room_name": "call-01980000",
                     *       "status": "COMPLETED",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": "2026-01-15T09:31:30.500Z",
                     *       "duration": 90.5,
                     *       "user_id": "user-1",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_name": "Front desk",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:31:30.500Z",
                     *       "session_data": {
                     *         "analysis": {
                     *           "sentiment": "positive"
                     *         }
                     *       },
                     *       "call_direction": "OUTBOUND",
                     *       "outbound_phone_number": "+15005550100",
                     *       "call_status": "COMPLETED",
                     *       "analysis": {
                     *         "sentiment": "positive"
                     *       },
                     *       "transferred_to": null,
                     *       "transfer_type": null,
                     *       "transfer_timestamp": null
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "metadata": {
                 *         "analysis": {
                 *           "sentiment": "positive"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SessionUpdate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000001",
                     *       "room_name": "call-01980000",
                     *       "status": "COMPLETED",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": "2026-01-15T09:31:30.500Z",
                     *       "duration": 90.5,
                     *       "user_id": "user-1",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_name": "Front desk",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:31:30.500Z",
                     *       "session_data": {
                     *         "analysis": {
                     *           "sentiment": "positive"
                     *         }
                     *       },
                     *       "call_direction": "OUTBOUND",
                     *       "outbound_phone_number": "+15005550100",
                     *       "call_status": "COMPLETED",
                     *       "analysis": {
                     *         "sentiment": "positive"
                     *       },
                     *       "transferred_to": null,
                     *       "transfer_type": null,
                     *       "transfer_timestamp": null
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSessionByRoom: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                room_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000001",
                     *       "room_name": "call-01980000",
                     *       "status": "COMPLETED",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": "2026-01-15T09:31:30.500Z",
                     *       "duration": 90.5,
                     *       "user_id": "user-1",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_name": "Front desk",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:31:30.500Z",
                     *       "session_data": {
                     *         "analysis": {
                     *           "sentiment": "positive"
                     *         }
                     *       },
                     *       "call_direction": "OUTBOUND",
                     *       "outbound_phone_number": "+15005550100",
                     *       "call_status": "COMPLETED",
                     *       "analysis": {
                     *         "sentiment": "positive"
                     *       },
                     *       "transferred_to": null,
                     *       "transfer_type": null,
                     *       "transfer_timestamp": null
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSessionByRoom: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                room_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000001",
                     *       "room_name": "call-01980000",
                     *       "status": "COMPLETED",
                     *       "started_at": "2026-01-15T09:30:00.000Z",
                     *       "ended_at": "2026-01-15T09:31:30.500Z",
                     *       "duration": 90.5,
                     *       "user_id": "user-1",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "agent_name": "Front desk",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:31:30.500Z",
                     *       "session_data": {
                     *         "analysis": {
                     *           "sentiment": "positive"
                     *         }
                     *       },
                     *       "call_direction": "OUTBOUND",
                     *       "outbound_phone_number": "+15005550100",
                     *       "call_status": "COMPLETED",
                     *       "analysis": {
                     *         "sentiment": "positive"
                     *       },
                     *       "transferred_to": null,
                     *       "transfer_type": null,
                     *       "transfer_timestamp": null
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportFailedOver: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01980000-0000-7000-8000-000000000009",
                 *       "kind": "llm",
                 *       "from": "openai/gpt-4.1-mini",
                 *       "to": "groq/llama-3.3-70b",
                 *       "reason": "rate_limit"
                 *     }
                 */
                "application/json": components["schemas"]["FailedOverCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "added": true
                     *     }
                     */
                    "application/json": components["schemas"]["FailedOverReported"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addTranscript: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
            };
            path: {
                room_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "I would like to move my appointment.",
                 *       "speaker": "USER"
                 *     }
                 */
                "application/json": components["schemas"]["TranscriptCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000001",
                     *       "session_id": "01980000-0000-7000-8000-000000000001",
                     *       "content": "I would like to move my appointment.",
                     *       "speaker": "USER",
                     *       "timestamp": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTranscripts: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Transcript items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000001",
                     *           "session_id": "01980000-0000-7000-8000-000000000001",
                     *           "content": "I would like to move my appointment.",
                     *           "speaker": "USER",
                     *           "timestamp": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TranscriptPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTurns: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Turn items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "session_id": "01980000-0000-7000-8000-000000000001",
                     *           "turn_index": 0,
                     *           "model": "gpt-4o-mini",
                     *           "end_of_speech_at": "2026-01-15T09:30:04.120Z",
                     *           "transcript_ms": 180,
                     *           "first_token_ms": 540,
                     *           "first_audio_ms": 790,
                     *           "interrupted_after_ms": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TurnPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportTurns: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TurnsCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "added": 1,
                     *       "known": 0
                     *     }
                     */
                    "application/json": components["schemas"]["TurnsReported"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLatency: {
        parameters: {
            query?: {
                /** @description Names separated by commas: `agent`, `agent_version`, `model`. */
                group_by?: string;
                /** @description First day, UTC, inclusive. */
                start_date?: string;
                /** @description Last day, UTC, inclusive. */
                end_date?: string;
                /** @description Turns of this agent. */
                agent_id?: string;
                /** @description Turns of this version of agents. */
                agent_version?: number;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": {
                     *         "transcript": {
                     *           "turns": 120,
                     *           "mean_ms": 201,
                     *           "p50_ms": 190,
                     *           "p95_ms": 320
                     *         },
                     *         "first_token": {
                     *           "turns": 118,
                     *           "mean_ms": 603,
                     *           "p50_ms": 561,
                     *           "p95_ms": 1004
                     *         },
                     *         "first_audio": {
                     *           "turns": 118,
                     *           "mean_ms": 850,
                     *           "p50_ms": 801,
                     *           "p95_ms": 1330
                     *         }
                     *       },
                     *       "groups": [
                     *         {
                     *           "agent_id": "01980000-0000-7000-8000-000000000000",
                     *           "agent_name": "Front desk",
                     *           "agent_version": null,
                     *           "model": "gpt-4o-mini",
                     *           "transcript": {
                     *             "turns": 120,
                     *             "mean_ms": 201,
                     *             "p50_ms": 190,
                     *             "p95_ms": 320
                     *           },
                     *           "first_token": {
                     *             "turns": 118,
                     *             "mean_ms": 603,
                     *             "p50_ms": 561,
                     *             "p95_ms": 1004
                     *           },
                     *           "first_audio": {
                     *             "turns": 118,
                     *             "mean_ms": 850,
                     *             "p50_ms": 801,
                     *             "p95_ms": 1330
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LatencyReport"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallStats: {
        parameters: {
            query?: {
                /** @description Names separated by commas, in the order of the groups: `day`, `user`, `agent`, `agent_version`, `direction`, `end_reason`, `answered_by`. */
                group_by?: string;
                /** @description First day, UTC, inclusive. */
                start_date?: string;
                /** @description Last day, UTC, inclusive. */
                end_date?: string;
                /** @description Calls of this agent. */
                agent_id?: string;
                /** @description Calls of this version of agents. */
                agent_version?: number;
                /** @description INBOUND: a phone called. OUTBOUND: the service dialled. WEB: a browser. For `WEB`, `call_direction` is null. */
                direction?: components["schemas"]["Direction"];
                /** @description Why a call, or an attempt to transfer it, ended. */
                end_reason?: components["schemas"]["EndReason"];
                /** @description Who or what answered the call. `ivr` is an automated menu; `screening` a machine that asks on somebody’s behalf who calls: if the agent answers it (`screening` in its configuration), nobody picked up, otherwise the call went on; `unavailable` a machine that takes no message; `ai` a program that talks. */
                answered_by?: components["schemas"]["AnsweredBy"];
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON, or CSV where the `Accept` header prefers `text/csv`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallStats"];
                    /** @example day,user_id,agent_id,agent_name,agent_version,direction,end_reason,answered_by,calls,answered,answer_rate,ring_mean_s,ring_p50_s,ring_p95_s,talk_mean_s,talk_p50_s,talk_p95_s */
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    transferCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone_number": "+15005550101"
                 *     }
                 */
                "application/json": components["schemas"]["TransferRequest"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "01980000-0000-7000-8000-000000000001",
                     *       "transfer_type": "COLD",
                     *       "transferred_to": "+15005550101",
                     *       "status": "completed",
                     *       "message": "The caller is connected to the new number; the agent has left."
                     *     }
                     */
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderRefused"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    completeTransfer: {
        parameters: {
            query?: {
                /** @description `connect`, the default: the agent leaves, caller and target stay connected. `return`, of attended ones: the call to the target is ended, the caller is back with the agent. */
                outcome?: components["schemas"]["TransferOutcome"];
                /** @description Why it is returned; `canceled` by default. */
                reason?: components["schemas"]["TransferReturnReason"];
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "01980000-0000-7000-8000-000000000001",
                     *       "transfer_type": "COLD",
                     *       "transferred_to": "+15005550101",
                     *       "status": "completed",
                     *       "message": "The caller is connected to the new number; the agent has left."
                     *     }
                     */
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderRefused"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    receiveMediaEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description An event of the media provider. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "participant_left",
                 *       "id": "EV_4bZ2",
                 *       "room": {
                 *         "name": "call-1"
                 *       },
                 *       "participant": {
                 *         "identity": "phone",
                 *         "kind": "SIP"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MediaEvent"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["MediaEventReceived"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    assignNumber: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "01980000-0000-7000-8000-000000000000",
                 *       "phone_number": "+15005550010"
                 *     }
                 */
                "application/json": components["schemas"]["NumberAssign"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "assigned",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "phone_number": "+15005550010",
                     *       "carrier_sid": "PN00000000000000000000000000000010"
                     *     }
                     */
                    "application/json": components["schemas"]["NumberAssigned"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderRefused"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    releaseNumber: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "01980000-0000-7000-8000-000000000000"
                 *     }
                 */
                "application/json": components["schemas"]["NumberRelease"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "released",
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "phone_number": "+15005550010"
                     *     }
                     */
                    "application/json": components["schemas"]["NumberReleased"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderRefused"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    listNumbers: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of OwnedNumber items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "phone_number": "+15005550010",
                     *           "carrier_sid": "PN00000000000000000000000000000010",
                     *           "voice": true,
                     *           "agent_id": "01980000-0000-7000-8000-000000000000",
                     *           "user_id": "user-1"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["OwnedNumberPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderRefused"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    lookupNumber: {
        parameters: {
            query: {
                phone_number: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "01980000-0000-7000-8000-000000000000",
                     *       "name": "Front desk",
                     *       "config": {}
                     *     }
                     */
                    "application/json": components["schemas"]["NumberLookup"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsageEvents: {
        parameters: {
            query?: {
                /** @description First day, UTC, inclusive. */
                start_date?: string;
                /** @description Last day, UTC, inclusive. */
                end_date?: string;
                /** @description Events of this session. */
                session_id?: string;
                /** @description Events of this agent. */
                agent_id?: string;
                /** @description Events of this provider. */
                provider?: string;
                /** @description Events of this model. */
                model?: string;
                /** @description What was used, and its unit. `telephony_minutes` are the carrier’s and `media_minutes` the media server’s; `llm_cached_tokens` are input tokens at a reduced price, and are not among `llm_input_tokens`. */
                event_type?: components["schemas"]["LedgerEventType"];
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON, or CSV where the `Accept` header prefers `text/csv`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEventPage"];
                    /** @example id,created_at,session_id,user_id,agent_id,provider,event_type,quantity,unit_cost,total_cost,model,direction,is_unpriced,adjusts,used_on */
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    logUsageEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session_id": "01980000-0000-7000-8000-000000000000",
                 *       "user_id": "user-1",
                 *       "provider": "openai",
                 *       "event_type": "llm_tokens",
                 *       "quantity": 1250,
                 *       "unit_cost": "0.0000006",
                 *       "total_cost": "0.00075"
                 *     }
                 */
                "application/json": components["schemas"]["UsageEventCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000001",
                     *       "session_id": "01980000-0000-7000-8000-000000000001",
                     *       "user_id": "user-1",
                     *       "agent_id": null,
                     *       "provider": "openai",
                     *       "event_type": "llm_tokens",
                     *       "quantity": "1250",
                     *       "unit_cost": "0.0000006",
                     *       "total_cost": "0.00075",
                     *       "created_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageEvent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    logUsageEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
                /** @description A request repeated under the same key within 24 hours gets the first response, whichever API key sends it. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         {
                 *           "session_id": "01980000-0000-7000-8000-000000000000",
                 *           "user_id": "user-1",
                 *           "provider": "openai",
                 *           "event_type": "llm_tokens",
                 *           "quantity": 1250,
                 *           "unit_cost": "0.0000006",
                 *           "total_cost": "0.00075"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UsageBatchCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000001",
                     *           "session_id": "01980000-0000-7000-8000-000000000001",
                     *           "user_id": "user-1",
                     *           "agent_id": null,
                     *           "provider": "openai",
                     *           "event_type": "llm_output_tokens",
                     *           "quantity": "1250",
                     *           "unit_cost": "0.0000006",
                     *           "total_cost": "0.00075",
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "model": "gpt-4o-mini",
                     *           "direction": null,
                     *           "is_unpriced": false,
                     *           "adjusts": null,
                     *           "used_on": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UsageBatch"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPrices: {
        parameters: {
            query?: {
                /** @description Prices of this provider. */
                provider?: string;
                /** @description What was used, and its unit. `telephony_minutes` are the carrier’s and `media_minutes` the media server’s; `llm_cached_tokens` are input tokens at a reduced price, and are not among `llm_input_tokens`. */
                event_type?: components["schemas"]["LedgerEventType"];
                /** @description Also list prices that were replaced. */
                history?: boolean;
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON, or CSV where the `Accept` header prefers `text/csv`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricePage"];
                    /** @example provider,event_type,model,prefix,direction,price,billing_increment,valid_from,is_withdrawn,id,recorded_at,superseded_at */
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entries": [
                 *         {
                 *           "provider": "twilio",
                 *           "event_type": "telephony_minutes",
                 *           "prefix": "4420",
                 *           "direction": "OUTBOUND",
                 *           "price": "0.0158",
                 *           "billing_increment": "60/60",
                 *           "valid_from": "2026-01-01"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PricesPut"];
                /**
                 * @example provider,event_type,prefix,direction,price,billing_increment,valid_from
                 *     twilio,telephony_minutes,4420,OUTBOUND,0.0158,60/60,2026-01-01
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "added": 1,
                     *       "replaced": 0,
                     *       "unchanged": 0,
                     *       "entries": [
                     *         "added"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PricesChanged"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    applyPrices: {
        parameters: {
            query?: {
                /** @description First day, UTC, inclusive. */
                start_date?: string;
                /** @description Last day, UTC, inclusive. */
                end_date?: string;
                /** @description `next_cursor` of the previous response. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "priced": 120,
                     *       "total_cost": "1.254",
                     *       "unpriced": 0,
                     *       "missing": [],
                     *       "detached": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PricesApplied"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCostSummary: {
        parameters: {
            query?: {
                /** @description First day, UTC, inclusive. */
                start_date?: string;
                /** @description Last day, UTC, inclusive. */
                end_date?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_cost": "12.345678",
                     *       "this_month_cost": "0.00075",
                     *       "by_provider": {
                     *         "openai": "12.345678"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CostSummary"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCostsByAgent: {
        parameters: {
            query?: {
                /** @description First day, UTC, inclusive. */
                start_date?: string;
                /** @description Last day, UTC, inclusive. */
                end_date?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "agent_id": "01980000-0000-7000-8000-000000000000",
                     *         "agent_name": "Front desk",
                     *         "total_cost": "12.345678",
                     *         "session_count": 42,
                     *         "event_count": 1337
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AgentCost"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCostTimeline: {
        parameters: {
            query?: {
                period?: string;
                /** @description First day, UTC, inclusive. */
                start_date?: string;
                /** @description Last day, UTC, inclusive. */
                end_date?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2026-01-15",
                     *         "total_cost": "0.00075",
                     *         "by_provider": {
                     *           "openai": "0.00075"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PeriodCost"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSessionCosts: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "01980000-0000-7000-8000-000000000001",
                     *       "total_cost": "0",
                     *       "by_event_type": {},
                     *       "by_provider": {},
                     *       "events": [],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SessionCosts"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCostReport: {
        parameters: {
            query: {
                /**
                 * @description Names separated by commas, in the order of the groups: `day`, `week`, `month`, `user`, `agent`, `agent_version`, `provider`, `model`, `event_type`, `direction`.
                 * @example day,agent
                 */
                group_by: string;
                /** @description First day, UTC, inclusive. */
                start_date?: string;
                /** @description Last day, UTC, inclusive. */
                end_date?: string;
                /** @description The report as of the end of this day, UTC. */
                as_of?: string;
                /** @description Costs of this user. Needs a key of role `service`. */
                user_id?: string;
                /** @description Costs of this agent. */
                agent_id?: string;
                /** @description Costs of this version of agents. */
                agent_version?: number;
                /** @description Costs of this provider. */
                provider?: string;
                /** @description Costs of this model. */
                model?: string;
                /** @description What was used, and its unit. `telephony_minutes` are the carrier’s and `media_minutes` the media server’s; `llm_cached_tokens` are input tokens at a reduced price, and are not among `llm_input_tokens`. */
                event_type?: components["schemas"]["LedgerEventType"];
                /** @description INBOUND: a phone called. OUTBOUND: the service dialled. WEB: a browser. For `WEB`, `call_direction` is null. */
                direction?: components["schemas"]["Direction"];
                /** @description `call`: calls and chats. `test`: models in test runs; budgets count it with `count_tests`. */
                purpose?: components["schemas"]["CostPurpose"];
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON, or CSV where the `Accept` header prefers `text/csv`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostReport"];
                    /** @example day,week,month,user_id,agent_id,agent_name,agent_version,provider,model,event_type,direction,quantity,total_cost,events,unpriced_events,currency */
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importCarrierCosts: {
        parameters: {
            query: {
                /**
                 * @description The day, UTC, on which the calls began.
                 * @example 2026-01-15
                 */
                date: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "date": "2026-01-12",
                     *       "currency": "USD",
                     *       "records": 1,
                     *       "imported": 1,
                     *       "pending": 0,
                     *       "other_currency": 0,
                     *       "booked": "0.0632",
                     *       "billed": "0.056",
                     *       "difference": "-0.0072",
                     *       "calls": [
                     *         {
                     *           "session_id": "01980000-0000-7000-8000-000000000001",
                     *           "carrier_call_sid": "CA00000000000000000000000000000001",
                     *           "started_at": "2026-01-12T09:30:00.000Z",
                     *           "duration_s": 232,
                     *           "booked": "0.0632",
                     *           "billed": "0.056",
                     *           "difference": "-0.0072"
                     *         }
                     *       ],
                     *       "unmatched_records": {
                     *         "count": 0,
                     *         "billed": "0",
                     *         "items": []
                     *       },
                     *       "unmatched_lines": {
                     *         "count": 0,
                     *         "booked": "0",
                     *         "items": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CarrierImport"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderRefused"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    getBudget: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "user-1",
                     *       "monthly_limit": "250",
                     *       "thresholds": [
                     *         50,
                     *         80,
                     *         100
                     *       ],
                     *       "refuse_calls": true,
                     *       "end_calls": false,
                     *       "count_tests": false,
                     *       "cost_per_minute": "0.12",
                     *       "expected_minutes": 5,
                     *       "month": "2026-01",
                     *       "spent": "131.25",
                     *       "reserved": "1.2",
                     *       "reached": [
                     *         50
                     *       ],
                     *       "updated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Budget"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setBudget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "monthly_limit": "250",
                 *       "thresholds": [
                 *         50,
                 *         80,
                 *         100
                 *       ],
                 *       "refuse_calls": true,
                 *       "cost_per_minute": "0.12",
                 *       "expected_minutes": 5
                 *     }
                 */
                "application/json": components["schemas"]["BudgetPut"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "user-1",
                     *       "monthly_limit": "250",
                     *       "thresholds": [
                     *         50,
                     *         80,
                     *         100
                     *       ],
                     *       "refuse_calls": true,
                     *       "end_calls": false,
                     *       "count_tests": false,
                     *       "cost_per_minute": "0.12",
                     *       "expected_minutes": 5,
                     *       "month": "2026-01",
                     *       "spent": "131.25",
                     *       "reserved": "1.2",
                     *       "reached": [
                     *         50
                     *       ],
                     *       "updated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Budget"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCallbacks: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description `failed`: no longer retried, but kept; it can be redelivered. */
                status?: components["schemas"]["CallbackStatus"];
                call_id?: string;
                /** @description Only those to this webhook endpoint. */
                endpoint_id?: string;
                /** @description Only those whose last attempt failed: given up, or to be attempted again. */
                is_failing?: boolean;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Callback items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000003",
                     *           "call_id": "01980000-0000-7000-8000-000000000001",
                     *           "endpoint_id": null,
                     *           "user_id": "user-1",
                     *           "type": "call.answered",
                     *           "url": "https://example.com/calls",
                     *           "status": "delivered",
                     *           "attempts": [
                     *             {
                     *               "attempted_at": "2026-01-15T09:30:00.050Z",
                     *               "latency_ms": 84,
                     *               "response_status": 200,
                     *               "error": null
                     *             }
                     *           ],
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "next_attempt_at": null,
                     *           "delivered_at": "2026-01-15T09:30:00.134Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["CallbackPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverCallback: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                callback_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000003",
                     *       "call_id": "01980000-0000-7000-8000-000000000001",
                     *       "endpoint_id": null,
                     *       "user_id": "user-1",
                     *       "type": "call.answered",
                     *       "url": "https://example.com/calls",
                     *       "status": "delivered",
                     *       "attempts": [
                     *         {
                     *           "attempted_at": "2026-01-15T09:30:00.050Z",
                     *           "latency_ms": 84,
                     *           "response_status": 200,
                     *           "error": null
                     *         }
                     *       ],
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "next_attempt_at": null,
                     *       "delivered_at": "2026-01-15T09:30:00.134Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Callback"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverCallbacks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Either `ids` or `failed_since`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Redelivery"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "redelivered": 12,
                     *       "not_found": [],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["Redelivered"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of WebhookEndpoint items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000005",
                     *           "user_id": "user-1",
                     *           "url": "https://example.com/hooks",
                     *           "events": [
                     *             "call.report"
                     *           ],
                     *           "is_active": true,
                     *           "disabled_at": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "updated_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks",
                 *       "events": [
                 *         "call.report"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000005",
                     *       "user_id": "user-1",
                     *       "url": "https://example.com/hooks",
                     *       "events": [
                     *         "call.report"
                     *       ],
                     *       "is_active": true,
                     *       "disabled_at": null,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000005",
                     *       "user_id": "user-1",
                     *       "url": "https://example.com/hooks",
                     *       "events": [
                     *         "call.report"
                     *       ],
                     *       "is_active": true,
                     *       "disabled_at": null,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_active": false
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointUpdate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000005",
                     *       "user_id": "user-1",
                     *       "url": "https://example.com/hooks",
                     *       "events": [
                     *         "call.report"
                     *       ],
                     *       "is_active": true,
                     *       "disabled_at": null,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "updated_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000003",
                     *       "call_id": "01980000-0000-7000-8000-000000000001",
                     *       "endpoint_id": null,
                     *       "user_id": "user-1",
                     *       "type": "call.answered",
                     *       "url": "https://example.com/calls",
                     *       "status": "delivered",
                     *       "attempts": [
                     *         {
                     *           "attempted_at": "2026-01-15T09:30:00.050Z",
                     *           "latency_ms": 84,
                     *           "response_status": 200,
                     *           "error": null
                     *         }
                     *       ],
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "next_attempt_at": null,
                     *       "delivered_at": "2026-01-15T09:30:00.134Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Callback"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallbackSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verifies the `webhook-signature` header of callbacks (Standard Webhooks). */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_…",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "previous_expires_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["CallbackSecret"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateCallbackSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlap_s": 86400
                 *     }
                 */
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description Verifies the `webhook-signature` header of callbacks (Standard Webhooks). */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_…",
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "previous_expires_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["CallbackSecret"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ApiKey items. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000002",
                     *           "name": "Dashboard",
                     *           "role": "service",
                     *           "user_id": null,
                     *           "scopes": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "expires_at": "2027-01-15T09:30:00.000Z",
                     *           "last_used_at": null,
                     *           "revoked_at": null,
                     *           "made_in_open_mode": false
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Dashboard",
                 *       "role": "viewer",
                 *       "scopes": [
                 *         "calls",
                 *         "stats"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000002",
                     *       "name": "Dashboard",
                     *       "role": "service",
                     *       "user_id": null,
                     *       "scopes": null,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "expires_at": "2027-01-15T09:30:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "made_in_open_mode": false,
                     *       "key": "sb_…"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000002",
                     *       "name": "Dashboard",
                     *       "role": "service",
                     *       "user_id": null,
                     *       "scopes": null,
                     *       "created_at": "2026-01-15T09:30:00.000Z",
                     *       "expires_at": "2027-01-15T09:30:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "made_in_open_mode": false
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSignInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "auth_mode": "required",
                     *       "is_openid_configured": true
                     *     }
                     */
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "auth_mode": "required",
                     *       "role": "user",
                     *       "user_id": "user-1",
                     *       "operations": [
                     *         "listCalls",
                     *         "getCall"
                     *       ],
                     *       "expires_at": "2026-01-15T21:30:00.000Z",
                     *       "is_media_simulated": true,
                     *       "is_carrier_simulated": true,
                     *       "currency": "USD"
                     *     }
                     */
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_key": "sb_…"
                 *     }
                 */
                "application/json": components["schemas"]["ConsoleSignIn"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "auth_mode": "required",
                     *       "role": "user",
                     *       "user_id": "user-1",
                     *       "operations": [
                     *         "listCalls",
                     *         "getCall"
                     *       ],
                     *       "expires_at": "2026-01-15T21:30:00.000Z",
                     *       "is_media_simulated": true,
                     *       "is_carrier_simulated": true,
                     *       "currency": "USD"
                     *     }
                     */
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOutEverywhere: {
        parameters: {
            query?: {
                /** @description A person who signed in at the OpenID provider, by its `sub`, instead of the caller. */
                subject?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": 2
                     *     }
                     */
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Items per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /**
                 * @description What was done:
                 *
                 *     - `agent.created`: An agent was created.
                 *     - `agent.updated`: An agent was changed; `before` and `after` show what.
                 *     - `agent.deleted`: An agent was deleted.
                 *     - `agent.draft_changed`: The draft of an agent was saved.
                 *     - `agent.external_key_changed`: The external key of an agent was set or removed.
                 *     - `agent.publishing_changed`: Changes of an agent were made live at once, or only by releases.
                 *     - `agent.released`: Versions of an agent were released; `before` and `after` show which.
                 *     - `agent.rolled_back`: The previous release of an agent was released again.
                 *     - `agent.version_created`: A version of an agent was made.
                 *     - `agent.callback_url_changed`: The callback URL of an agent was set or removed.
                 *     - `analysis_backfill.canceled`: The analysis of earlier calls was canceled.
                 *     - `analysis_backfill.started`: The analysis of earlier calls was started.
                 *     - `audit.trimmed`: The retention deleted the oldest entries.
                 *     - `budget.changed`: The budget of a user was set.
                 *     - `call.analysis_requested`: A call was analysed on request.
                 *     - `call.ended`: Somebody ended a call with an operator’s key.
                 *     - `call.listened`: A token for listening in to a call was issued.
                 *     - `call.steered`: Somebody had an agent say or do something in a call; the detail says which kind.
                 *     - `call.outcome_corrected`: The outcome of an ended call was changed.
                 *     - `callback.redelivered`: Callbacks were delivered again.
                 *     - `callback_secret.revealed`: The secret that signs callbacks was shown.
                 *     - `callback_secret.rotated`: The secret that signs callbacks was replaced.
                 *     - `campaign.canceled`: A campaign was canceled.
                 *     - `campaign.changed`: A campaign was changed; `before` and `after` show what.
                 *     - `campaign.created`: A campaign was created.
                 *     - `campaign.deleted`: A campaign was deleted, with its recipients.
                 *     - `campaign.paused`: A campaign was paused.
                 *     - `campaign.recipients_added`: Recipients were added to a campaign; the detail is how many.
                 *     - `campaign.started`: A campaign was started, or resumed.
                 *     - `carrier_costs.imported`: The carrier’s bill was imported.
                 *     - `console.signed_in`: Somebody signed in to the console, or tried to.
                 *     - `console.signed_out`: Somebody signed out of the console.
                 *     - `console.signed_out_everywhere`: Somebody ended all of its sign-ins, or those of another person; the detail is their number.
                 *     - `data.exported`: Data was exported as a file; the target says which.
                 *     - `chat.rewound`: Messages of a chat were deleted by a rewind.
                 *     - `consent.added`: A consent was recorded.
                 *     - `consent.revoked`: A consent was revoked.
                 *     - `dial_policy.changed`: A dial policy was created or changed.
                 *     - `evidence.issued`: The signed evidence of a call, or of a decision to dial, was read.
                 *     - `evidence_key.rotated`: A new key signs evidence.
                 *     - `doctor.run`: The service checked its configuration.
                 *     - `function.checked`: A worker called a function of an agent, to try it.
                 *     - `extractor.deleted`: An extractor was deleted, with all its versions.
                 *     - `extractor.saved`: An extractor was created, or got its next version.
                 *     - `key.created`: An API key was created.
                 *     - `key.revoked`: An API key was revoked.
                 *     - `legal_hold.changed`: A legal hold of a user or an agent was set or lifted; `before` and `after` show which.
                 *     - `number.assigned`: A phone number was assigned to an agent.
                 *     - `number.released`: A phone number was released.
                 *     - `provider.checked`: A worker asked a model for a word, to see whether its key works.
                 *     - `prices.applied`: Earlier usage was priced.
                 *     - `prices.changed`: The price book was changed.
                 *     - `recording.deleted`: A recording was deleted.
                 *     - `recording.link_issued`: A link to the audio of a recording was issued.
                 *     - `recording.played`: The audio of a recording, or a part of it, was sent.
                 *     - `request.refused`: A request had no valid credentials, or lacked permission.
                 *     - `room_token.issued`: A token for the media room of a session was issued.
                 *     - `scheduled_call.canceled`: A scheduled call was canceled.
                 *     - `scheduled_call.moved`: A scheduled call was given another time.
                 *     - `scenario.deleted`: A scenario was deleted.
                 *     - `scenario.saved`: A scenario was created or replaced.
                 *     - `session.corrected`: The end or duration of an ended session was changed.
                 *     - `stream_token.issued`: A token for an event stream was issued.
                 *     - `suite.deleted`: A suite of scenarios was deleted.
                 *     - `cassette.deleted`: The recorded answers of models in a scenario were deleted.
                 *     - `suite.saved`: A suite of scenarios was created or replaced.
                 *     - `suppression.removed`: A suppressed number was allowed again.
                 *     - `suppressions.added`: Numbers were suppressed; the detail is how many.
                 *     - `transcripts.read`: An operator’s key read what was said in a call, or in those of a list.
                 *     - `transfer.completed`: A warm transfer was completed.
                 *     - `transfer.returned`: An attended transfer was given back to the agent; the detail says why.
                 *     - `transfer.started`: A transfer was started.
                 *     - `usage.corrected`: A correction (a negative amount) was added to the ledger.
                 *     - `user.changed`: A change of a user’s legal hold or privacy was refused, or failed.
                 *     - `user.erased`: The erasure of a user began; a legal hold that is set afterwards stops it.
                 *     - `user.privacy_changed`: What is not kept of the conversations of a user was changed; `before` and `after` show it.
                 *     - `webhook_endpoint.created`: A webhook endpoint was created.
                 *     - `webhook_endpoint.deleted`: A webhook endpoint was deleted.
                 *     - `webhook_endpoint.tested`: A test event was sent to a webhook endpoint.
                 *     - `webhook_endpoint.updated`: A webhook endpoint was changed.
                 *     - `work.retried`: Queued work was made due at once.
                 */
                action?: components["schemas"]["AuditAction"];
                /** @description For instance `api_key/…`. */
                actor?: string;
                /** @description For instance `agent/…`. */
                target?: string;
                /** @description The user whose data it concerns. */
                user_id?: string;
                /** @description `refused`: answered with a 4xx; nothing was changed. `failed`: with a 5xx. `detail` has status and code. */
                outcome?: components["schemas"]["AuditOutcome"];
                /** @description First day, UTC, inclusive. */
                start_date?: string;
                /** @description Last day, UTC, inclusive. */
                end_date?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON, or CSV where the `Accept` header prefers `text/csv`, or `application/x-ndjson`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                    /** @example id,at,actor,actor_name,actor_user_id,user_id,ip,action,target,outcome,detail,before,after,count,seq,hash */
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "user-1",
                     *       "legal_hold": true,
                     *       "privacy": {
                     *         "redact": [
                     *           "card"
                     *         ],
                     *         "keep": {
                     *           "transcripts_days": 30
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pseudonym": "erased-01980000-0000-7000-8000-000000000005",
                     *       "erased_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ErasedUser"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderRefused"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["ProviderTimeout"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        /** @description What is absent stays; `privacy` is replaced as a whole, and `null` removes it. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "user-1",
                     *       "legal_hold": true,
                     *       "privacy": {
                     *         "redact": [
                     *           "card"
                     *         ],
                     *         "keep": {
                     *           "transcripts_days": 30
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `ok` for each part, or its problem. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "database": "ok",
                     *       "migrations": "ok",
                     *       "installation": "0197a3c8-6b1e-4d27-9f0a-5c8e2d417b93",
                     *       "providers": {
                     *         "media": {
                     *           "name": "sandbox",
                     *           "status": "ok"
                     *         },
                     *         "carrier": {
                     *           "name": "sandbox",
                     *           "status": "ok"
                     *         }
                     *       },
                     *       "workers": {
                     *         "chat_turn": "simulated",
                     *         "scenario": "simulated",
                     *         "analysis": "simulated",
                     *         "provider_check": "simulated",
                     *         "function_check": "simulated"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description `ok` for each part, or its problem. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "database": "ok",
                     *       "migrations": "ok",
                     *       "installation": "0197a3c8-6b1e-4d27-9f0a-5c8e2d417b93",
                     *       "providers": {
                     *         "media": {
                     *           "name": "sandbox",
                     *           "status": "ok"
                     *         },
                     *         "carrier": {
                     *           "name": "sandbox",
                     *           "status": "ok"
                     *         }
                     *       },
                     *       "workers": {
                     *         "chat_turn": "simulated",
                     *         "scenario": "simulated",
                     *         "analysis": "simulated",
                     *         "provider_check": "simulated",
                     *         "function_check": "simulated"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWork: {
        parameters: {
            query?: {
                /** @description Lists failing work of this kind alone. */
                kind?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kinds": [
                     *         {
                     *           "kind": "number_watch",
                     *           "waiting": 1,
                     *           "running": 0,
                     *           "failing": 1,
                     *           "oldest_due_at": null
                     *         }
                     *       ],
                     *       "failing": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000009",
                     *           "kind": "number_watch",
                     *           "subject": "+15005550010",
                     *           "due_at": "2026-01-15T09:40:00.000Z",
                     *           "attempts": 3,
                     *           "last_error": "The carrier did not answer in time.",
                     *           "is_running": false,
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WorkList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryWork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                work_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000009",
                     *       "kind": "number_watch",
                     *       "subject": "+15005550010",
                     *       "due_at": "2026-01-15T09:40:00.000Z",
                     *       "attempts": 3,
                     *       "last_error": "The carrier did not answer in time.",
                     *       "is_running": false,
                     *       "created_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WorkItem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    claimTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "chat_turn",
                 *       "capacity": 4
                 *     }
                 */
                "application/json": components["schemas"]["TaskClaim"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tasks": [
                     *         {
                     *           "task_id": "01980000-0000-7000-8000-000000000007",
                     *           "kind": "chat_turn",
                     *           "attempt": 1,
                     *           "lease_token": 1,
                     *           "lease_expires_at": "2026-01-15T09:30:30.000Z",
                     *           "payload": {
                     *             "chat_id": "01980000-0000-7000-8000-000000000001",
                     *             "messages": [
                     *               {
                     *                 "speaker": "USER",
                     *                 "content": "Hello?"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ClaimedTasks"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    extendTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease_token": 1
                 *     }
                 */
                "application/json": components["schemas"]["TaskLease"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lease_expires_at": "2026-01-15T09:30:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TaskExtended"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportTaskEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease_token": 1,
                 *       "events": [
                 *         {
                 *           "type": "words",
                 *           "text": "We open "
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TaskEvents"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lease_expires_at": "2026-01-15T09:30:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TaskExtended"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    completeTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease_token": 1,
                 *       "result": {
                 *         "content": "Hello."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TaskResult"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "01980000-0000-7000-8000-000000000007"
                     *     }
                     */
                    "application/json": components["schemas"]["TaskEnded"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    failTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lease_token": 1,
                 *       "error": "The model did not answer.",
                 *       "retryable": true
                 *     }
                 */
                "application/json": components["schemas"]["TaskFailure"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "01980000-0000-7000-8000-000000000007"
                     *     }
                     */
                    "application/json": components["schemas"]["TaskEnded"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settings": [
                     *         {
                     *           "name": "TRANSCRIPT_RETENTION_DAYS",
                     *           "value": "90",
                     *           "default": null,
                     *           "is_set": true,
                     *           "is_secret": false,
                     *           "description": "Days after which transcripts are deleted. Unset: never."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceSettings"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    runDoctor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checks": [
                     *         {
                     *           "check": "database",
                     *           "state": "ok",
                     *           "text": "PostgreSQL 17 at db:5432/calls, its tables are up to date"
                     *         }
                     *       ],
                     *       "is_complete": true
                     *     }
                     */
                    "application/json": components["schemas"]["Diagnosis"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A model, as a section of an agent’s configuration names it; also the payload of the worker’s task. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "llm",
                 *       "provider": "groq",
                 *       "model": "openai/gpt-oss-120b"
                 *     }
                 */
                "application/json": components["schemas"]["ProviderCheckCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "failed",
                     *       "reason": "refused_key",
                     *       "detail": "401 Incorrect API key provided.",
                     *       "latency_ms": null,
                     *       "worker": "worker-0:8081",
                     *       "is_simulated": false
                     *     }
                     */
                    "application/json": components["schemas"]["ProviderCheck"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkFunction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        /** @description A function, as in an agent’s `config.tools.functions`, and values to call it with. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "function": {
                 *         "name": "free_slots",
                 *         "description": "Free appointments.",
                 *         "url": "https://example.com/slots"
                 *       },
                 *       "arguments": {
                 *         "day": "Monday"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FunctionCheckCreate"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "ok",
                     *       "reason": null,
                     *       "detail": null,
                     *       "request": {
                     *         "method": "POST",
                     *         "url": "https://example.com/slots",
                     *         "headers": [
                     *           {
                     *             "name": "content-type",
                     *             "value": "application/json"
                     *           }
                     *         ],
                     *         "body": "{\"name\":\"free_slots\",\"arguments\":{\"day\":\"Monday\"},\"session_id\":null}"
                     *       },
                     *       "response": {
                     *         "status": 200,
                     *         "headers": [],
                     *         "body": "{\"slots\":[\"10:00\"]}",
                     *         "is_cut": false
                     *       },
                     *       "latency_ms": 84,
                     *       "worker": "worker-0:8081",
                     *       "is_simulated": false
                     *     }
                     */
                    "application/json": components["schemas"]["FunctionCheck"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getQuota: {
        parameters: {
            query?: never;
            header?: {
                /** @description The calling user. Implied by a user’s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for. */
                "x-user-id"?: string;
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "user-1",
                     *       "stored_bytes": 73400320,
                     *       "stored_bytes_limit": 10737418240,
                     *       "written_bytes_this_minute": 4096,
                     *       "written_bytes_limit": 67108864
                     *     }
                     */
                    "application/json": components["schemas"]["Quota"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    onCallAnalyzed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallAnalyzed"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onScheduledCallChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduledCallChanged"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignStarted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignPaused: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignBlocked: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignCanceled: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRecipientFinished: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecipientFinished"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSuppressionAdded: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuppressionAdded"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTestRunFinished: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestRunFinished"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRecordingStored: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordingEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRecordingFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordingEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBudgetThreshold: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BudgetThreshold"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallReport: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallReport"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChatEnded: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatEnded"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallAnswered: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallbackEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallbackEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallbackEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallNoAnswer: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallbackEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallTransferred: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallbackEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallTransferAnswered: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallbackEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallTransferFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallbackEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallDigits: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallDigits"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAgentReleased: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentReleased"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQuotaThreshold: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaThreshold"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt. */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Will be retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
