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
/** Events that one request to apply prices looks at: some seconds. */
export const MAX_APPLIED = 10_000;

export function priceRoutes(app: Server, { prices, apply }: { prices: Prices; apply: ApplyPrices }): void {
  const sendExport = createCsvExports();
  app.get(
    '/api/prices',
    {
      exposeHeadRoute: false,
      config: { access: 'service' },
      schema: {
        tags,
        operationId: 'listPrices',
        summary: 'List the price book',
        description:
          'The prices that hold, each from its `valid_from` on, in the order they were recorded, in pages by cursor; with `history` also those that were replaced. With `Accept: text/csv` all of them as a file, which `PUT /api/prices` takes back.',
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
        ...({ access: 'service', decimals: ['price'], bodyProblems: entryProblems } as const),
        csvBody: { list: 'entries', ignored: IGNORED_COLUMNS, required: REQUIRED_COLUMNS },
      },
      schema: {
        tags,
        consumes: ['application/json', 'text/csv'],
        operationId: 'putPrices',
        summary: 'Record prices',
        description:
          'Adds up to 5,000 prices to the book, all or none; a refusal lists up to 100 problems (`npm run prices -- import`: all of them). Nothing is overwritten: another price of the same key (provider, event type, model, prefix, direction) and `valid_from` takes the place of the earlier one, which stays in the history. What is in the book already changes nothing, so that the request can be repeated. CSV has the fields as columns; its problems name the line. Events that have their costs keep them.',
        body: PricesPut,
        response: responses({ 200: PricesChanged }, 413, 415, 422),
      },
    },
    async (request) => prices.put(request.body.entries, actorOf(request)),
  );
  app.post(
    '/api/prices/apply',
    {
      config: { access: 'service' },
      schema: {
        tags,
        operationId: 'applyPrices',
        summary: 'Price events that have no price',
        description:
          'Adds an adjusting entry for each event that was logged without a price and has one in the book now, valid on the day (UTC) of the event. The entry counts for that day; a report as of an earlier date is without it. Each event is priced once, also when the request is repeated. Events of detached months are left out and counted.',
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
