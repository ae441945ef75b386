import {
  type AudioFrame,
  AudioSource,
  LocalAudioTrack,
  type Room,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';

export const SAMPLE_RATE = 48_000;

export type Voice = Awaited<ReturnType<typeof publishVoice>>;

/**
 * Publishes the agent's voice, silent at first: LiveKit answers an inbound call only when there is audio to be heard.
 */
export async function publishVoice(room: Room) {
  const source = new AudioSource(SAMPLE_RATE, 1);
  const options = new TrackPublishOptions();
  options.source = TrackSource.SOURCE_MICROPHONE;
  await room.localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack('voice', source), options);
  return {
    /** Resolves when the last of it has been heard. */
    play: async (frames: AsyncIterable<AudioFrame> | Iterable<AudioFrame>): Promise<void> => {
      for await (const frame of frames) await source.captureFrame(frame);
      await source.waitForPlayout();
    },
  };
}
