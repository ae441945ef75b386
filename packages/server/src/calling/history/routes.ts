import { Type } from 'typebox';
import { createCsvExports } from '../../http/csv.ts';
import { gatherNested } from '../../http/nested-query.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { UserHeader } from '../../http/wire.ts';
import { csvHeader } from '../../lib/csv.ts';
import { isId } from '../../lib/ids.ts';
import { CallSummary } from '../calls/schema.ts';
import { type History, isPlace } from './history.ts';
import { CALL_COLUMNS, CallExportQuery, type CallListInput, CallListQuery } from './schema.ts';

const tags = ['calls'];
const headers = UserHeader;

export function historyRoutes(app: Server, history: History): void {
  const sendExport = createCsvExports();
  app.get(
    '/api/calls/',
    {
      onRequest: gatherNested('analysis'),
      schema: {
        tags,
        operationId: 'listCalls',
        audit: { access: 'transcripts.read', target: 'calls', only: 'operators', when: showsWords },
        summary: 'List calls, newest first',
        description:
          'Pages by cursor. A named user sees its own calls. `q` finds calls by the words of their transcripts, up to the last one that was logged. With `agent_version`, `call_status`, `direction`, `end_reason`, `number`, `q`, `analysis` or `sort`, a page may have fewer items than `limit` and not be the last: go on until `next_cursor` is null.',
        headers,
        querystring: CallListQuery,
        response: responses({ 200: pageOf(CallSummary) }, 422),
      },
    },
    async ({ query, caller }) =>
      history.page(query, caller, pageRequest(query, query.sort === undefined ? isId : isPlace)),
  );
  app.get(
    '/api/calls/export',
    {
      exposeHeadRoute: false,
      onRequest: gatherNested('analysis'),
      schema: {
        tags,
        operationId: 'exportCalls',
        audit: { access: 'data.exported', target: 'calls', only: 'files' },
        summary: 'Export calls as CSV',
        description:
          'All calls that the list finds with the same filters, newest first or sorted, with their costs (RFC 4180, UTF-8), and with the values of their analyses: a column for each field of the calling user’s extractors. Text that a spreadsheet would take for a formula begins with an apostrophe. Calls that begin while the file is written are not in it. A file that breaks off has no last chunk, so that clients report an error.',
        headers,
        querystring: CallExportQuery,
        response: {
          ...responses({}, 422),
          200: {
            description: 'The calls.',
            content: { 'text/csv': { schema: Type.String(), example: csvHeader(CALL_COLUMNS) } },
          },
        },
      },
    },
    async ({ query, caller }, reply) =>
      sendExport(reply, 'calls', await history.columns(caller), history.pages(query, caller)),
  );
}

/** Whether a list shows what was said, or which calls have certain words, or certain values of analyses. */
function showsWords({ query }: { query: unknown }): boolean {
  const { q, analysis, sort, include = '' } = query as CallListInput;
  return [q, analysis, sort].some((one) => one !== undefined) || /last_transcript|analysis/.test(include);
}
