import type { Static } from 'typebox';
import { InvalidFields } from '../../lib/invalid.ts';
import { LEVEL_MS, type RecordingLevels, type SegmentCreate } from './schema.ts';
import type { LevelsRow, RecordingRow } from './store.ts';

type Channels = RecordingRow['channels'];

const SIDES = { stereo: ['agent', 'others'], mono: ['both'] } as const;

/** The levels of a segment; null if it has none. Throws `InvalidFields` for more than its time has. */
export function levelsOf({ levels, from_ms, to_ms }: Static<typeof SegmentCreate>, channels: Channels): Buffer | null {
  if (!levels) return null;
  const bytes = Buffer.from(levels, 'base64');
  const width = SIDES[channels].length;
  const max = (Math.ceil(to_ms / LEVEL_MS) - Math.floor(from_ms / LEVEL_MS)) * width;
  if (bytes.length <= max && bytes.length % width === 0) return bytes;
  const msg = `Input should have a byte for each of ${width} channels and each ${LEVEL_MS} ms of the segment`;
  throw new InvalidFields({ field: 'levels', msg, type: 'value_error' });
}

/** The levels of a recording in at most `points` intervals, each with the greatest of its time. */
export function pictureOf(
  { channels, duration_ms }: Pick<RecordingRow, 'channels' | 'duration_ms'>,
  rows: LevelsRow[],
  points: number,
): Omit<Static<typeof RecordingLevels>, 'lines'> {
  const total = Math.ceil(duration_ms / LEVEL_MS);
  const each = Math.max(1, Math.ceil(total / points));
  const interval_ms = each * LEVEL_MS;
  if (rows.length === 0) return { interval_ms, sides: [] };
  const names = SIDES[channels];
  const sides = names.map((side) => ({ side, levels: new Array<number>(Math.ceil(total / each)).fill(0) }));
  for (const { from_ms, levels } of rows) {
    const first = Math.floor(from_ms / LEVEL_MS);
    for (const [index, level] of levels.entries()) {
      const point = Math.floor((first + Math.floor(index / names.length)) / each);
      const side = sides[index % names.length]?.levels;
      if (side && point < side.length) side[point] = Math.max(side[point] ?? 0, level);
    }
  }
  return { interval_ms, sides };
}

/** Where lines begin in a recording; those from before it and after it are not in it. */
export function linesIn(
  { started_at, duration_ms }: Pick<RecordingRow, 'started_at' | 'duration_ms'>,
  starts: readonly { id: string; started_at: Date | null }[],
): Static<typeof RecordingLevels>['lines'] {
  if (started_at === null) return [];
  return starts.flatMap((one) => {
    const from_ms = one.started_at === null ? -1 : one.started_at.getTime() - started_at.getTime();
    return from_ms >= 0 && from_ms < duration_ms ? [{ transcript_id: one.id, from_ms }] : [];
  });
}
