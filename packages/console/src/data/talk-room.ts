import { createLocalAudioTrack, type LocalAudioTrack } from 'livekit-client';
import { loudestOf, openRoom } from './room-sounds.ts';

/** A room of the media server that this browser talks in. */
export interface TalkRoom {
  /** Current volume of both sides, from 0 to 1. */
  levels(): { mine: number; theirs: number };
  setMuted(isMuted: boolean): Promise<unknown>;
  leave(): Promise<void>;
}

/** Asks the person for the microphone, for a room that is joined later. Throws if it is refused. */
export const openMicrophone = () => createLocalAudioTrack();

/** Joins a room with the microphone on. Throws if the server is unreachable, or the microphone is refused. */
export async function joinRoom(
  url: string,
  token: string,
  onEnd: () => void,
  microphone?: LocalAudioTrack,
): Promise<TalkRoom> {
  const room = openRoom(onEnd);
  await room.connect(url, token);
  try {
    if (microphone) await room.localParticipant.publishTrack(microphone);
    else await room.localParticipant.setMicrophoneEnabled(true);
  } catch (error) {
    await room.disconnect();
    throw error;
  }
  return {
    levels: () => ({ mine: room.localParticipant.audioLevel, theirs: loudestOf(room) }),
    setMuted: (isMuted) => room.localParticipant.setMicrophoneEnabled(!isMuted),
    leave: () => room.disconnect(),
  };
}
