import type { AuditAction, Switchboard } from '@switchboard/client';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { inPages } from './pages.ts';
import { FILE_MS, saveFile } from './save-file.ts';
import { useSession } from './session.tsx';

/** Filters of the audit log, as in the URL and in the API. */
export const AUDIT_FILTERS = ['action', 'outcome', 'actor', 'target', 'user_id', 'start_date', 'end_date'] as const;

export type AuditFilters = Pick<
  NonNullable<Parameters<Switchboard['audit']['list']>[0]>,
  (typeof AUDIT_FILTERS)[number]
>;

// A record, so that an action of the API that is missing here is a type error.
const ACTIONS: Record<AuditAction, true> = {
  'agent.callback_url_changed': true,
  'agent.created': true,
  'agent.deleted': true,
  'agent.draft_changed': true,
  'agent.external_key_changed': true,
  'agent.publishing_changed': true,
  'agent.released': true,
  'agent.rolled_back': true,
  'agent.updated': true,
  'agent.version_created': true,
  'analysis_backfill.canceled': true,
  'analysis_backfill.started': true,
  'audit.trimmed': true,
  'budget.changed': true,
  'call.analysis_requested': true,
  'call.ended': true,
  'call.listened': true,
  'call.outcome_corrected': true,
  'call.steered': true,
  'callback.redelivered': true,
  'callback_secret.revealed': true,
  'callback_secret.rotated': true,
  'campaign.canceled': true,
  'campaign.changed': true,
  'campaign.created': true,
  'campaign.deleted': true,
  'campaign.paused': true,
  'campaign.recipients_added': true,
  'campaign.started': true,
  'carrier_costs.imported': true,
  'cassette.deleted': true,
  'console.signed_in': true,
  'console.signed_out': true,
  'console.signed_out_everywhere': true,
  'consent.added': true,
  'consent.revoked': true,
  'data.exported': true,
  'dial_policy.changed': true,
  'chat.rewound': true,
  'doctor.run': true,
  'evidence.issued': true,
  'evidence_key.rotated': true,
  'extractor.deleted': true,
  'extractor.saved': true,
  'function.checked': true,
  'key.created': true,
  'key.revoked': true,
  'legal_hold.changed': true,
  'number.assigned': true,
  'number.released': true,
  'provider.checked': true,
  'prices.applied': true,
  'prices.changed': true,
  'recording.deleted': true,
  'recording.link_issued': true,
  'recording.played': true,
  'request.refused': true,
  'room_token.issued': true,
  'scheduled_call.canceled': true,
  'scheduled_call.moved': true,
  'scenario.deleted': true,
  'scenario.saved': true,
  'session.corrected': true,
  'stream_token.issued': true,
  'suite.deleted': true,
  'suite.saved': true,
  'suppression.removed': true,
  'suppressions.added': true,
  'transcripts.read': true,
  'transfer.completed': true,
  'transfer.returned': true,
  'transfer.started': true,
  'usage.corrected': true,
  'user.changed': true,
  'user.erased': true,
  'user.privacy_changed': true,
  'webhook_endpoint.created': true,
  'webhook_endpoint.deleted': true,
  'webhook_endpoint.tested': true,
  'webhook_endpoint.updated': true,
  'work.retried': true,
};
export const AUDIT_ACTIONS = Object.keys(ACTIONS);

const FILES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

/** The audit log, newest first, in pages. */
export function useAuditLog(filters: AuditFilters) {
  const { api } = useSession();
  return useInfiniteQuery(
    inPages(keys.audit(filters), (at, options) => api.audit.list({ ...filters, limit: 50, ...at }, options)),
  );
}

/** Downloads all entries that the filters find. */
export function useAuditDownload(filters: AuditFilters) {
  const { createApi } = useSession();
  return useMutation({
    mutationFn: async (kind: keyof typeof FILES) => {
      const { data } = await createApi(undefined, undefined, FILE_MS).api.GET('/api/audit', {
        params: { query: filters },
        headers: { accept: FILES[kind] },
        parseAs: 'blob',
      });
      saveFile(data as Blob, `audit log ${new Date().toISOString().slice(0, 10)}.${kind}`);
    },
  });
}
