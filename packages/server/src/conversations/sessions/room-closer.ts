import type { Logger } from '../../lib/log.ts';
import type { Rooms } from '../../providers/rooms.ts';

export type RoomCloser = ReturnType<typeof createRoomCloser>;

/** The rooms of sessions at the media provider. */
export function createRoomCloser({ rooms, log }: { rooms: Rooms; log: Logger }) {
  const closing = new Map<string, Promise<void>>();

  /**
   * Hangs up on everybody in the room. A failure is only logged: the reconciler closes the rooms of ended sessions.
   */
  function close(room_name: string): Promise<void> {
    const inFlight = closing.get(room_name);
    if (inFlight) return inFlight;
    const closed = rooms
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
