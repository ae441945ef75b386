import { Room, RoomEvent, Track } from 'livekit-client';

/** Creates a room whose voices this browser plays; `onEnd` runs once the room has been left, for any reason. */
export function openRoom(onEnd: () => void): Room {
  const room = new Room();
  const sounds: HTMLMediaElement[] = [];
  room.on(RoomEvent.TrackSubscribed, (track) => {
    if (track.kind !== Track.Kind.Audio) return;
    const sound = track.attach();
    document.body.append(sound);
    sounds.push(sound);
  });
  room.on(RoomEvent.Disconnected, () => {
    for (const sound of sounds) sound.remove();
    onEnd();
  });
  return room;
}

/** Current volume of the loudest other participant, from 0 to 1. */
export function loudestOf(room: Room): number {
  return Math.max(0, ...[...room.remoteParticipants.values()].map(({ audioLevel }) => audioLevel));
}
