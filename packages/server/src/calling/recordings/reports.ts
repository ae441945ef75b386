import type { Static } from 'typebox';
import { InvalidFields } from '../../lib/invalid.ts';
import type { RecordingReport } from './schema.ts';
import type { RecordingRow } from './store.ts';

type Report = Static<typeof RecordingReport>;

/** Why a recording without a segment has failed. */
export const NOTHING = 'Nothing was recorded.';

/** Whether its worker may have more of it: the service ended it, because nothing had come for long, or parts lack. */
export function isLeftOpen({ state, segments, pieces }: RecordingRow): boolean {
  const stored = pieces.filter((bytes) => bytes > 0).length;
  return (state === 'stored' || state === 'failed') && (segments === null || stored < segments);
}

/** Whether nothing is added to it any more: all of its segments are there, or none is wanted. */
export function isClosed(row: RecordingRow): boolean {
  return ['refused', 'failed', 'deleted', 'stored'].includes(row.state) && !isLeftOpen(row);
}

/** Throws `InvalidFields` for a report that lacks what its state requires. */
export function assertComplete({ state, started_at, segments }: Report): void {
  const missing = (field: string) => new InvalidFields({ field, msg: 'Field required', type: 'missing', input: null });
  if ((state === 'recording' || state === 'ended') && started_at === undefined) throw missing('started_at');
  if (state === 'ended' && segments === undefined) throw missing('segments');
}

/** The change that a report makes; null if it is late, or known. */
export function changeOf(row: RecordingRow, report: Report) {
  if (isClosed(row)) return null;
  const started_at = report.started_at === undefined ? row.started_at : new Date(report.started_at);
  const isBegun = row.state !== 'waiting_for_consent' && row.state !== 'failed';
  switch (report.state) {
    case 'waiting_for_consent':
      return null;
    case 'recording':
      return isBegun ? null : { state: 'recording' as const, started_at, error: null };
    case 'refused':
      return isBegun ? null : { state: 'refused' as const };
    case 'failed':
      return isBegun ? null : { state: 'failed' as const, error: report.error ?? NOTHING, segments: 0 };
    case 'ended': {
      if (row.segments !== null) return null;
      const segments = report.segments ?? 0;
      if (segments === 0) return { state: 'failed' as const, error: report.error ?? NOTHING, segments };
      return { state: 'uploading' as const, started_at, segments, error: null };
    }
  }
}
