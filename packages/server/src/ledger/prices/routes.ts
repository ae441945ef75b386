import { actorOf } from '../../http/caller.ts';
import { createCsvExports, jsonOrCsv, prefersCsv, varyByAccept } from '../../http/csv.ts';
import { daysOf } from '../../http/date-range.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import type { ApplyPrices } from './apply.ts';
import { entryProblems } from './entries.ts';
import type { Prices } from './prices.ts';
import {
  IGNORED_COLUMNS,
  PRICE_COLUMNS,
  Price,
  PriceQuery,
  PricesApplied,
  PricesApplyQuery,
  PricesChanged,
  PricesPut,
  REQUIRED_COLUMNS,
} from './schema.ts';

const tags = ['prices'];
/** Maximum events checked per request to apply prices: a few seconds. */
export const MAX_APPLIED = 10_000;

export function priceRoutes(app: Server, { prices, apply }: { prices: Prices; apply: ApplyPrices }): void {
  const sendExport = createCsvExports();
  app.get(
    '/api/prices',
    {
      exposeHeadRoute: false,
      config: { access: 'read_all' },
      schema: {
        tags,
        operationId: 'listPrices',
        audit: { access: 'data.exported', target: 'prices', only: 'files' },
        summary: 'List the price book',
        description:
          'The prices that were not replaced, each valid from `valid_from` on, in the order of recording, with cursor pagination; with `history`, also replaced ones. With `Accept: text/csv`, returns all of them as a file that `PUT /api/prices` accepts.',
        querystring: PriceQuery,
        response: responses({ 200: jsonOrCsv(pageOf(Price), PRICE_COLUMNS) }, 422),
      },
    },
    async (request, reply) => {
      const { provider = null, event_type = null, history = false } = request.query;
      const filter = { provider, event_type, history };
      const page = pageRequest(request.query);
      varyByAccept(reply);
      if (!prefersCsv(request)) return prices.page(filter, page);
      return sendExport(reply, 'prices', PRICE_COLUMNS, (take) => prices.exportRows(filter, take));
    },
  );
  app.put(
    '/api/prices',
    {
      config: {
        access: 'operate',
        decimals: ['price'],
        bodyProblems: entryProblems,
        csvBody: { list: 'entries', ignored: IGNORED_COLUMNS, required: REQUIRED_COLUMNS },
      },
      schema: {
        tags,
        consumes: ['application/json', 'text/csv'],
        operationId: 'putPrices',
        audit: { changes: 'prices.changed' },
        summary: 'Record prices',
        description:
          'Adds up to 5,000 prices to the book, all or none; a refusal lists up to 100 problems (`npm run prices -- import`: all of them). Nothing is overwritten: a price with the same key (provider, event type, model, prefix, direction) and `valid_from` replaces the earlier one, which stays in the history. Idempotent: prices that are already in the book change nothing. CSV has the fields as columns; its problems name the line. Events that already have costs keep them.',
        body: PricesPut,
        response: responses({ 200: PricesChanged }, 413, 415, 422),
      },
    },
    async (request) => prices.put(request.body.entries, actorOf(request)),
  );
  app.post(
    '/api/prices/apply',
    {
      config: { access: 'operate' },
      schema: {
        tags,
        operationId: 'applyPrices',
        audit: { changes: 'prices.applied' },
        summary: 'Price events that have no price',
        description:
          'Adds an adjusting entry for each event that was logged without a price and now has one in the book, valid on the day (UTC) of the event. The entry counts for that day; reports as of an earlier date exclude it. Idempotent: each event is priced once. Events of detached months are skipped and counted.',
        querystring: PricesApplyQuery,
        response: responses({ 200: PricesApplied }, 413, 415, 422),
      },
    },
    async (request) => {
      const { after } = pageRequest(request.query);
      const { next, ...applied } = await apply(daysOf(request.query), after, MAX_APPLIED, actorOf(request));
      return { ...applied, next_cursor: next === null ? null : Buffer.from(next).toString('base64url') };
    },
  );
}
