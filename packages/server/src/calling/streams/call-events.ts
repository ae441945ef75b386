import { directionOf, isFinal, numbersOf, type Session } from '../../conversations/sessions/sessions.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Calls } from '../calls/calls.ts';
import type { Feed, FeedEntry } from './feed.ts';

export type CallEvents = ReturnType<typeof createCallEvents>;

export function createCallEvents({ calls, feed }: { calls: Calls; feed: Feed }) {
  /**
   * The events of a call after the event `after`; null once there will be no more. Throws `not_found`, and
   * `InvalidFields` for an unknown event id.
   */
  async function follow(call_id: string, caller: string | null, after: number | null) {
    const call = await calls.get(call_id, caller);
    if (after !== null && after > call.last_event) throw new InvalidFields(unknownEvent(after));
    const sent = after ?? 0;
    return feed.isOver(call, sent) ? null : (signal: AbortSignal) => stream(call.id, sent, signal);
  }

  async function* stream(call_id: string, after: number, signal: AbortSignal) {
    for await (const item of feed.follow(call_id, after, signal))
      yield item && { id: item.seq, ...(item.entry && toEvent(item.session, item.entry)) };
  }

  return { follow };
}

/** The event of a model that took over from another one. */
const FAILED_OVER = 'provider.failed_over';

function toEvent(call: Session, entry: FeedEntry) {
  if (entry.id === null) {
    const { failed_over, at } = entry;
    if (failed_over) return { event: FAILED_OVER, data: { session_id: call.id, ...failed_over, at } };
    return { event: 'call', data: callData(call, entry) };
  }
  const { id, speaker, content, at } = entry;
  return { event: 'transcript', data: { id, session_id: call.id, content, speaker, timestamp: at } };
}

type Change = Extract<FeedEntry, { id: null }>;

/** The same with the call's owner, for streams over several calls. */
export function wholeCallData(call: Session, change: Pick<Change, 'status' | 'call_status' | 'at'>) {
  const { user_id, agent_id, created_at } = call;
  return { ...callData(call, change), ...numbersOf(call), user_id, agent_id, created_at };
}

/** The call as it was after the change; derived, because each part of a session's state is set once. */
function callData(call: Session, { status, call_status, at }: Pick<Change, 'status' | 'call_status' | 'at'>) {
  const { id: call_id, room_name, call_direction, outbound_phone_number } = call;
  const ended = isFinal({ status }) ? call : null;
  return {
    call_id,
    status,
    room_name,
    call_status,
    call_direction,
    outbound_phone_number,
    direction: directionOf(call),
    started_at: status === 'CREATED' ? null : call.started_at,
    ended_at: ended?.ended_at ?? null,
    duration: ended?.duration ?? null,
    end_reason: ended?.end_reason ?? null,
    sip_status_code: ended?.sip_status_code ?? null,
    at,
  };
}

function unknownEvent(id: number) {
  const msg = 'Input should be the id of an event of this call';
  return { field: 'last-event-id', msg, type: 'value_error', input: String(id) };
}
