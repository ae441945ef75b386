import type { Feature } from '../feature.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import { type ConsoleFacts, consoleSessionRoutes } from './routes.ts';

export function consoleSessionsFeature(sessions: ConsoleSessions, facts: ConsoleFacts): Feature {
  return {
    tag: { name: 'console', description: 'Signing in to the web console.' },
    routes: (server) => consoleSessionRoutes(server, sessions, facts),
    erase: { user: (trx, { user_id }) => sessions.erase(trx, user_id) },
  };
}
