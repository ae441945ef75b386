import { actorOf } from '../../http/caller.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import type { CarrierCosts } from './carrier-costs.ts';
import { CarrierImport, CarrierImportQuery } from './schema.ts';

export function carrierCostRoutes(app: Server, carrierCosts: CarrierCosts): void {
  app.post(
    '/api/costs/carrier-import',
    {
      config: { access: 'operate' },
      schema: {
        tags: ['costs'],
        operationId: 'importCarrierCosts',
        audit: { changes: 'carrier_costs.imported' },
        summary: 'Import what the carrier billed',
        description:
          'Reads the carrier\u2019s records of the calls that began on a day, matches each with its line by numbers and time, and adds an adjusting entry if the bill differs, so that the ledger equals the bill. Idempotent: each record is booked once; one without a price yet is booked by a later request. The response compares both sides, and lists what has no counterpart.',
        querystring: CarrierImportQuery,
        response: responses({ 200: CarrierImport }, 413, 415, 422, 502, 504),
      },
    },
    async (request) => carrierCosts.importDay(request.query.date, actorOf(request)),
  );
}
