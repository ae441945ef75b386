import type { Feature } from '../../feature.ts';
import type { Audit } from './audit.ts';
import { auditRoutes } from './routes.ts';

export function auditFeature(audit: Audit, days: number | undefined): Feature {
  return {
    tag: { name: 'audit', description: 'The audit log.' },
    routes: (server) => auditRoutes(server, audit),
    upkeep: { audit_log: audit.round },
    erase: {
      // Writes what was counted while the pseudonym can still replace the user. Other processes may write theirs later.
      outside: audit.flush,
      user: (trx, { user_id, pseudonym }) => audit.pseudonymize(trx, user_id, pseudonym),
    },
    keeps: { audit_log: { days, deleteOlder: audit.deleteOlder } },
  };
}
