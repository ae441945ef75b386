import type { Analyses } from '../../calling/analyses/analyses.ts';
import type { Calls } from '../../calling/calls/calls.ts';
import {
  completeAt,
  directionOf,
  numbersOf,
  type Session,
  type Sessions,
} from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import type { Callbacks, DueReport } from '../../delivery/callbacks/callbacks.ts';
import { timeOf } from '../../lib/ids.ts';
import type { Platform } from '../../platform.ts';
import type { Costs } from '../costs/costs.ts';
import { CallReportData, ChatEndedData, MAX_LINES } from './schema.ts';

const BATCH_SIZE = 50;
/** Delay before a failed report is retried; it must not block the others. */
const RETRY_MS = 60_000;
/** How often a report that waits for analyses is looked at. */
const AGAIN_MS = 15_000;

interface Deps extends Pick<Platform, 'clock' | 'log'> {
  callbacks: Callbacks;
  calls: Calls;
  sessions: Sessions;
  transcripts: Transcripts;
  costs: Costs;
  analysis: { forReport: Analyses['forReport'] };
  /** Time without new data after which a call is taken to be complete. */
  quietMs: number;
}

/** A session as its report has it, without its costs. */
interface Reported {
  session: Session;
  fields: object;
  schema: { properties: object };
  /** The newest line of the transcript, where the report has it. */
  lastLine?: string | null;
  /** Whether it waits for analyses. */
  isAwaited?: boolean;
}

/**
 * Makes the reports of ended calls and chats. Their callbacks were inserted, without a body, in the transaction that
 * ended them: one per destination. Whichever process is first writes the body, once.
 */
export function createReports({ clock, log, callbacks, calls, transcripts, costs, analysis, quietMs, sessions }: Deps) {
  /** Makes all reports that are due. */
  async function round(): Promise<void> {
    for (;;) {
      const due = await callbacks.dueReports(BATCH_SIZE);
      if (due.length === 0) return;
      for (const report of due) await makeOne(report);
    }
  }

  async function makeOne(report: DueReport): Promise<void> {
    try {
      await make(report);
    } catch (err) {
      log.error({ err, session_id: report.session_id }, 'making a report failed; it will be retried');
      await callbacks.postponeReport(report.session_id, new Date(clock.now().getTime() + RETRY_MS));
    }
  }

  /** Writes the report, or postpones it while data still arrives, by the time before anything is read. */
  async function make({ session_id, type, ended_at }: DueReport): Promise<void> {
    const now = clock.now();
    const found = await (type === 'chat.ended' ? chat(session_id) : call(session_id));
    const { session, fields, schema, lastLine = null, isAwaited = false } = found;
    // Erased meanwhile, with its callbacks.
    if (session.erased_at !== null) return;
    const { total_cost, by_event_type, by_provider, newest } = await costs.totalOf(session_id);
    const arrivals = [newest, lastLine].flatMap((id) => (id === null ? [] : timeOf(id)));
    const readyAt = isAwaited
      ? completeAt(ended_at, [now], AGAIN_MS)
      : completeAt(ended_at, [session.updated_at, ...arrivals], quietMs);
    if (now < readyAt) return callbacks.postponeReport(session_id, readyAt);
    const all: Record<string, unknown> = { ...session, ...fields, costs: { total_cost, by_event_type, by_provider } };
    const data = Object.fromEntries(Object.keys(schema.properties).map((name) => [name, all[name]]));
    await callbacks.completeReport(session, JSON.stringify({ type, timestamp: now, data }));
  }

  async function call(call_id: string): Promise<Reported> {
    const session = await calls.detail(call_id, null);
    const { items: lines, next_cursor } = await transcripts.list(call_id, { limit: MAX_LINES, after: null }, null);
    const found = await analysis.forReport(session);
    const fields = {
      call_id,
      direction: directionOf(session) ?? 'WEB',
      ...numbersOf(session),
      transcript: lines.map(({ id, speaker, content, timestamp }) => ({ id, speaker, content, timestamp })),
      is_transcript_complete: next_cursor === null,
      analyses: found?.analyses ?? [],
    };
    const lastLine = lines.at(-1)?.id ?? null;
    return { session, fields, schema: CallReportData, lastLine, isAwaited: found?.isAwaited === true };
  }

  async function chat(chat_id: string): Promise<Reported> {
    const session = await sessions.get(chat_id, null);
    const { metadata } = await sessions.callData(chat_id);
    return { session, fields: { chat_id, direction: 'CHAT', metadata: metadata ?? {} }, schema: ChatEndedData };
  }

  return { round };
}
