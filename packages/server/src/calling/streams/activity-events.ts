import type { Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import type { Place } from '../../lib/stream-position.ts';
import { recipientsIn } from '../campaigns/campaigns.ts';
import { costKey, type Entry, findTranscripts, type Said } from './activity-store.ts';
import { wholeCallData } from './call-events.ts';

/** Turns entries into the events that are sent, each with its place in the stream. */
export function createActivityEvents({ db, sessions }: { db: Db; sessions: Sessions }) {
  /** Without entries that were erased or deleted meanwhile. */
  return async function eventsOf(entries: Entry[], totals: Map<string, string> | null) {
    const said = await findTranscripts(
      db,
      entries.flatMap(({ kind, id }) => (kind === 'transcript' ? [id] : [])),
    );
    const events = await Promise.all(entries.map((entry) => eventOf(entry, said, totals)));
    return events.filter((event) => event !== null);
  };

  async function eventOf(entry: Entry, said: Map<string, Said>, totals: Map<string, string> | null) {
    const { kind: event, id, at, session_id } = entry;
    const place = placeOf(entry);
    if (entry.kind === 'call') {
      const call = await sessions.get(entry.session_id, null);
      return call.erased_at ? null : { event, place, data: wholeCallData(call, { ...entry.data, at }) };
    }
    if (entry.kind === 'transcript') {
      const words = said.get(id);
      return words ? { event, place, data: { ...words, session_id, timestamp: at } } : null;
    }
    if (entry.kind === 'provider.failed_over') return { event, place, data: { session_id, ...entry.data, at } };
    if (entry.kind === 'cost' && totals) {
      const call_total_cost = totals.get(costKey({ session_id: entry.session_id, ...entry.data })) ?? '0';
      return { event, place, data: { id, session_id, ...entry.data, call_total_cost, at } };
    }
    if (entry.kind === 'turn') {
      const end_of_speech_at = new Date(entry.data.end_of_speech_at);
      return { event, place, data: { session_id, ...entry.data, end_of_speech_at, at } };
    }
    if (entry.kind === 'campaign') return { event, place, data: campaignData(entry) };
    return { event, place, data: { id, session_id, ...entry.data, at } };
  }
}

/** Facts about a campaign that change while it runs. */
function campaignData({ id: campaign_id, at, data }: Extract<Entry, { kind: 'campaign' }>) {
  const { user_id, state, is_deleted, blocked: reason, blocked_until, spent, counts } = data;
  const until = blocked_until === null ? null : new Date(blocked_until);
  const blocked = reason === null ? null : { reason, until };
  return { user_id, campaign_id, state, is_deleted, blocked, spent, recipients: recipientsIn(counts), at };
}

export function placeOf({ grp, seq, id }: Entry): Place {
  return { grp, seq, id };
}
