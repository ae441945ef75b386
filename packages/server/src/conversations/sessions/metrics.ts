import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { directionOf } from './direction.ts';
import { openCallsByStatus, type Session } from './store.ts';

/** Counts an ended call by its outcome. */
export function countEndedCall(metrics: Metrics, session: Session): void {
  const { call_status, end_reason } = session;
  const call_direction = directionOf(session);
  if (!call_direction || !call_status) return;
  metrics.callsEnded.inc({ call_direction, call_status, end_reason: end_reason ?? 'unknown' });
}

/** Sets the gauges of open calls. */
export async function measureOpenCalls(db: Db, metrics: Metrics, clock: Clock): Promise<void> {
  const byStatus = await openCallsByStatus(db);
  for (const call_status of ['RINGING', 'ANSWERED'] as const) {
    const found = byStatus.find((row) => row.call_status === call_status);
    metrics.openCalls.set({ call_status }, found?.count ?? 0);
    const age = found ? clock.now().getTime() - new Date(found.oldest).getTime() : 0;
    metrics.oldestCall.set({ call_status }, age / 1000);
  }
}
