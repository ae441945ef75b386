import type { Feature } from '../../feature.ts';
import { createEventStreams } from '../../http/event-stream.ts';
import type { Revocations } from '../../lib/revocations.ts';
import type { Kinds } from '../../work/kinds.ts';
import type { Chats } from './chats.ts';
import { messageRoutes } from './message-routes.ts';
import { chatRoutes } from './routes.ts';
import { ChatTurn, ChatTurnEvent, ChatTurnResult } from './schema.ts';
import { TURN_DAYS } from './store.ts';

export function chatsFeature(chats: Chats, work: Kinds, revocations: Revocations, perUser: number): Feature {
  return {
    routes: (server) => {
      chatRoutes(server, chats);
      // A key that names no user serves many of them, and each of their chats has one answer at a time.
      const limits = { perUser, perKey: Number.POSITIVE_INFINITY };
      messageRoutes(server, chats, createEventStreams(server, revocations, limits));
    },
    schemas: { ChatTurn, ChatTurnEvent, ChatTurnResult },
    work,
    erase: { sessions: (trx, { ids }) => chats.erase(trx, ids) },
    expire: { transcripts: chats.eraseWords },
    keeps: {
      chat_events: { days: TURN_DAYS, deleteOlder: chats.deleteOlder },
      chat_tool_calls: { days: TURN_DAYS, deleteOlder: chats.deleteOlderToolCalls },
    },
    stop: async () => chats.stop(),
  };
}
