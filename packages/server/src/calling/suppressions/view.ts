import type { SuppressionRow } from './store.ts';

/** A suppression in the API's format. */
export function view(row: SuppressionRow) {
  const { id, phone_number, scope, scope_id, reason, expires_at, call_id, transcript_id, created_at } = row;
  return {
    id,
    phone_number: phone_number ?? '',
    scope,
    scope_id,
    reason,
    expires_at,
    call_id,
    transcript_id,
    created_at,
  };
}
