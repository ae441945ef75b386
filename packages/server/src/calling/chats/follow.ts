import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { listEvents, type Reported } from './store.ts';
import type { TurnSignals } from './turn-signals.ts';
import type { Turn, Turns } from './turns.ts';

/** A proxy closes a connection that is silent for longer. */
const KEEP_ALIVE_MS = 15_000;

interface Deps {
  db: Db;
  turns: Turns;
  signals: TurnSignals;
}

interface Sent {
  event: string;
  data: unknown;
}

/** Streams the answer to a message while its worker reports it. Events are read as fast as the client reads. */
export function createFollow({ db, turns, signals }: Deps) {
  async function* follow(turn: Turn, gone: AbortSignal): AsyncGenerator<Sent | null> {
    const { chat_id, message_id } = turn;
    yield { event: 'sent', data: { chat_id, message_id } };
    // Those of a turn that is over may be gone, or of the next one.
    if (turn.isOpen) yield* reportsOf(turn, gone);
    if (!gone.aborted) yield await outcomeOf(turn);
  }

  async function* reportsOf(turn: Turn, gone: AbortSignal): AsyncGenerator<Sent | null> {
    let isOver = false;
    const over = turn.over.finally(() => {
      isOver = true;
      signals.fire(turn.chat_id);
    });
    over.catch(() => {});
    try {
      yield* reports(turn, gone, () => isOver);
    } finally {
      signals.fire(turn.chat_id);
    }
  }

  async function* reports(turn: Turn, gone: AbortSignal, isOver: () => boolean): AsyncGenerator<Sent | null> {
    let last: Pick<Reported, 'seq' | 'lease_token'> = { seq: 0, lease_token: 0 };
    let sentAt = performance.now();
    while (!gone.aborted) {
      const changed = signals.next(turn.chat_id);
      // Read first: what was reported before the end is found below.
      const isLast = isOver();
      for (const report of await listEvents(db, turn.chat_id, last.seq)) {
        if (last.lease_token > 0 && report.lease_token !== last.lease_token) yield { event: 'restarted', data: {} };
        last = report;
        for (const { type: event, ...data } of report.events) yield { event, data };
        sentAt = performance.now();
      }
      if (isLast) return;
      if (performance.now() - sentAt >= KEEP_ALIVE_MS) {
        yield null;
        sentAt = performance.now();
      }
      await turns.pause(sentAt + KEEP_ALIVE_MS - performance.now(), changed, gone);
    }
  }

  async function outcomeOf(turn: Turn): Promise<Sent> {
    try {
      return { event: 'message', data: await turns.answerTo(turn) };
    } catch (error) {
      const { code, message } = error instanceof AppError ? error : new AppError('internal_error');
      return { event: 'failed', data: { code, detail: message } };
    }
  }

  /** With a number for each event. */
  return async function* numbered(turn: Turn, gone: AbortSignal) {
    let id = 0;
    for await (const one of follow(turn, gone)) yield one && { id: ++id, ...one };
  };
}
