import { createEventStreams } from '../../http/event-stream.ts';
import type { Feature } from '../feature.ts';
import type { Activity } from './activity.ts';
import { activityRoutes } from './activity-routes.ts';
import type { CallEvents } from './call-events.ts';
import { callEventRoutes } from './routes.ts';
import type { StreamTokens } from './stream-tokens.ts';

export function liveFeature(
  operations: { callEvents: CallEvents; activity: Activity; streamTokens: StreamTokens },
  maxStreamsPerUser: number,
): Feature {
  return {
    routes: (server) => {
      // Shared, so that streams of calls and of users count together.
      const send = createEventStreams(server, { perUser: maxStreamsPerUser });
      callEventRoutes(server, operations, send);
      activityRoutes(server, operations, send);
    },
    erase: { user: (trx, { user_id }) => operations.streamTokens.erase(trx, user_id) },
  };
}
