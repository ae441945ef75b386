import type { Logger } from '../../lib/log.ts';
import type { Media } from '../../providers/media/media.ts';

export type Rooms = ReturnType<typeof createRooms>;

/** The rooms of sessions at the media provider. */
export function createRooms({ media, log }: { media: Media; log: Logger }) {
  const closing = new Map<string, Promise<void>>();

  /**
   * Hangs up on everybody in the room. A failure is only logged: the reconciler closes the rooms of ended sessions.
   */
  function close(room_name: string): Promise<void> {
    const inFlight = closing.get(room_name);
    if (inFlight) return inFlight;
    const closed = media
      .closeRoom(room_name)
      .catch((err: unknown) => log.warn({ err, room_name }, 'closing a room failed'))
      .finally(() => closing.delete(room_name));
    closing.set(room_name, closed);
    return closed;
  }

  return {
    close,
    /** Resolves when no room is being closed. */
    settled: async () => {
      await Promise.all(closing.values());
    },
  };
}
