import type { Reading } from './reading.ts';
import type { AnalysisRow } from './store.ts';

/** An analysis as it is shown. */
export function viewOf({ id, session_id, result, backfill_id: _, user_id: __, ...row }: AnalysisRow) {
  const reading: Reading | null = result === null ? null : JSON.parse(result);
  const { values = null, evidence = null, summary = null, success = null, score = null } = reading ?? {};
  return { analysis_id: id, call_id: session_id, ...row, values, evidence, summary, success, score };
}
