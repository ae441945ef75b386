import type { Analyses } from '../../calling/analyses/analyses.ts';
import type { Calls } from '../../calling/calls/calls.ts';
import { directionOf, numbersOf, type Sessions } from '../../conversations/sessions/sessions.ts';
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
/** Maximum delay of a report, even if data still arrives. */
export const MAX_WAIT_MS = 15 * 60_000;

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
      await (report.type === 'chat.ended' ? makeOfChat(report) : make(report));
    } catch (err) {
      log.error({ err, session_id: report.session_id }, 'making a report failed; it will be retried');
      await callbacks.postponeReport(report.session_id, after(RETRY_MS, clock.now()));
    }
  }

  /** Writes the report, or postpones it while data of the call still arrives, by the time before anything is read. */
  async function make({ session_id, ended_at }: DueReport): Promise<void> {
    const now = clock.now();
    const call = await calls.detail(session_id, null);
    // Erased meanwhile, with its callbacks.
    if (call.erased_at !== null) return;
    const page = { limit: MAX_LINES, after: null };
    const { items: lines, next_cursor } = await transcripts.list(session_id, page, null);
    const { total_cost, by_event_type, by_provider, newest } = await costs.totalOf(session_id);
    const arrivals = [newest, lines.at(-1)?.id].flatMap((id) => (id ? timeOf(id) : []));
    const found = await analysis.forReport(call);
    const readyAt = readyAfter([call.updated_at, ...arrivals], ended_at, found?.isAwaited === true);
    if (now < readyAt) return callbacks.postponeReport(session_id, readyAt);
    const all: Record<string, unknown> = {
      ...call,
      call_id: call.id,
      direction: directionOf(call) ?? 'WEB',
      ...numbersOf(call),
      transcript: lines.map(({ id, speaker, content, timestamp }) => ({ id, speaker, content, timestamp })),
      is_transcript_complete: next_cursor === null,
      analyses: found?.analyses ?? [],
      costs: { total_cost, by_event_type, by_provider },
    };
    const data = Object.fromEntries(Object.keys(CallReportData.properties).map((name) => [name, all[name]]));
    await callbacks.completeReport(call, JSON.stringify({ type: 'call.report', timestamp: now, data }));
  }

  /** The same for a chat. */
  async function makeOfChat({ session_id, ended_at }: DueReport): Promise<void> {
    const now = clock.now();
    const chat = await sessions.get(session_id, null);
    if (chat.erased_at !== null) return;
    const { total_cost, by_event_type, by_provider, newest } = await costs.totalOf(session_id);
    const readyAt = readyAfter([chat.updated_at, ...(newest ? [timeOf(newest)] : [])], ended_at, false);
    if (now < readyAt) return callbacks.postponeReport(session_id, readyAt);
    const { metadata } = await sessions.callData(session_id);
    const all: Record<string, unknown> = {
      ...chat,
      chat_id: chat.id,
      direction: 'CHAT',
      metadata: metadata ?? {},
      costs: { total_cost, by_event_type, by_provider },
    };
    const data = Object.fromEntries(Object.keys(ChatEndedData.properties).map((name) => [name, all[name]]));
    await callbacks.completeReport(chat, JSON.stringify({ type: 'chat.ended', timestamp: now, data }));
  }

  /** The time at which a call is taken to be complete. */
  function readyAfter(arrivals: Date[], ended_at: Date, isAwaited: boolean): Date {
    const latest = after(MAX_WAIT_MS, ended_at);
    if (isAwaited && clock.now() < latest) return earliest(after(AGAIN_MS, clock.now()), latest);
    return earliest(after(quietMs, new Date(Math.max(...arrivals.map((time) => time.getTime())))), latest);
  }

  return { round };
}

function after(ms: number, time: Date): Date {
  return new Date(time.getTime() + ms);
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other;
}
