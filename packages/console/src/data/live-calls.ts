import type { ChangedCall, Switchboard, UserEvent } from '@switchboard/client';
import { decimal } from '@switchboard/client';

/** An open call, as the events have left it. */
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
  /** The cost of what was used since the page was opened; null before anything was. */
  cost: string | null;
}

/** The open calls of one moment. Ids stand in the order of the calls, the newest first. */
export interface LiveSnapshot {
  ids: readonly string[];
  calls: ReadonlyMap<string, LiveCall>;
  isLoaded: boolean;
}

export interface LiveCalls {
  snapshot(): LiveSnapshot;
  subscribe(listener: () => void): () => void;
  apply(events: UserEvent[]): void;
  /** Reads the calls that are open: what happened before the stream. Events that came meanwhile win. */
  load(api: Switchboard, signal: AbortSignal): Promise<void>;
}

const PAGE_SIZE = 100;
const OPEN = ['CREATED', 'ACTIVE'] as const;

/** Open calls, kept up to date by events. A frame's events make one new snapshot. */
export function createLiveCalls(): LiveCalls {
  const listeners = new Set<() => void>();
  const ended = new Set<string>();
  let snapshot: LiveSnapshot = { ids: [], calls: new Map(), isLoaded: false };

  function publish(calls: Map<string, LiveCall>, isLoaded: boolean): void {
    const isSame = calls.size === snapshot.ids.length && snapshot.ids.every((id) => calls.has(id));
    // Ids are numbered by time: their order is that of the calls.
    const ids = isSame ? snapshot.ids : [...calls.keys()].sort((a, b) => (a < b ? 1 : -1));
    snapshot = { ids, calls, isLoaded };
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
      for (const event of events) applyOne(calls, ended, event);
      publish(calls, snapshot.isLoaded);
    },
    load: async (api, signal) => {
      for (const status of OPEN)
        for await (const { items } of api.calls.list({ status, limit: PAGE_SIZE }, { signal }).pages()) {
          // Shown page by page: of ten thousand the first are there at once.
          const calls = new Map(snapshot.calls);
          for (const call of items)
            if (!calls.has(call.call_id) && !ended.has(call.call_id)) calls.set(call.call_id, toLive(call));
          publish(calls, snapshot.isLoaded);
        }
      publish(new Map(snapshot.calls), true);
    },
  };
}

function applyOne(calls: Map<string, LiveCall>, ended: Set<string>, event: UserEvent): void {
  if (event.event === 'call') {
    const { call_id, ended_at } = event.data;
    if (ended_at !== null) {
      ended.add(call_id);
      calls.delete(call_id);
    } else calls.set(call_id, toLive(event.data, calls.get(call_id)));
  }
  if (event.event === 'transcript') {
    const call = calls.get(event.data.session_id);
    if (call) calls.set(call.call_id, { ...call, lastLine: event.data.content });
  }
  if (event.event === 'cost') {
    const call = calls.get(event.data.session_id);
    if (call) calls.set(call.call_id, { ...call, cost: decimal.add(call.cost ?? '0', event.data.total_cost) });
  }
}

function toLive(call: Omit<LiveCall, 'lastLine' | 'cost'>, before?: LiveCall): LiveCall {
  const { call_id, status, call_status, direction, from_number, to_number, agent_id, user_id } = call;
  return {
    ...{ call_id, status, call_status, direction, from_number, to_number, agent_id, user_id },
    ...{ started_at: call.started_at, created_at: call.created_at },
    lastLine: before?.lastLine ?? null,
    cost: before?.cost ?? null,
  };
}
