import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import { middleOf } from '../../lib/histogram.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Agents } from '../agents/agents.ts';
import { isFinal, type Transition } from '../sessions/sessions.ts';
import {
  type CallFilter,
  type CallRow,
  callFigures,
  countCalls,
  countedCall,
  type Dimension,
  deleteCallRollups,
  moveCall,
} from './store.ts';

export type CallStats = ReturnType<typeof createCallStats>;

/** Maximum groups per report. */
export const MAX_CALL_GROUPS = 10_000;

const TOO_MANY = {
  field: 'group_by',
  msg: `Input should give ${MAX_CALL_GROUPS} groups at most: ask for fewer days, or group by less`,
  type: 'too_many_groups',
};

/** Counts calls in the transaction that ends them, so that reports never lag. */
export async function countEndedCalls(trx: Db, transitions: Transition[]): Promise<void> {
  const ended = transitions.filter(({ after }) => isFinal(after) && after.call_status !== null);
  const ids = ended.map(({ after }) => after.id);
  if (ids.length > 0) await countCalls(trx, ids, 1);
}

/** Runs `correct`, and replaces the ended call in the figures by the call as it is then. */
export async function recountCall<T>(trx: Db, session_id: string, correct: () => Promise<T>): Promise<T> {
  const before = await countedCall(trx, session_id);
  const corrected = await correct();
  await moveCall(trx, session_id, before);
  return corrected;
}

/** Reports on ended calls: their number, and how long they rang and were talked on. */
export function createCallStats({ db, agents }: { db: Database['db']; agents: Agents }) {
  /** Throws `InvalidFields` for more groups than a report can have. */
  async function report(filter: CallFilter, dimensions: Dimension[]) {
    const rows = await callFigures(db, filter, dimensions, MAX_CALL_GROUPS + 1);
    const groups = rows.filter(({ is_total }) => !is_total);
    if (groups.length > MAX_CALL_GROUPS) throw new InvalidFields(TOO_MANY);
    const names = await agents.names([...new Set(groups.flatMap(({ agent }) => agent || []))]);
    return {
      total: figuresOf(rows.find(({ is_total }) => is_total)),
      groups: groups.map((row) => ({ ...keyOf(row, names), ...figuresOf(row) })),
    };
  }

  return {
    report,
    /** Subtracts the calls of sessions that are being erased. */
    eraseCalls: (trx: Db, ids: string[]) => countCalls(trx, ids, -1),
    eraseRollups: deleteCallRollups,
  };
}

function keyOf(row: CallRow, names: Map<string, string>) {
  const { day, user, agent, agent_version, direction, end_reason, answered_by } = row;
  return {
    ...(day !== undefined && { day }),
    ...(user !== undefined && { user_id: user }),
    ...(agent !== undefined && { agent_id: agent || null, agent_name: names.get(agent) ?? null }),
    ...(agent_version !== undefined && { agent_version: agent_version || null }),
    ...(direction !== undefined && { direction }),
    ...(end_reason !== undefined && { end_reason: end_reason || null }),
    ...(answered_by !== undefined && { answered_by: answered_by || null }),
  };
}

function figuresOf(row: CallRow | undefined) {
  const { calls = 0, answered = 0 } = row ?? {};
  return {
    calls,
    answered,
    answer_rate: calls === 0 ? null : Math.round((answered / calls) * 10_000) / 10_000,
    ring: row ? times(row.ring_mean_ms, row.ring_p50_bucket, row.ring_p95_bucket) : null,
    talk: row ? times(row.talk_mean_ms, row.talk_p50_bucket, row.talk_p95_bucket) : null,
  };
}

/** Converts milliseconds and buckets to seconds. */
function times(mean_ms: number | null, p50_bucket: number | null, p95_bucket: number | null) {
  if (mean_ms === null || p50_bucket === null || p95_bucket === null) return null;
  const seconds = (ms: number) => Math.round(ms) / 1000;
  return { mean_s: seconds(mean_ms), p50_s: seconds(middleOf(p50_bucket)), p95_s: seconds(middleOf(p95_bucket)) };
}
