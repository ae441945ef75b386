import { createHash } from 'node:crypto';
import type { SegmentCreate } from '@switchboard/client';
import type { Levels } from './levels.ts';
import type { Part } from './mixer.ts';
import { createPages, type Page } from './ogg.ts';

/** Sound of a segment. With a page and the encoder's delay, a worker that is killed loses less than five seconds. */
export const SEGMENT_MS = 3_000;
/** The same for sound that was held back before: in quiet, a kill loses no more. */
export const DELAYED_SEGMENT_MS = 1_500;
/** Audio, in characters of base64, that waits for a disk that is full; then the oldest is dropped, which is a gap. */
const MAX_WAITING = 1024 * 1024;

/** Attempts to write what is left at the end. */
const LAST_TIMES = 3;

/** The parts of a time that are silent on purpose. */
export type SilentIn = (from_ms: number, to_ms: number) => (Part & { why?: 'redacted' })[];
type Write = (segment: SegmentCreate) => Promise<void>;

/**
 * Cuts a stream of Ogg into segments, each of whole pages, and writes them one after another. What cannot be written is
 * tried again with the next segment.
 */
export function createSegments(
  write: Write,
  onLost: (error: unknown) => void,
  levels: Levels,
  silentIn: SilentIn = () => [],
  segment_ms = SEGMENT_MS,
) {
  let current: Page[] = [];
  let from_ms = 0;
  const waiting: Omit<SegmentCreate, 'seq'>[] = [];
  let seq = 0;
  let last = Promise.resolve();

  async function flush(): Promise<void> {
    try {
      for (let next = waiting[0]; next; next = waiting[0]) {
        await write({ seq, ...next });
        seq++;
        waiting.shift();
      }
    } catch (error) {
      onLost(error);
      // Never the first of all: it has the headers, without which nothing can be played.
      while (waiting.length > 1 && lengthOf(waiting) > MAX_WAITING) waiting.splice(seq === 0 ? 1 : 0, 1);
    }
  }

  function cut(): void {
    if (current.length > 0) waiting.push(segmentOf(current));
    current = [];
    last = last.then(flush);
  }

  function segmentOf(pages: Page[]): Omit<SegmentCreate, 'seq'> {
    const to_ms = pages.at(-1)?.end_ms ?? from_ms;
    const pauses = silentIn(from_ms, to_ms);
    const about = { from_ms, to_ms, levels: levels.read(from_ms, to_ms), ...(pauses.length > 0 && { pauses }) };
    from_ms = to_ms;
    levels.forget(to_ms);
    return { ...about, ...encode(Buffer.concat(pages.map(({ bytes }) => bytes))) };
  }

  const add = createPages((page) => {
    current.push(page);
    if (page.end_ms - from_ms >= segment_ms) cut();
  });
  return {
    add,
    /** Writes the rest; returns the number of segments. */
    async end(): Promise<number> {
      cut();
      await last;
      for (let times = 0; waiting.length > 0 && times < LAST_TIMES; times++) await flush();
      return seq;
    },
  };
}

const lengthOf = (segments: readonly Pick<SegmentCreate, 'audio'>[]) =>
  segments.reduce((sum, { audio }) => sum + audio.length, 0);

function encode(audio: Buffer) {
  return { sha256: createHash('sha256').update(audio).digest('hex'), audio: audio.toString('base64') };
}
