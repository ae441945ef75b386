import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Said, Transcripts } from '../../conversations/transcripts/transcripts.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Platform } from '../../platform.ts';
import { copyToolCalls, setMessages, TURN_DAYS } from './store.ts';

interface Deps extends Pick<Platform, 'clock'> {
  sessions: Sessions;
  transcripts: Transcripts;
}

/**
 * Fills a chat with messages of another one, and their calls of tools, without what the new one redacts. No calls of
 * tools of older messages, whose copies have the same time: forks of forks would keep them forever.
 */
export function createCopies({ clock, sessions, transcripts }: Deps, from: Session, said: Said[]) {
  return async (trx: Db, to: Session): Promise<void> => {
    const copies = await transcripts.copyTo(trx, to, said);
    const oldest = new Date(clock.now().getTime() - TURN_DAYS * DAY_MS);
    const recent = copies.filter(({ timestamp }) => timestamp > oldest);
    const redact = <T>(value: T): T => sessions.redactions.copied(to, value);
    await copyToolCalls(trx, [from.id, to.id], recent, (call) => ({
      ...call,
      arguments: redact(call.arguments),
      result: redact(call.result),
    }));
    await setMessages(trx, to.id, said.length);
  };
}
