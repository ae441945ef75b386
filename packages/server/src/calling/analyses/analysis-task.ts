import type { Agents } from '../../conversations/agents/agents.ts';
import { type Extractor, type Extractors, fieldsOf } from '../../conversations/extractors/extractors.ts';
import { directionOf, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import type { Usage } from '../../ledger/usage/usage.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { isLongerThan, type JsonObject } from '../../lib/json.ts';
import type { Platform } from '../../platform.ts';
import type { TaskKind } from '../../work/tasks.ts';
import { countEnded, endBackfill } from './backfill-store.ts';
import { foundIn, problemOf, readingOf } from './reading.ts';
import { AnalysisEvent, AnalysisResult, type AnalysisTask, MAX_CHARS, MAX_LINES, MAX_RESULT_BYTES } from './schema.ts';
import { missing } from './starting.ts';
import {
  type AnalysisRow,
  addCost,
  beginAnalysis,
  bookLease,
  endAnalysis,
  knownLines,
  lockOpenAnalysis,
} from './store.ts';
import { replaceValues } from './values-store.ts';
import { viewOf } from './view.ts';

const LEASE_MS = 60_000;
const MAX_ATTEMPTS = 5;
/** The pause after the first failed attempt, doubled with each, and the longest. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 120_000;
const PAGE = 500;

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  agents: Agents;
  sessions: Sessions;
  transcripts: Transcripts;
  extractors: Extractors;
  usage: Usage;
  callbacks: Callbacks;
  is_simulated: boolean;
}

/** The task of a worker to read out of a transcript what an extractor asks for. */
export function createAnalysisTask({ db, clock, is_simulated, ...deps }: Deps) {
  const { agents, sessions, transcripts, extractors, usage, callbacks } = deps;

  /** Null once the analysis, its call or its extractor is gone. */
  async function describe(id: string): Promise<AnalysisTask | null> {
    const row = await beginAnalysis(db, id, clock.now());
    const session = row && (await sessions.get(row.session_id, null).catch(missing));
    const extractor = row && session && (await extractorOf(db, row));
    if (!row || !session || session.erased_at !== null || !extractor) return null;
    const { name, version, schema, instructions } = extractor;
    return {
      analysis_id: id,
      call_id: session.id,
      user_id: row.user_id,
      agent_id: session.agent_id,
      extractor: { name, version, schema, instructions },
      llm: extractor.model === null ? await modelOf(session) : { llm: extractor.model },
      call: shownCall(session),
      ...(await linesOf(session.id)),
    };
  }

  async function extractorOf(within: Db, row: AnalysisRow): Promise<Extractor | undefined> {
    const wanted = { name: row.extractor, version: row.extractor_version };
    return (await extractors.named(within, row.user_id, [wanted]))[0];
  }

  async function modelOf(session: Session): Promise<JsonObject> {
    const { llm, fail_over } = (await agents.ofSession(session))?.config ?? {};
    return { ...(llm !== undefined && { llm }), ...(fail_over !== undefined && { fail_over }) };
  }

  /** The end of a transcript that is too long: what came of a call is said there. */
  async function linesOf(session_id: string): Promise<Pick<AnalysisTask, 'transcript' | 'is_transcript_complete'>> {
    const all = await transcripts.listAll(session_id, PAGE);
    let chars = 0;
    const first = all.findLastIndex(({ content }, index) => {
      chars += content.length;
      return chars > MAX_CHARS || all.length - index > MAX_LINES;
    });
    const transcript = all.slice(first + 1).map(({ id, speaker, content }) => ({ id, speaker, content }));
    return { transcript, is_transcript_complete: first < 0 };
  }

  /** Writes what an attempt has used into the ledger, once. */
  async function report(trx: Db, id: string, lease_token: number, events: AnalysisEvent[]): Promise<void> {
    const row = await lockOpenAnalysis(trx, id);
    if (!row) throw new AppError('lease_lost');
    if (!(await bookLease(trx, id, lease_token))) return;
    const { user_id, session_id } = row;
    const { agent_id } = await sessions.get(session_id, null, trx);
    const used = events.flatMap((event) => event.used.map((one) => ({ ...one, user_id, session_id, agent_id })));
    const logged = await usage.addTo(trx, used);
    await addCost(
      trx,
      id,
      logged.map(({ total_cost }) => total_cost),
    );
  }

  /** Throws `lease_lost` if it has ended meanwhile, and `InvalidFields` for a result that cannot be true. */
  async function complete(trx: Db, id: string, result: AnalysisResult): Promise<void> {
    const row = await lockOpenAnalysis(trx, id);
    const extractor = row && (await extractorOf(trx, row));
    if (!row || !extractor) throw new AppError('lease_lost');
    const session = await sessions.get(row.session_id, null, trx);
    const fields = fieldsOf(extractor.schema);
    if (isLongerThan(result, MAX_RESULT_BYTES)) throw unfit(`result should have at most ${MAX_RESULT_BYTES} bytes`);
    const lines = await knownLines(trx, session.id, Object.values(result.evidence).flat());
    const problem = problemOf(result, fields, lines);
    if (problem) throw unfit(problem);
    const privacy = await sessions.redactions.privacyOf(trx, session.id);
    const redact = <T>(value: T): T => sessions.redactions.reported(privacy, value);
    const reading = readingOf(withoutSecrets(result, redact), fields, extractor.weights);
    await replaceValues(trx, countedOf(row, session), foundIn(reading, fields));
    const text = JSON.stringify(reading);
    await settle(trx, row, session, { state: 'done', result: text, error: null, is_simulated });
  }

  /** Ends an analysis without a new result, unless it has ended. */
  async function giveUp(trx: Db, id: string, { error }: { error: string }): Promise<void> {
    const row = await lockOpenAnalysis(trx, id);
    const session = row && (await sessions.get(row.session_id, null, trx).catch(missing));
    if (row && session) await settle(trx, row, session, { state: 'failed', error });
  }

  async function settle(
    trx: Db,
    { id, backfill_id }: AnalysisRow,
    session: Session,
    ended: Omit<Parameters<typeof endAnalysis>[2], 'ended_at'>,
  ): Promise<void> {
    const ended_at = clock.now();
    const after = await endAnalysis(trx, id, { ...ended, ended_at });
    await callbacks.enqueueData(trx, 'call.analyzed', session, viewOf(after));
    if (backfill_id === null) return;
    await countEnded(trx, backfill_id, ended.state);
    await endBackfill(trx, backfill_id, ended_at);
  }

  return {
    result: AnalysisResult,
    partial: {
      event: AnalysisEvent,
      report: (trx, key, lease_token, events) => report(trx, key, lease_token, events as AnalysisEvent[]),
    },
    leaseMs: LEASE_MS,
    maxAttempts: MAX_ATTEMPTS,
    pauseMs: (attempts) => Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MAX_PAUSE_MS),
    describe,
    complete: (trx, key, result) => complete(trx, key, result as AnalysisResult),
    giveUp,
  } satisfies TaskKind;
}

/** Its words without their secrets; names of fields and ids of lines have none, and a pattern may match one. */
function withoutSecrets(result: AnalysisResult, redact: <T>(value: T) => T): AnalysisResult {
  const values = Object.entries(result.values).map(([name, value]) => [name, redact(value)]);
  return { ...result, values: Object.fromEntries(values), summary: redact(result.summary) };
}

function shownCall(session: Session): AnalysisTask['call'] {
  const { answered_by, end_reason, started_at, duration } = session;
  return { direction: directionOf(session) ?? 'WEB', answered_by, end_reason, started_at, duration };
}

function countedOf({ session_id, user_id, extractor }: AnalysisRow, { created_at, agent_id, agent_version }: Session) {
  const day = created_at.toISOString().slice(0, 10);
  return { session_id, user_id, extractor, day, agent_id: agent_id ?? '', agent_version: agent_version ?? 0 };
}

function unfit(msg: string): InvalidFields {
  return new InvalidFields({ field: 'result', msg, type: 'value_error' });
}
