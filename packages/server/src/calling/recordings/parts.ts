import { Readable } from 'node:stream';
import type { Gap } from '../../db/recording-tables.ts';
import type { AudioStore } from './audio-store.ts';
import type { SegmentRow } from './store.ts';

/** Rounding and the encoder's delay, in milliseconds: no gap. */
const TOLERANCE_MS = 250;

/** The bytes from `start` to `end`, both included, of the pieces of a recording after one another. */
export function readPieces(
  audio: AudioStore,
  recording_id: string,
  pieces: readonly number[],
  { start, end }: { start: number; end: number },
): Readable {
  async function* read(): AsyncGenerator<Uint8Array> {
    let offset = 0;
    for (const [seq, bytes] of pieces.entries()) {
      const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, bytes - 1)];
      offset += bytes;
      if (from > to) continue;
      let sent = 0;
      for await (const chunk of audio.read(recording_id, seq, bytes, { start: from, end: to })) {
        sent += chunk.length;
        yield chunk;
      }
      // Ends the response early, which the client notices by its length, rather than shifting what follows.
      if (sent !== to - from + 1) throw new Error(`segment ${seq} of ${recording_id} has ${sent} of these bytes`);
    }
  }
  return Readable.from(read(), { objectMode: false });
}

/** The range that a request asks for, of a file of so many bytes; null if it wants all, or nothing that there is. */
export function rangeOf(header: string | undefined, size: number): { start: number; end: number } | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start <= end ? { start, end } : null;
}

/** Gaps that are listed of a recording. */
const MAX_GAPS = 1_000;

/** A part of a segment that is silent on purpose. */
type Silence = Omit<Gap, 'why'> & { why?: 'paused' | 'redacted' };

/** Gaps with the silences of another segment, of which those of a kind that touch are one. */
export function withPauses(gaps: readonly Gap[], pauses: readonly Silence[]): Gap[] {
  const all = [...gaps, ...pauses.map(({ why = 'paused', ...part }) => ({ ...part, why }))];
  const joined: Gap[] = [];
  for (const gap of all.sort((one, other) => one.from_ms - other.from_ms)) {
    const index = joined.findLastIndex(({ why }) => why === gap.why);
    const last = joined[index];
    if (last && (gap.why === 'paused' || gap.why === 'redacted') && gap.from_ms <= last.to_ms)
      joined[index] = { ...last, to_ms: Math.max(last.to_ms, gap.to_ms) };
    else joined.push(gap);
  }
  return atMost(joined, MAX_GAPS);
}

/** The first gaps, of which those that nobody chose come before silences. */
function atMost(gaps: readonly Gap[], count: number): Gap[] {
  if (gaps.length <= count) return [...gaps];
  const isLoss = ({ why }: Gap) => why === 'worker_lost' || why === 'segment_lost';
  const kept = new Set([...gaps.filter(isLoss), ...gaps.filter((gap) => !isLoss(gap))].slice(0, count));
  return gaps.filter((gap) => kept.has(gap));
}

/**
 * The gaps between segments, after `from_ms`. With `until_ms`, the end of a call whose worker was lost, also the one
 * after the last of them.
 */
export function gapsIn(
  segments: readonly Pick<SegmentRow, 'from_ms' | 'to_ms'>[],
  from_ms: number,
  until_ms: number | null,
): Gap[] {
  const gaps: Gap[] = [];
  let at = from_ms;
  for (const segment of segments) {
    if (segment.from_ms - at > TOLERANCE_MS) gaps.push({ from_ms: at, to_ms: segment.from_ms, why: 'segment_lost' });
    at = Math.max(at, segment.to_ms);
  }
  if (until_ms !== null && until_ms - at > TOLERANCE_MS)
    gaps.push({ from_ms: at, to_ms: until_ms, why: 'worker_lost' });
  return gaps;
}

/** Gaps without the parts that these segments fill: one may be sent late. */
export function withoutSegments(gaps: readonly Gap[], segments: readonly SegmentRow[]): Gap[] {
  return gaps.flatMap((gap) => {
    const inside = segments.filter(({ from_ms, to_ms }) => from_ms < gap.to_ms && to_ms > gap.from_ms);
    if (gap.why !== 'segment_lost' || inside.length === 0) return [gap];
    return gapsIn([...inside, { from_ms: gap.to_ms, to_ms: gap.to_ms }], gap.from_ms, null);
  });
}
