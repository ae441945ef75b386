import type { Feature } from '../../feature.ts';
import { createRoomTokens } from './room-tokens.ts';
import { webRoutes } from './routes.ts';
import { createWebCalls } from './web-calls.ts';

type Deps = Parameters<typeof createRoomTokens>[0] & Parameters<typeof createWebCalls>[0];

export function webFeature(deps: Deps): Feature {
  const operations = { webCalls: createWebCalls(deps), roomTokens: createRoomTokens(deps) };
  return { routes: (server) => webRoutes(server, operations) };
}
