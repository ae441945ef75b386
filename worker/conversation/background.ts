/** Sounds behind the agent's words, and while it thinks. Callers hear them; models and recordings do not. */
import { voice } from '@livekit/agents';
import { AudioFrame, type Room } from '@livekit/rtc-node';
import type { Clip, OpenClip } from './clips.ts';
import type { SoundConfig } from './config.ts';

/** The name that the library gives the track. */
export const BACKGROUND = 'background_audio';
/** The rate at which the library mixes. */
const RATE = 48_000;
const SAMPLES = RATE / 10;
const SILENCE = new AudioFrame(new Int16Array(SAMPLES), RATE, 1, SAMPLES);

interface Deps {
  session: voice.AgentSession;
  room: Room;
  sounds: Record<'background' | 'thinking', SoundConfig | null>;
  open: OpenClip;
  log: Record<'error', (about: object, text: string) => void>;
}

/** The sounds of a call, which end with its connection. */
export function createBackground({ session, room, sounds, open, log }: Deps) {
  const pauses = { all: 0, thinking: 0 };
  /** Silences some of them until the returned function is called. */
  function pause(which: keyof typeof pauses): () => void {
    pauses[which]++;
    let isOver = false;
    return () => {
      if (!isOver) pauses[which]--;
      isOver = true;
    };
  }
  async function start({ background, thinking }: Deps['sounds']): Promise<void> {
    const player = new voice.BackgroundAudioPlayer({
      // Silence, too: the library's mixer ends for good once it has nothing to mix, as between two thoughts.
      ambientSound: sounding(background && open(background, RATE), () => pauses.all > 0),
      ...(thinking && {
        thinkingSound: sounding(open(thinking, RATE), () => pauses.all + pauses.thinking > 0),
      }),
    });
    await player.start({ room, agentSession: session });
  }
  return {
    start(): void {
      if (!sounds.background && !sounds.thinking) return;
      start(sounds).catch((error: unknown) => log.error({ error }, 'background sounds failed'));
    },
    /** Silent until the returned function is called. */
    quieten: () => pause('all'),
    /** No sound of thinking until the returned function is called: the agent waits for somebody. */
    silenceThinking: () => pause('thinking'),
  };
}

/** A sound that begins anew whenever it is played; silence for none, and while it `isPaused`. */
function sounding(clip: Clip | null, isPaused: () => boolean): AsyncIterable<AudioFrame> {
  return {
    async *[Symbol.asyncIterator]() {
      if (!clip) for (;;) yield SILENCE;
      for await (const frame of clip.play()) yield isPaused() ? SILENCE : frame;
    },
  };
}
