import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import type { Db } from '../../db/tables.ts';
import { copyToolCalls, setMessages } from './store.ts';

interface Deps {
  sessions: Sessions;
  transcripts: Transcripts;
}

/** Messages of a chat, as they are read. */
type Said = Parameters<Transcripts['copyTo']>[2];

/** Fills a chat with messages of another one, and their calls of tools, without what the new one redacts. */
export function createCopies({ sessions, transcripts }: Deps, from: Session, said: Said) {
  return async (trx: Db, to: Session): Promise<void> => {
    const copies = await transcripts.copyTo(trx, to, said);
    const redact = <T>(value: T): T => sessions.redactions.copied(to, value);
    await copyToolCalls(trx, [from.id, to.id], copies, (call) => ({
      ...call,
      arguments: redact(call.arguments),
      result: redact(call.result),
    }));
    await setMessages(trx, to.id, said.length);
  };
}
