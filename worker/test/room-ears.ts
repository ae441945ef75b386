/** A room without a server that hears the tracks of its agent as a caller would. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AudioStream, type LocalAudioTrack, type Room, RoomEvent } from '@livekit/rtc-node';

export const RATE = 24_000;
const LATEST = RATE / 2;

/** The loudness of samples (RMS, of 16 bits). */
export const loudnessOf = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / Math.max(1, samples.length));

export function openEars() {
  /** The latest samples of each track, in no order. */
  const heard = new Map<string, { latest: Int16Array; count: number }>();
  const listen = async (name: string, track: LocalAudioTrack) => {
    const ear = { latest: new Int16Array(LATEST), count: 0 };
    heard.set(name, ear);
    for await (const { data } of new AudioStream(track, { sampleRate: RATE, numChannels: 1 }))
      for (const sample of data) ear.latest[ear.count++ % LATEST] = sample;
  };
  const published: string[] = [];
  const localParticipant = {
    trackPublications: new Map(),
    publishTrack: async (track: LocalAudioTrack) => {
      const name = track.name ?? '';
      published.push(name);
      void listen(name, track);
      room.emit(RoomEvent.LocalTrackPublished, { track });
      return { sid: name, name, track };
    },
    unpublishTrack: async (name: string) => void heard.delete(name),
  };
  const room = Object.assign(new EventEmitter(), { localParticipant, remoteParticipants: new Map() });
  return {
    room: room as unknown as Room,
    published,
    /** Waits until half a second of a track is as loud as this. */
    until: async (name: string, [least, most]: readonly [number, number]): Promise<void> => {
      for (;;) {
        const { latest, count } = heard.get(name) ?? { latest: new Int16Array(), count: 0 };
        const loudness = loudnessOf(latest);
        if (count >= LATEST && loudness >= least && loudness <= most) return;
        await sleep(20);
      }
    },
  };
}
