import type { Feature } from '../../feature.ts';
import { sessionRoutes } from './routes.ts';
import type { Sessions } from './sessions.ts';

export function sessionsFeature(sessions: Sessions): Feature {
  return {
    tag: { name: 'sessions', description: 'Conversations, one for each call or media room, with their transcripts.' },
    routes: (server) => sessionRoutes(server, sessions),
    measure: sessions.measure,
  };
}
