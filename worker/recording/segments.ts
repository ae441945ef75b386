import { createHash } from 'node:crypto';
import type { SegmentCreate } from '@switchboard/client';
import type { Levels } from './levels.ts';
import type { Part } from './mixer.ts';
import { createPages, type Page } from './ogg.ts';

/** Sound of a segment. With a page and the encoder's delay, a worker that is killed loses less than five seconds. */
export const SEGMENT_MS = 3_000;
/** The same for sound that was held back before: in quiet, a kill loses no more. */
export const DELAYED_SEGMENT_MS = 1_500;
/** Bytes that wait for a disk that is full; then they are dropped, which is a gap. Below the API's limit. */
const MAX_BYTES = 200 * 1024;

/** Attempts to write what is left at the end. */
const LAST_TIMES = 3;

/** The parts of a time that are silent on purpose. */
export type SilentIn = (from_ms: number, to_ms: number) => (Part & { why?: 'redacted' })[];
type Write = (segment: SegmentCreate) => Promise<void>;

/**
 * Cuts a stream of Ogg into segments, each of whole pages, and writes them one after another. Sound that cannot be
 * written is tried again with the next segment.
 */
export function createSegments(
  write: Write,
  onLost: (error: unknown) => void,
  levels: Levels,
  silentIn: SilentIn = () => [],
  segment_ms = SEGMENT_MS,
) {
  let current: Page[] = [];
  /** The end of what was cut, and of what was written or dropped. */
  let [cut_ms, from_ms] = [0, 0];
  let ready: Page[][] = [];
  let seq = 0;
  let last = Promise.resolve();

  async function flush(): Promise<void> {
    const [pages, ...others] = ready;
    if (!pages) return;
    ready = others;
    const audio = Buffer.concat(pages.map(({ bytes }) => bytes));
    const to_ms = pages.at(-1)?.end_ms ?? from_ms;
    const pauses = silentIn(from_ms, to_ms);
    const about = { seq, from_ms, to_ms, levels: levels.read(from_ms, to_ms), ...(pauses.length > 0 && { pauses }) };
    try {
      await write({ ...about, ...encode(audio) });
      seq++;
    } catch (error) {
      onLost(error);
      const [next = [], ...rest] = ready;
      if (audio.length < MAX_BYTES) {
        ready = [[...pages, ...next], ...rest];
        return;
      }
    }
    from_ms = to_ms;
    levels.forget(to_ms);
  }

  function cut(): void {
    if (current.length > 0) ready.push(current);
    cut_ms = current.at(-1)?.end_ms ?? cut_ms;
    current = [];
    last = last.then(flush);
  }

  const add = createPages((page) => {
    current.push(page);
    if (page.end_ms - cut_ms >= segment_ms) cut();
  });
  return {
    add,
    /** Writes the rest; returns the number of segments. */
    async end(): Promise<number> {
      cut();
      await last;
      for (let times = 0; ready.length > 0 && times < LAST_TIMES; times++) await flush();
      return seq;
    },
  };
}

function encode(audio: Buffer) {
  return { sha256: createHash('sha256').update(audio).digest('hex'), audio: audio.toString('base64') };
}
