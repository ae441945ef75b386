import { Room, RoomEvent, Track } from 'livekit-client';

/** Makes a room whose voices this browser plays; `onEnd` runs once it has been left, for whatever reason. */
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

/** How loud the loudest of the others is now, from 0 to 1. */
export function loudestOf(room: Room): number {
  return Math.max(0, ...[...room.remoteParticipants.values()].map(({ audioLevel }) => audioLevel));
}
