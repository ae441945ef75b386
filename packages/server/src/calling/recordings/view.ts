import type { RecordingRow } from './store.ts';

/** A recording in the API's format. */
export function viewOf(row: RecordingRow) {
  const { id: recording_id, session_id: call_id, state, channels, started_at, duration_ms } = row;
  const { bytes, sha256, gaps, error } = row;
  return {
    recording_id,
    call_id,
    state,
    channels,
    started_at,
    duration_ms,
    bytes,
    sha256: state === 'stored' ? sha256 : null,
    gaps,
    error,
  };
}
