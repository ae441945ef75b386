import type { Feature } from '../../feature.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import { createOpenId } from './openid.ts';
import type { OpenIdSettings } from './openid-provider.ts';
import { openIdRoutes } from './openid-routes.ts';
import { type ConsoleFacts, consoleSessionRoutes } from './routes.ts';

export function consoleSessionsFeature(
  sessions: ConsoleSessions,
  facts: ConsoleFacts,
  openId: OpenIdSettings | null,
): Feature {
  const isOpenId = openId !== null && facts.auth_mode === 'required';
  return {
    tag: { name: 'console', description: 'Signing in to the web console.' },
    routes: (server) => {
      consoleSessionRoutes(server, sessions, facts, isOpenId);
      if (isOpenId) openIdRoutes(server, sessions, createOpenId(openId));
    },
    upkeep: { console_sessions: sessions.forgetExpired },
    erase: { user: (trx, { user_id }) => sessions.erase(trx, user_id) },
  };
}
