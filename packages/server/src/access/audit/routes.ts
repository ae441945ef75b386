import { createCsvExports, jsonOrCsv, NDJSON_TYPE, prefers, prefersCsv, varyByAccept } from '../../http/csv.ts';
import { daysOf } from '../../http/date-range.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { type Audit, type AuditFilter, idsOf } from './audit.ts';
import { AUDIT_COLUMNS, AuditEntry, type AuditInput, AuditQuery } from './schema.ts';

export function auditRoutes(app: Server, audit: Audit): void {
  const sendExport = createCsvExports();
  app.get(
    '/api/audit',
    {
      exposeHeadRoute: false,
      config: { access: 'operate' },
      schema: {
        tags: ['audit'],
        operationId: 'listAuditEntries',
        audit: { access: 'data.exported', target: 'audit-log', only: 'files' },
        summary: 'List the audit log, newest first',
        description:
          'Entries of the audit log: actor, action, time, address and outcome; for configuration, what changed. With `Accept: text/csv` or `application/x-ndjson`, returns all entries that the filters find as a file, regardless of `limit`. `npm run audit -- verify` checks that nothing was removed or changed.',
        querystring: AuditQuery,
        response: responses({ 200: jsonOrCsv(pageOf(AuditEntry), AUDIT_COLUMNS, NDJSON_TYPE) }, 422),
      },
    },
    async (request, reply) => {
      const filter = filterOf(request.query);
      const page = pageRequest(request.query);
      varyByAccept(reply);
      if (prefersCsv(request)) return sendExport(reply, 'audit-log', AUDIT_COLUMNS, inCells(audit.entries(filter)));
      if (prefers(request, NDJSON_TYPE))
        return sendExport(reply, 'audit-log', AUDIT_COLUMNS, audit.entries(filter), 'ndjson');
      return audit.list(filter, page);
    },
  );
}

function filterOf(query: AuditInput): AuditFilter {
  const { action = null, actor = null, target = null, user_id = null, outcome = null } = query;
  return { action: action as AuditFilter['action'], actor, target, user_id, outcome, ...idsOf(daysOf(query)) };
}

/** With `before` and `after` as JSON. */
async function* inCells(pages: ReturnType<Audit['entries']>): AsyncGenerator<object[]> {
  for await (const page of pages)
    yield page.map(({ before, after, ...entry }) => ({
      ...entry,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
    }));
}
