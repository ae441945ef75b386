import { Type } from 'typebox';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import type { Audit } from './audit.ts';
import { AuditEntry } from './schema.ts';

export function auditRoutes(app: Server, audit: Audit): void {
  app.get(
    '/api/audit',
    {
      config: { access: 'service' },
      schema: {
        tags: ['audit'],
        operationId: 'listAuditEntries',
        summary: 'List the audit log, newest first',
        description:
          'Creation and revocation of keys, assignment and release of numbers, transfers, listening to calls, secret rotations, price changes and erasures: who, when, and from which address.',
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(AuditEntry) }, 422),
      },
    },
    async (request) => audit.list(pageRequest(request.query)),
  );
}
