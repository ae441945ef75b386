import { isDeepStrictEqual } from 'node:util';
import type { Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import type { RecordingRow } from './store.ts';
import { viewOf } from './view.ts';

export type EnqueueRecordingChange = ReturnType<typeof createRecordingEvents>;

interface Deps {
  sessions: Sessions;
  callbacks: Callbacks;
}

/**
 * Queues what became of a recording, in the transaction that records it. Nothing is queued for a failure that was
 * reported before, nor for audio that is verified again and still the same.
 */
export function createRecordingEvents({ sessions, callbacks }: Deps) {
  return async (trx: Db, before: RecordingRow, after: RecordingRow): Promise<void> => {
    if (!isNews(before, after)) return;
    const session = await sessions.get(after.session_id, null, trx);
    const type = after.state === 'stored' ? 'recording.stored' : 'recording.failed';
    await callbacks.enqueueData(trx, type, session, viewOf(after));
  };
}

/** Whether it has failed now, or is stored with other audio or other gaps than it was stored with, if it ever was. */
function isNews(before: RecordingRow, after: RecordingRow): boolean {
  if (after.state === 'failed') return before.state !== 'failed';
  if (after.state !== 'stored') return false;
  return before.sha256 !== after.sha256 || !isDeepStrictEqual(before.gaps, after.gaps);
}
