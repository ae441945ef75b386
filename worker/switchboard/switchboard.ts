import { randomUUID } from 'node:crypto';
import { decimal, type FailedOver, type RecordingReport, type SegmentCreate } from '@switchboard/client';
import type { Outbox, OutboxLog } from '@switchboard/client/outbox';
import type { Redacted, Span } from '@switchboard/redaction/types';
import type { Disclosure } from '../conversation/compliance.ts';
import { type ToolRun, toolReport } from '../conversation/tool-reports.ts';
import type { LineFigures } from '../conversation/transit.ts';
import type { TurnLatency } from '../conversation/turns.ts';
import type { Outcome } from '../conversation/voicemail.ts';
import type { Call } from './call.ts';
import type { Prices, Used } from './prices.ts';

export type Speaker = 'USER' | 'AGENT' | 'SYSTEM';
export type Switchboard = ReturnType<typeof createSwitchboard>;

const LONGEST_TRANSCRIPT = 65_536;

/**
 * Reports of a call to Switchboard. Nothing here waits or throws: everything goes into the outbox, which keeps it while
 * the disk fails, and the worker sends it.
 */
export function createSwitchboard({
  call,
  outbox,
  prices,
  job_id,
  redact = (_speaker, text) => ({ text, spans: [] }),
  redactText = (text) => text,
  lost = () => {},
  log,
}: {
  call: Call;
  outbox: Outbox;
  prices: Prices;
  job_id: string;
  /** Replaces secrets in what was said. */
  redact?: ((speaker: Speaker, text: string) => Redacted) | undefined;
  /** Replaces secrets in any other text. */
  redactText?: ((text: string) => string) | undefined;
  /** Is told of each report that the outbox could not keep. */
  lost?: () => void;
  log: OutboxLog;
}) {
  const { room_name, session_id, user_id, agent_id } = call;
  const talk = outbox.lane(`${job_id}-talk`, log);
  // A separate lane, so that the end of a call does not wait for what comes beside it.
  const turns = outbox.lane(`${job_id}-turns`, log);
  // Audio takes longer than everything else, and waits for its storage.
  const audio = outbox.lane(`${job_id}-audio`);

  function watch(written: Promise<void>, loggable: object): void {
    written.catch((error: unknown) => {
      log.error({ error, ...loggable }, 'writing to the outbox failed: a report is LOST');
      lost();
    });
  }

  return {
    /** A transcript, with the time of its end, and when it began. Returns where secrets were replaced in it. */
    transcript(speaker: Speaker, text: string, began?: number): Span[] {
      // PostgreSQL can store neither NUL nor half a surrogate pair.
      const redacted = redact(speaker, text.replaceAll('\0', ' '));
      const content = redacted.text.slice(0, LONGEST_TRANSCRIPT).toWellFormed().trim();
      // Transcripts must not be logged.
      const start = began !== undefined && { started_at: new Date(began).toISOString() };
      if (content) watch(talk.transcript(room_name, { speaker, content, ...start }), { session_id });
      return redacted.spans;
    },
    /** Usage of a model. Without a price here it gets that of the price book, or stays unpriced until there is one. */
    usage(used: Used): void {
      const event = { session_id, user_id, agent_id, ...priced(used, prices) };
      watch(talk.usage(event), { event });
    },
    /** Latency of a turn. */
    turn(latency: TurnLatency): void {
      watch(turns.turns(session_id, { turns: [latency] }), { latency });
    },
    /** A tool has run. */
    tool(run: ToolRun): void {
      // Like transcripts, these must not be logged.
      const tool_calls = [{ call_id: randomUUID(), ...toolReport(run, redactText) }];
      watch(turns.turns(session_id, { tool_calls }), { session_id });
    },
    /** A model took over from another one. */
    failedOver(over: FailedOver): void {
      watch(turns.failedOver(session_id, over), { session_id });
    },
    /** The first words of a call. */
    disclosed({ text, ...said }: Disclosure): void {
      watch(talk.outcome(session_id, { disclosure: { ...said, text: redact('AGENT', text).text } }), { session_id });
    },
    /** The person on the phone does not want to be called any more. */
    optedOut(): void {
      watch(talk.outcome(session_id, { opted_out: true }), { session_id });
    },
    /** Outcome of a phone call, which may end it. */
    outcome(outcome: Outcome): void {
      watch(talk.outcome(session_id, outcome), { session_id });
    },
    /** How the sound of the phone arrived; null for none. */
    line(sip: LineFigures | null): void {
      if (sip) watch(turns.outcome(session_id, { sip }), { session_id });
    },
    /** The reports of recordings: each resolves when it is on disk, and rejects soon if the disk fails. */
    recording: {
      state: (id: string, report: RecordingReport) => audio.recording(session_id, id, report),
      segment: (id: string, segment: SegmentCreate) => audio.segment(session_id, id, segment),
    },
    /** Ends the session: Switchboard disconnects everyone by closing the room. */
    end(): void {
      watch(talk.end(room_name), { session_id });
    },
    /** Resolves once everything is on disk or given up. */
    settled: async (): Promise<void> => {
      await Promise.all([talk.settled(), turns.settled(), audio.settled()]);
    },
  };
}

/** Usage as it is booked, with the price of the worker's list. */
export function priced(used: Used, prices: Prices) {
  const { provider, model, unit: event_type, quantity } = used;
  const unit_cost = prices.priceOf(used);
  const price = unit_cost !== null && { unit_cost, total_cost: decimal.multiply(quantity, unit_cost) };
  return { provider, model, event_type, quantity, ...price };
}
