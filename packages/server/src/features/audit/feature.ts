import type { Feature } from '../feature.ts';
import type { Audit } from './audit.ts';
import { auditRoutes } from './routes.ts';

export function auditFeature(audit: Audit): Feature {
  return {
    tag: { name: 'audit', description: 'The audit log.' },
    routes: (server) => auditRoutes(server, audit),
    erase: { user: (trx, { user_id, pseudonym }) => audit.pseudonymize(trx, user_id, pseudonym) },
  };
}
