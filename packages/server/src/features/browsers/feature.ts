import type { Feature } from '../feature.ts';
import type { RoomTokens } from './room-tokens.ts';
import { browserRoutes } from './routes.ts';
import type { WebCalls } from './web-calls.ts';

export function browsersFeature(operations: { webCalls: WebCalls; roomTokens: RoomTokens }): Feature {
  return { routes: (server) => browserRoutes(server, operations) };
}
