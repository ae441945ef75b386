import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { assertSameUser, requireUnbound } from '../../http/caller.ts';
import { createCsvExports, jsonOrCsv, prefersCsv, varyByAccept } from '../../http/csv.ts';
import { daysOf } from '../../http/date-range.ts';
import { pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { UserHeader } from '../../http/wire.ts';
import { toStored } from '../../lib/ids.ts';
import type { CostReports, ReportFilter } from './report.ts';
import { isPlaceOf } from './report-place.ts';
import { CostReport, CostReportQuery, columnsOf, GROUPS, type ReportGroup } from './report-schema.ts';

export function costReportRoutes(app: Server, reports: CostReports): void {
  const sendExport = createCsvExports();
  app.get(
    '/api/costs/report',
    {
      config: {
        restriction:
          'costs of all users, grouping by user and the filter `user_id`: not with a key that is bound to a user',
      },
      exposeHeadRoute: false,
      schema: {
        tags: ['costs'],
        operationId: 'getCostReport',
        audit: { access: 'data.exported', target: 'costs', only: 'files' },
        summary: 'Get a cost report',
        description:
          'Costs of the user by any combination of day, week, month, agent, version of the agent, provider, model, event type and call direction. A `service` key without a user gets those of all users, which can also be grouped by user. Exact to the last digit, and includes every event that was answered with 201. An entry that prices or corrects an earlier event counts for the day of that event; `as_of` excludes entries recorded later. With `Accept: text/csv`, returns all groups as a file from one snapshot, regardless of `limit`.',
        headers: UserHeader,
        querystring: CostReportQuery,
        response: responses({ 200: jsonOrCsv(CostReport, columnsOf(GROUPS)) }, 422),
      },
    },
    async (request, reply) => {
      const groups = [...new Set(request.query.group_by.split(',') as ReportGroup[])];
      const filter = filterOf(request, request.query, groups);
      const page = pageRequest(request.query, (key) => isPlaceOf(key, filter, groups));
      varyByAccept(reply);
      if (!prefersCsv(request)) return reports.report(filter, groups, page);
      return sendExport(reply, 'costs', columnsOf(groups), (take, gone) =>
        reports.exportRows(filter, groups, take, gone),
      );
    },
  );
}

/** Reads the report's filter from the query. Throws `role_not_allowed` or `wrong_user`. */
function filterOf(request: FastifyRequest, query: Static<typeof CostReportQuery>, groups: ReportGroup[]): ReportFilter {
  const { user_id = null, agent_id = null, agent_version = null, provider = null, model = null } = query;
  const { event_type = null, direction = null, as_of = null, purpose = 'call' } = query;
  if (user_id !== null || groups.includes('user')) requireUnbound(request, 'A report on users');
  if (user_id !== null) assertSameUser(request.caller, user_id, 'query');
  return {
    user_id: request.caller ?? user_id,
    days: daysOf(query),
    as_of,
    agent_id: agent_id && toStored(agent_id),
    agent_version,
    provider,
    model,
    event_type,
    direction,
    purpose,
  };
}
