import type { Feature } from '../../feature.ts';
import type { Kinds } from '../../work/kinds.ts';
import type { Chats } from './chats.ts';
import { chatRoutes } from './routes.ts';
import { ChatTurn, ChatTurnResult } from './schema.ts';

export function chatsFeature(chats: Chats, work: Kinds): Feature {
  return {
    routes: (server) => chatRoutes(server, chats),
    schemas: { ChatTurn, ChatTurnResult },
    work,
    erase: { sessions: (trx, { ids }) => chats.erase(trx, ids) },
  };
}
