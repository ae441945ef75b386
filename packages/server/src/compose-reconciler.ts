import type { Inbound } from './calling/calls/inbound.ts';
import type { Conductor } from './calling/conductor/conductor.ts';
import type { Config } from './config.ts';
import type { Sessions } from './conversations/sessions/sessions.ts';
import { createReconciler, reconcilerLeaseMs } from './ops/maintenance/reconcile.ts';
import { createRoomReconciler } from './ops/maintenance/reconcile-rooms.ts';
import type { Platform } from './platform.ts';
import type { Rooms } from './providers/rooms.ts';

/** Everything that compares open sessions with the media provider. */
interface Parts extends Pick<Platform, 'db' | 'clock' | 'log' | 'metrics'> {
  rooms: Rooms;
  sessions: Sessions;
  inbound: Inbound;
  conductor: Conductor;
  listStaleTransfers: () => Promise<Set<string>>;
}

/** One round of comparing open sessions with the media provider. */
export function createReconciliation(parts: Parts, { reconcileIntervalMs }: Config): () => Promise<void> {
  const roomReconciler = createRoomReconciler(parts);
  return createReconciler({ ...parts, roomReconciler, leaseMs: reconcilerLeaseMs(reconcileIntervalMs) });
}
