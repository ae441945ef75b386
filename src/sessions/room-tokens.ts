import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Media } from '../providers/media/media.ts';
import { isFinal } from './lifecycle.ts';
import type { Sessions } from './sessions.ts';

export type RoomTokens = ReturnType<typeof createRoomTokens>;

/** Long enough to connect with; who is connected stays. */
const TTL_S = 600;

export function createRoomTokens({ clock, media, sessions }: { clock: Clock; media: Media; sessions: Sessions }) {
  /** A token for the room of the user's session. Throws `not_found`, or `session_over` once the session has ended. */
  async function create(session_id: string, user_id: string) {
    const session = await sessions.get(session_id, user_id);
    if (isFinal(session)) throw new AppError('session_over');
    // An identity of its own, so that a second tab does not throw the first out of the room.
    const identity = `web-${newId()}`;
    const expires_at = new Date(clock.now().getTime() + TTL_S * 1000);
    return {
      ...(await media.createToken(session.room_name, identity, TTL_S)),
      room_name: session.room_name,
      identity,
      expires_at,
    };
  }

  return { create };
}
