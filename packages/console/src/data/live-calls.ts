import type { CallSummary, ChangedCall, Switchboard, UserEvent } from '@switchboard/client';

/** An open call, as of the latest event. */
export interface LiveCall
  extends Pick<
    ChangedCall,
    | 'call_id'
    | 'status'
    | 'call_status'
    | 'direction'
    | 'from_number'
    | 'to_number'
    | 'agent_id'
    | 'user_id'
    | 'started_at'
    | 'created_at'
  > {
  lastLine: string | null;
  /** The cost of the whole call so far; null before the first usage event. */
  cost: string | null;
}

/** Snapshot of the open calls. Ids are in the order of the calls, newest first. */
export interface LiveSnapshot {
  ids: readonly string[];
  calls: ReadonlyMap<string, LiveCall>;
  isLoaded: boolean;
  /** Set if they could not be read. */
  error: unknown;
}

export interface LiveCalls {
  snapshot(): LiveSnapshot;
  subscribe(listener: () => void): () => void;
  apply(events: UserEvent[]): void;
  /** Reads the open calls, to cover the time before the stream or a gap in it. Events that arrive meanwhile win. */
  load(api: Switchboard, signal: AbortSignal): Promise<void>;
}

const PAGE_SIZE = 100;
/** Fields read together with the calls that were open before the stream. */
const MORE = 'total_cost,last_transcript';
const OPEN = ['CREATED', 'ACTIVE'] as const;

/** Events since a read began: they are at least as new as the lists that it returns. */
interface Reading {
  found: Set<string>;
  changed: Set<string>;
  ended: Set<string>;
  said: Map<string, Partial<Pick<LiveCall, 'lastLine' | 'cost'>>>;
}

/** Open calls, kept up to date by events. The events of a frame produce one new snapshot. */
export function createLiveCalls(): LiveCalls {
  const listeners = new Set<() => void>();
  let snapshot: LiveSnapshot = { ids: [], calls: new Map(), isLoaded: false, error: null };
  let reading: Reading | null = null;

  function publish(calls: Map<string, LiveCall>, isLoaded: boolean, error: unknown = null): void {
    const isSame = calls.size === snapshot.ids.length && snapshot.ids.every((id) => calls.has(id));
    // Ids are ordered by time, and so are the calls.
    const ids = isSame ? snapshot.ids : [...calls.keys()].sort((a, b) => (a < b ? 1 : -1));
    snapshot = { ids, calls, isLoaded, error };
    for (const listener of listeners) listener();
  }

  return {
    snapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    apply: (events) => {
      const calls = new Map(snapshot.calls);
      for (const event of events) {
        if (reading) note(reading, event);
        applyOne(calls, event);
      }
      publish(calls, snapshot.isLoaded, snapshot.error);
    },
    load: async (api, signal) => {
      const mine: Reading = { found: new Set(), changed: new Set(), ended: new Set(), said: new Map() };
      reading = mine;
      try {
        for await (const items of openCalls(api, signal)) {
          // Another read has begun after a gap.
          if (reading !== mine) return;
          // Shown page by page, so that the first of ten thousand calls appear immediately.
          const calls = new Map(snapshot.calls);
          for (const call of items) addListed(calls, mine, call);
          publish(calls, snapshot.isLoaded);
        }
        const isOpen = (id: string) => mine.found.has(id) || mine.changed.has(id);
        publish(new Map([...snapshot.calls].filter(([id]) => isOpen(id))), true);
      } catch (error) {
        if (!signal.aborted && reading === mine) publish(new Map(snapshot.calls), snapshot.isLoaded, error);
      } finally {
        if (reading === mine) reading = null;
      }
    },
  };
}

async function* openCalls(api: Switchboard, signal: AbortSignal): AsyncGenerator<CallSummary[]> {
  for (const status of OPEN)
    for await (const { items } of api.calls.list({ status, limit: PAGE_SIZE, include: MORE }, { signal }).pages())
      yield items;
}

function applyOne(calls: Map<string, LiveCall>, event: UserEvent): void {
  if (event.event === 'call') {
    const { call_id, ended_at } = event.data;
    if (ended_at !== null) calls.delete(call_id);
    else calls.set(call_id, toLive(event.data, calls.get(call_id)));
  }
  const call = event.event === 'transcript' || event.event === 'cost' ? calls.get(event.data.session_id) : undefined;
  if (call) calls.set(call.call_id, { ...call, ...saidBy(event) });
}

/** Keeps transcripts of calls that the lists may have from before. */
function note({ changed, ended, said }: Reading, event: UserEvent): void {
  if (event.event === 'call') (event.data.ended_at === null ? changed : ended).add(event.data.call_id);
  if (event.event === 'transcript' || event.event === 'cost')
    said.set(event.data.session_id, { ...said.get(event.data.session_id), ...saidBy(event) });
}

/** Fields of a call that a transcript or a cost replaces. The total of a cost is newer than the cost itself. */
function saidBy({ event, data }: UserEvent): Partial<Pick<LiveCall, 'lastLine' | 'cost'>> {
  if (event === 'transcript') return { lastLine: data.content };
  return event === 'cost' && data.call_total_cost !== undefined ? { cost: data.call_total_cost } : {};
}

function addListed(calls: Map<string, LiveCall>, { found, changed, ended, said }: Reading, listed: CallSummary): void {
  const { call_id, total_cost = '0', last_transcript } = listed;
  if (ended.has(call_id)) return;
  found.add(call_id);
  calls.set(call_id, {
    ...toLive(changed.has(call_id) ? (calls.get(call_id) ?? listed) : listed),
    lastLine: last_transcript?.content ?? null,
    cost: total_cost === '0' ? null : total_cost,
    ...said.get(call_id),
  });
}

function toLive(call: Omit<LiveCall, 'lastLine' | 'cost'>, before?: LiveCall): LiveCall {
  const { call_id, status, call_status, direction, from_number, to_number, agent_id, user_id } = call;
  return {
    call_id,
    status,
    call_status,
    direction,
    from_number,
    to_number,
    agent_id,
    user_id,
    started_at: call.started_at,
    created_at: call.created_at,
    lastLine: before?.lastLine ?? null,
    cost: before?.cost ?? null,
  };
}
