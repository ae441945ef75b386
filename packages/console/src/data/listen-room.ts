import { loudestOf, openRoom } from './room-sounds.ts';

/** A room of the media server that this browser hears. */
export interface ListenRoom {
  /** How loud the loudest voice is now, from 0 to 1. */
  level(): number;
  leave(): Promise<void>;
}

/** Joins a room without a microphone. Throws when the server cannot be reached. */
export async function joinAsListener(url: string, token: string, onEnd: () => void): Promise<ListenRoom> {
  const room = openRoom(onEnd);
  await room.connect(url, token);
  return { level: () => loudestOf(room), leave: () => room.disconnect() };
}
