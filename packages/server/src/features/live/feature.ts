import type { Feature } from '../feature.ts';
import type { CallEvents } from './call-events.ts';
import { callEventRoutes } from './routes.ts';
import type { StreamTokens } from './stream-tokens.ts';

export function liveFeature(
  operations: { callEvents: CallEvents; streamTokens: StreamTokens },
  maxStreamsPerUser: number,
): Feature {
  return {
    routes: (server) => callEventRoutes(server, operations, maxStreamsPerUser),
    erase: { user: (trx, { user_id }) => operations.streamTokens.erase(trx, user_id) },
  };
}
