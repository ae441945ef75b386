/**
 * When caller and agent are heard at the caller, from the samples. The library dates the end of speech by its voice
 * detection, which needs some silence to let go, and the agent's first sound by its first frame, which may be silent.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ReadableStream, TransformStream } from 'node:stream/web';
import { type llm, type stt, voice } from '@livekit/agents';
import { type AudioFrame, ParticipantKind, type Room } from '@livekit/rtc-node';
import { isColleague, isTarget } from './participants.ts';
import { createTransit, type LineFigures } from './transit.ts';

/** Blocks that are loud or not. */
const BLOCK_MS = 10;
const KEEP_MS = 5_000;
/** A phone sends a packet, usually of 20 ms (RFC 3551), and so does the bridge, when all of its sound is there. */
const PHONE_PACKET_MS = 20;
/** The bridge mixes what it sends to a phone only while three frames are there (livekit-sip 1.11, `mixer.go`). */
const BRIDGE_BUFFER_MS = 60;
/** A frame that arrives later than this after the one before begins a new stream. */
const GAP_MS = 200;
/** A sender's clock may be slower than ours: 0.1 ms in a second. */
const DRIFT = 1e-4;
/** The end of speech is looked for this long before, and after, the moment that the library reports. */
const [BEFORE_MS, AFTER_MS] = [800, 200];
/** Blocks below this share of the loudest one around them are silence, and those below the floor always (16 bits). */
const SILENT = 0.03;
const FLOOR = 40;

type Frame = Pick<AudioFrame, 'data' | 'sampleRate' | 'channels' | 'samplesPerChannel'>;
type Frames = ReadableStream<AudioFrame> | AsyncIterable<AudioFrame>;

export type Hearing = ReturnType<typeof createHearing>;

/** Follows the loudness of the caller's audio. */
export function createHearing(now: () => number = Date.now) {
  let blocks: { end: number; loudness: number }[] = [];
  let start = Number.NEGATIVE_INFINITY;
  let length = 0;
  return {
    add(frame: Frame): void {
      const ms = (frame.samplesPerChannel / frame.sampleRate) * 1000;
      // Frames are read late, never early: the earliest one tells when the stream began.
      const began = now() - length - ms;
      if (began - start > GAP_MS) start = began;
      else start = Math.min(start + ms * DRIFT, began);
      const size = Math.round((frame.sampleRate * BLOCK_MS) / 1000) * frame.channels;
      for (let at = 0; at < frame.data.length; at += size) {
        const block = frame.data.subarray(at, at + size);
        blocks.push({
          end: start + length + (ms * (at + block.length)) / frame.data.length,
          loudness: loudnessOf(block),
        });
      }
      length += ms;
      const oldest = now() - KEEP_MS;
      if ((blocks[0]?.end ?? oldest) < oldest - KEEP_MS) blocks = blocks.filter(({ end }) => end >= oldest);
    },
    /** The end of the caller's last sound, given the library's estimate, which it returns in constant noise. */
    endOfSpeech(reported: number): number {
      const around = blocks.filter(({ end }) => end > reported - 2 * BEFORE_MS && end <= reported + AFTER_MS);
      const threshold = Math.max(FLOOR, SILENT * Math.max(0, ...around.map(({ loudness }) => loudness)));
      const last = around.findLast(({ loudness }) => loudness >= threshold);
      return last && last.end > reported - BEFORE_MS && last !== around.at(-1) ? last.end : reported;
    },
  };
}

/** The time from a stream's first sample to its first sound; 0 while everything is silent. */
export function createLead() {
  let silentMs = 0;
  let isHeard = false;
  return {
    add({ data, sampleRate, channels }: Frame): void {
      if (isHeard) return;
      const first = data.findIndex((sample) => Math.abs(sample) >= FLOOR);
      isHeard = first >= 0;
      silentMs += (((isHeard ? first : data.length) / channels) * 1000) / sampleRate;
    },
    ms: (): number => (isHeard ? silentMs : 0),
  };
}

/** Milliseconds that sound takes to `heardBy`. */
export type Transit = (heardBy: 'worker' | 'caller') => number;

/** Milliseconds that sound takes in each direction, and its figures, read as the caller begins and ends to speak. */
export function followTransit(
  session: voice.AgentSession,
  room: Pick<Room, 'getRtcStats' | 'remoteParticipants'>,
): { ms: Transit; line: () => LineFigures | null } {
  const transit = createTransit();
  let isPhone = false;
  session.on(voice.AgentSessionEventTypes.UserStateChanged, () => {
    const others = [...room.remoteParticipants.values()];
    isPhone ||= others.some((one) => one.kind === ParticipantKind.SIP && !isTarget(one));
    // The statistics do not tell the sound of a colleague from that of the caller.
    if (others.some(isColleague)) return;
    // A room that closes has no statistics anymore; its last turn has those of before.
    room.getRtcStats().then(transit.add, () => {});
  });
  return {
    ms: (heardBy) =>
      isPhone ? PHONE_PACKET_MS + transit.ms(heardBy === 'caller' ? BRIDGE_BUFFER_MS : 0) : transit.ms(),
    line: () => (isPhone ? transit.line() : null),
  };
}

function loudnessOf(block: Int16Array): number {
  let sum = 0;
  for (const sample of block) sum += sample * sample;
  return Math.sqrt(sum / block.length);
}

/** Times of sound that a turn's latency is computed from. */
export interface Sounds {
  /** When the caller's last sound was made, given the library's time for it. */
  endOfSpeech(reported: number): number;
  /** For speech whose first frame is played now: when the caller hears its first sound. */
  firstSound(played: number): () => number;
}

/**
 * Has each turn of the caller heard, rather than answered, until the returned function is called, or somebody else
 * intercepts them. It is in the transcript all the same.
 */
export type Intercept = (hear: (words: string) => void) => () => void;

/** Sees what a recognizer has understood of audio that began at a time. */
type Recognizing = (event: stt.SpeechEvent | string, began: number) => void;

/**
 * Number of sounds of a speech that have not come to their end: they still come, were given up, or have stalled. For a
 * speech that begins in its context, beside which others may be prepared.
 */
export const ofSpeech = new AsyncLocalStorage<{ unended: number }>();

/** An agent that knows when it and the caller are heard, given the milliseconds from the caller to here, and back. */
export class HearingAgent extends voice.Agent implements Sounds {
  readonly #hearing = createHearing();
  readonly #transit: Transit;
  readonly #recognized: Recognizing;
  #lead = createLead();
  #hear: ((words: string) => void) | null = null;
  #standIn: ((words: string) => void) | null = null;

  constructor(
    options: ConstructorParameters<typeof voice.Agent>[0],
    transit: Transit,
    recognized: Recognizing = () => {},
  ) {
    super(options);
    this.#transit = transit;
    this.#recognized = recognized;
  }

  readonly intercept: Intercept = (hear) => {
    this.#hear = hear;
    return () => {
      if (this.#hear === hear) this.#hear = null;
    };
  };

  /** The same while somebody else answers, beside those who wait for certain words; null ends it. */
  readonly standIn = (hear: ((words: string) => void) | null): void => {
    this.#standIn = hear;
  };

  override async onUserTurnCompleted(_context: llm.ChatContext, said: llm.ChatMessage): Promise<void> {
    const hear = this.#hear ?? this.#standIn;
    if (!hear) return;
    // Nobody else reports words that have no answer.
    const { ConversationItemAdded } = voice.AgentSessionEventTypes;
    this.session.emit(ConversationItemAdded, voice.createConversationItemAddedEvent(said));
    hear(said.textContent ?? '');
    throw new voice.StopResponse();
  }

  override async sttNode(audio: Frames, settings: voice.ModelSettings) {
    let began: number | null = null;
    const hear = (frame: AudioFrame) => {
      began ??= Date.now() - (frame.samplesPerChannel / frame.sampleRate) * 1000;
      this.#hearing.add(frame);
    };
    const events = await super.sttNode(watched(audio, hear), settings);
    return events && watched(events, (event) => this.#recognized(event, began ?? Date.now()));
  }

  override async ttsNode(text: ReadableStream<string> | AsyncIterable<string>, settings: voice.ModelSettings) {
    const audio = await super.ttsNode(text, settings);
    return audio && this.#said(audio);
  }

  override async realtimeAudioOutputNode(audio: Frames, settings: voice.ModelSettings) {
    const out = await super.realtimeAudioOutputNode(audio, settings);
    return out && this.#said(out);
  }

  #said(audio: ReadableStream<AudioFrame>): ReadableStream<AudioFrame> {
    const lead = createLead();
    this.#lead = lead;
    const voices = ofSpeech.getStore();
    if (!voices) return watched(audio, lead.add);
    voices.unended++;
    return watched(audio, lead.add, () => voices.unended--);
  }

  endOfSpeech(reported: number): number {
    return this.#hearing.endOfSpeech(reported) - this.#transit('worker');
  }

  firstSound(played: number): () => number {
    const lead = this.#lead;
    return () => played + lead.ms() + this.#transit('caller');
  }
}

/** The same, each of which was seen, and then their end; not the end of a stream that is given up. */
function watched<T>(
  all: ReadableStream<T> | AsyncIterable<T>,
  see: (one: T) => void,
  end: () => void = () => {},
): ReadableStream<T> {
  const stream = all instanceof ReadableStream ? all : ReadableStream.from(all);
  return stream.pipeThrough(
    new TransformStream<T, T>({
      transform: (one, controller) => {
        see(one);
        controller.enqueue(one);
      },
      flush: end,
    }),
  );
}
