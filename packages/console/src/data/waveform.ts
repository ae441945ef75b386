import type { RecordingLevels } from '@switchboard/client';

/** The loudness from which a side is speaking: -40 dBFS, above the noise of a line. */
const SPEAKING = 85;
/** The shortest silence that is shown. */
const SILENCE_MS = 3000;
/** The shortest time in which both speak that is shown: shorter ones are a yes, or an echo. */
const OVERLAP_MS = 300;
const FULL = 255;

/** A part of a recording, in milliseconds after its start. */
export interface Part {
  from_ms: number;
  to_ms: number;
}

/** The parts in which both sides speak, and those in which nobody does. */
export function momentsOf({ interval_ms, sides }: Pick<RecordingLevels, 'interval_ms' | 'sides'>): {
  overlaps: Part[];
  silences: Part[];
} {
  const count = Math.max(0, ...sides.map(({ levels }) => levels.length));
  const speaking = (point: number) => sides.filter(({ levels }) => (levels[point] ?? 0) >= SPEAKING).length;
  const partsOf = (is: (speakers: number) => boolean, least_ms: number) => {
    const parts: Part[] = [];
    for (let from = 0; from < count; from++) {
      if (!is(speaking(from))) continue;
      let to = from;
      while (to < count && is(speaking(to))) to++;
      const part = { from_ms: from * interval_ms, to_ms: to * interval_ms };
      if (part.to_ms - part.from_ms >= least_ms) parts.push(part);
      from = to;
    }
    return parts;
  };
  const silences = partsOf((speakers) => speakers === 0, SILENCE_MS);
  return { silences, overlaps: sides.length > 1 ? partsOf((speakers) => speakers > 1, OVERLAP_MS) : [] };
}

/**
 * The outline of one side as the path of an SVG, in units of its levels: from the line at `middle` by up to `height`,
 * which is negative for a side that is drawn upwards.
 */
export function outlineOf(levels: readonly number[], middle: number, height: number): string {
  if (levels.length === 0) return '';
  const steps = levels.map((level, point) => `V${round(middle + (height * level) / FULL)}H${point + 1}`);
  return `M0 ${middle}${steps.join('')}V${middle}Z`;
}

const round = (value: number) => Math.round(value * 100) / 100;
