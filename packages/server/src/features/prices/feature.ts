import type { Feature } from '../feature.ts';
import type { ApplyPrices } from './apply.ts';
import type { Prices } from './prices.ts';
import { priceRoutes } from './routes.ts';

export function pricesFeature(operations: { prices: Prices; apply: ApplyPrices }): Feature {
  return {
    tag: { name: 'prices', description: 'The price book, which prices events that are logged without costs.' },
    routes: (server) => priceRoutes(server, operations),
  };
}
