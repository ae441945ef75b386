import type { Clearance } from './clearance.ts';
import { type Part, samplesIn } from './mixer.ts';

/** Time for which it is known what was silenced: longer than a disk is waited for. */
const REMEMBERED_MS = 600_000;

/**
 * Keeps the samples of a recording in memory until they are cleared. `start` is the time of the first one, by the clock
 * of `clearance`; `heardUntil` tells up to which time the detectors of speech have heard all tracks.
 */
export function createDelay(
  channels: 'stereo' | 'mono',
  clearance: Clearance,
  start: number,
  heardUntil: (now: number) => number,
) {
  const width = channels === 'stereo' ? 2 : 1;
  let kept: Int16Array[] = [];
  /** The number of the first sample that is kept, of one side. */
  let first = 0;
  let known = start;

  /** Takes samples out, silent where they have to be. */
  function release(until: number): Int16Array {
    const length = kept.reduce((sum, one) => sum + one.length, 0) / width;
    const count = Math.min(samplesIn(until - start) - first, length);
    if (count <= 0) return new Int16Array(0);
    const out = new Int16Array(count * width);
    for (let at = 0; at < out.length; ) {
      const [next = out, ...others] = kept;
      const part = next.subarray(0, out.length - at);
      out.set(part, at);
      at += part.length;
      kept = part.length < next.length ? [next.subarray(part.length), ...others] : others;
    }
    for (const { side, from_ms, to_ms } of clearance.silenced()) {
      const from = Math.max(0, samplesIn(from_ms - start) - first);
      const to = Math.min(count, samplesIn(to_ms - start) - first);
      if (width === 1) out.fill(0, from, Math.max(from, to));
      else for (let at = from; at < to; at++) out[at * 2 + (side === 'agent' ? 0 : 1)] = 0;
    }
    first += count;
    return out;
  }

  return {
    /** Keeps samples, and returns those that are cleared. */
    pass(samples: Int16Array, now: number): Int16Array {
      if (samples.length > 0) kept.push(samples);
      // A process that was busy may not have seen the events since the last samples.
      const out = release(clearance.limit(known, heardUntil(now)));
      known = now;
      clearance.forgetSilenced(now - REMEMBERED_MS);
      return out;
    },
    /** The rest, of which everything without a line is silent. */
    end(now: number): Int16Array {
      clearance.limitAtEnd(heardUntil(now));
      return release(Number.POSITIVE_INFINITY);
    },
    /** Silenced parts between two times after the start, in order and without overlaps. */
    redactedIn(from_ms: number, to_ms: number): Part[] {
      const parts = clearance
        .silenced()
        .map((one) => ({
          from_ms: Math.max(from_ms, Math.ceil(one.from_ms - start)),
          to_ms: Math.min(to_ms, Math.floor(one.to_ms - start)),
        }))
        .filter((one) => one.from_ms < one.to_ms);
      return joined(parts);
    },
  };
}

function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts.toSorted((one, other) => one.from_ms - other.from_ms)) {
    const last = all.at(-1);
    if (last && part.from_ms <= last.to_ms) last.to_ms = Math.max(last.to_ms, part.to_ms);
    else all.push({ ...part });
  }
  return all;
}
