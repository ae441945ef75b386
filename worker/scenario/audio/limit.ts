import { type Room, RoomEvent } from '@livekit/rtc-node';
import { NotHeld } from '@switchboard/scenarios/agent';

export const LOST = 'The connection to the media server was lost.';

export type Limit = ReturnType<typeof createLimit>;

/** The end of a conversation that lasts too long, or has lost a connection. */
export function createLimit(ms: number) {
  const abort = new AbortController();
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => {});
  const end = (message: string) => {
    reject(new NotHeld(message));
    abort.abort();
  };
  const timer = setTimeout(() => end(`The conversation took longer than ${ms / 60_000} minutes.`), ms);
  return {
    /** Ends what waits in work that was given up. */
    signal: abort.signal,
    /** Gives work up at the end, and rejects with `NotHeld`: most of it cannot be ended from outside. */
    race: <T>(work: Promise<T>): Promise<T> => Promise.race([work, broken]),
    /** Ends the conversation as soon as the room does. */
    follow: (room: Pick<Room, 'once'>): void => void room.once(RoomEvent.Disconnected, () => end(LOST)),
    /** Ends it as soon as somebody is lost, for the reason that is told. */
    followCaller: ({ lost }: { lost: Promise<string> }): void => void lost.then(end),
    clear: (): void => clearTimeout(timer),
  };
}
