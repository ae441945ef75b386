import type { metrics } from '@livekit/agents';
import { type AudioFrame, AudioResampler } from '@livekit/rtc-node';
import { NotHeld } from '@switchboard/scenarios/agent';
import { readConfig } from '../../conversation/config.ts';
import { createModel, type ModelSettings } from '../../conversation/models.ts';
import { usedBy } from '../../conversation/report.ts';
import type { Used } from '../../switchboard/prices.ts';
import { leveled, RATE } from './sound.ts';

export type CallerVoice = ReturnType<typeof createCallerVoice>;

/** The voice of callers: words as samples of 24 kHz. Each text is made once. Throws `NotHeld` if there is no voice. */
export function createCallerVoice(section: unknown, models: ModelSettings, onUsed: (used: Used) => void) {
  const model = modelOf(section, models);
  const made = new Map<string, Promise<Int16Array>>();
  model.on('metrics_collected', (measured: metrics.TTSMetrics) => usedBy(measured).forEach(onUsed));

  async function make(words: string): Promise<Int16Array> {
    let failure: unknown;
    const onError = ({ error }: { error: unknown }) => {
      failure = error;
    };
    model.on('error', onError);
    try {
      const frames: AudioFrame[] = [];
      for await (const { frame } of model.synthesize(words)) frames.push(frame);
      const samples = samplesOf(frames);
      if (samples.some((sample) => sample !== 0)) return leveled(samples);
      throw failure ?? new Error('it made no sound');
    } catch (error) {
      throw new NotHeld(`The caller's voice has failed: ${messageOf(failure ?? error)}`);
    } finally {
      model.off('error', onError);
    }
  }

  return {
    speak: (words: string): Promise<Int16Array> => {
      const samples = made.get(words) ?? make(words);
      made.set(words, samples);
      return samples;
    },
    close: (): Promise<void> => model.close().catch(() => {}),
  };
}

function modelOf(section: unknown, models: ModelSettings) {
  try {
    const { tts } = readConfig({ config: { tts: section }, variables: {} });
    return createModel.tts(tts[0], models);
  } catch (error) {
    throw new NotHeld(`The caller has no voice: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Frames of any rate, as those of the caller. */
function samplesOf(frames: readonly AudioFrame[]): Int16Array {
  const [first] = frames;
  if (!first) return new Int16Array();
  const same = first.sampleRate === RATE ? frames : resampled(frames, first.sampleRate);
  const samples = new Int16Array(same.reduce((sum, { data }) => sum + data.length, 0));
  let at = 0;
  for (const { data } of same) {
    samples.set(data, at);
    at += data.length;
  }
  return samples;
}

function resampled(frames: readonly AudioFrame[], rate: number): AudioFrame[] {
  const resampler = new AudioResampler(rate, RATE, 1);
  const changed = [...frames.flatMap((frame) => resampler.push(frame)), ...resampler.flush()];
  resampler.close();
  return changed;
}
