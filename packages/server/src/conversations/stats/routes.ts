import { createCsvExports, jsonOrCsv, prefersCsv, varyByAccept } from '../../http/csv.ts';
import { daysOf } from '../../http/date-range.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { UserHeader } from '../../http/wire.ts';
import { CallStatsQuery, CallStatsReport, columnsOf, GROUPS } from './schema.ts';
import type { CallStats } from './stats.ts';

export function callStatsRoutes(app: Server, stats: CallStats): void {
  const sendExport = createCsvExports();
  app.get(
    '/api/stats/calls',
    {
      exposeHeadRoute: false,
      schema: {
        tags: ['stats'],
        operationId: 'getCallStats',
        audit: { access: 'data.exported', target: 'call-stats', only: 'files' },
        summary: 'Get statistics of calls',
        description:
          'Ended phone and browser calls of the user: their number, the number answered, and mean, p50 and p95 of ring and talk time. A `service` key without a user gets those of all users. A call counts for the day (UTC) on which it began, from the moment of its end; an outcome that is reported later, or a duration that is corrected, moves it. With `Accept: text/csv`, returns the groups as a file, or a single record of all calls without `group_by`. 422 for more than 10,000 groups. Calls of an erased user are not counted.',
        headers: UserHeader,
        querystring: CallStatsQuery,
        response: responses({ 200: jsonOrCsv(CallStatsReport, columnsOf(GROUPS)) }, 422),
      },
    },
    async (request, reply) => {
      const { agent_id = null, agent_version = null, direction = null } = request.query;
      const { end_reason = null, answered_by = null } = request.query;
      const filter = {
        user_id: request.caller,
        days: daysOf(request.query),
        agent_id,
        agent_version,
        direction,
        end_reason,
        answered_by,
      };
      const names = new Set((request.query.group_by ?? '').split(','));
      const dimensions = GROUPS.filter((name) => names.has(name)).toSorted((one, other) => place(one) - place(other));
      function place(name: string): number {
        return [...names].indexOf(name);
      }
      varyByAccept(reply);
      const report = await stats.report(filter, dimensions);
      if (!prefersCsv(request)) return report;
      const rows = (dimensions.length > 0 ? report.groups : [report.total]).map(flat);
      return sendExport(reply, 'calls', columnsOf(dimensions), oneOf(rows));
    },
  );
}

async function* oneOf(rows: object[]): AsyncGenerator<object[]> {
  yield rows;
}

type Times = { mean_s: number; p50_s: number; p95_s: number } | null;

/** A group as a CSV record. */
function flat({ ring, talk, ...rest }: { ring: Times; talk: Times }): object {
  const named = (name: string, times: Times) =>
    Object.fromEntries(Object.entries(times ?? {}).map(([figure, value]) => [`${name}_${figure}`, value]));
  return { ...rest, ...named('ring', ring), ...named('talk', talk) };
}
