import { isFinal, type Transition } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import { chatsAmong } from './store.ts';

/** Queues `chat.ended` in the transaction that ends a chat, if there is any destination. */
export function createChatEnds(callbacks: Callbacks) {
  return async (trx: Db, transitions: Transition[]): Promise<void> => {
    const ended = transitions.flatMap(({ after, has_endpoints }) => {
      const isHeard = has_endpoints || after.callback_url !== null;
      return after.call_status === null && isFinal(after) && isHeard ? after : [];
    });
    if (ended.length === 0) return;
    const chats = await chatsAmong(
      trx,
      ended.map(({ id }) => id),
    );
    await callbacks.enqueueReports(
      trx,
      'chat.ended',
      ended.filter(({ id }) => chats.has(id)),
    );
  };
}
