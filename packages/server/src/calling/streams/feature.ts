import type { Feature } from '../../feature.ts';
import { createEventStreams } from '../../http/event-stream.ts';
import type { Revocations } from '../../lib/revocations.ts';
import type { Calls } from '../calls/calls.ts';
import { createActivity } from './activity.ts';
import { activityRoutes } from './activity-routes.ts';
import { createCallEvents } from './call-events.ts';
import { createFeed } from './feed.ts';
import { callEventRoutes } from './routes.ts';
import type { StreamTokens } from './stream-tokens.ts';

type Deps = Parameters<typeof createFeed>[0] & { calls: Calls; streamTokens: StreamTokens; revocations: Revocations };

export function streamsFeature(deps: Deps, maxStreamsPerUser: number): Feature {
  const [feed, activity] = [createFeed(deps), createActivity(deps)];
  const { calls, streamTokens, revocations } = deps;
  const operations = { callEvents: createCallEvents({ calls, feed }), activity, streamTokens };
  return {
    routes: (server) => {
      // Shared, so that streams of calls and of users count together.
      const send = createEventStreams(server, revocations, { perUser: maxStreamsPerUser });
      callEventRoutes(server, operations, send);
      activityRoutes(server, operations, send);
    },
    stop: () => Promise.all([feed.settled(), activity.settled()]),
    upkeep: { stream_tokens: streamTokens.forgetExpired },
    erase: { user: (trx, { user_id }) => streamTokens.erase(trx, user_id) },
  };
}
