import { loudestOf, openRoom } from './room-sounds.ts';

/** A room of the media server that this browser listens to. */
export interface ListenRoom {
  /** Current volume of the loudest voice, from 0 to 1. */
  level(): number;
  leave(): Promise<void>;
}

/** Joins a room without a microphone. Throws if the server is unreachable. */
export async function joinAsListener(url: string, token: string, onEnd: () => void): Promise<ListenRoom> {
  const room = openRoom(onEnd);
  await room.connect(url, token);
  return { level: () => loudestOf(room), leave: () => room.disconnect() };
}
