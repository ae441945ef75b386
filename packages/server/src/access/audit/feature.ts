import type { Feature } from '../../feature.ts';
import type { Audit } from './audit.ts';
import { auditRoutes } from './routes.ts';

export function auditFeature(audit: Audit, days: number | undefined): Feature {
  return {
    tag: { name: 'audit', description: 'The audit log.' },
    routes: (server) => auditRoutes(server, audit),
    upkeep: { audit_log: audit.round },
    erase: {
      // It would be written with the user's id afterwards. Other processes do that still.
      outside: audit.flush,
      user: (trx, { user_id, pseudonym }) => audit.pseudonymize(trx, user_id, pseudonym),
    },
    keeps: { audit_log: { days, deleteOlder: audit.deleteOlder } },
  };
}
