import type { Feature } from '../../feature.ts';
import { createApplyPrices } from './apply.ts';
import { createPrices } from './prices.ts';
import { priceRoutes } from './routes.ts';

export function pricesFeature(deps: Parameters<typeof createApplyPrices>[0]): Feature {
  const operations = { prices: createPrices(deps), apply: createApplyPrices(deps) };
  return {
    tag: { name: 'prices', description: 'The price book, which prices events that are logged without costs.' },
    routes: (server) => priceRoutes(server, operations),
  };
}
