/** Samples a second of each side. */
export const RATE = 24_000;
/** Time that a side is waited for whose frames are late, such as in a busy process, and that is kept in memory. */
export const PATIENCE_MS = 3_000;
/** A track whose earliest frames of this time were all late has paused: its next ones belong later. */
const WINDOW_MS = 2_000;
/** Difference to the clock that is jitter. */
const JITTER_MS = 100;
/** Silence for a side without a track is made this late, in case one begins. */
const DELAY_MS = 200;

/** The number of samples of one side in a time. */
export const samplesIn = (ms: number) => Math.round((ms * RATE) / 1000);
const SIZE = samplesIn(PATIENCE_MS + 2_000);

/** A part of the time line, in milliseconds after its start. */
export interface Part {
  from_ms: number;
  to_ms: number;
}

/** The agent, and everybody else. */
export type Side = 'agent' | 'others';

export type Mixer = ReturnType<typeof createMixer>;

/**
 * Puts what both sides say on one time line, which begins now. `now` is a clock in milliseconds that never goes back.
 * `take` returns what is complete, interleaved (the agent left) or together, and forgets it. While it is paused both
 * sides are silent.
 */
export function createMixer(channels: 'stereo' | 'mono', now: () => number = () => performance.now()) {
  const start = now();
  /** Rings, indexed by the sample's number. */
  const sides = { agent: new Int16Array(SIZE), others: new Int16Array(SIZE) };
  const open = new Set<ReturnType<typeof createPosition>>();
  const pauses = createPauses();
  let taken = 0;
  const clock = () => samplesIn(now() - start);

  /** A track of one side, of mono samples at `RATE`. */
  function track(side: Side) {
    const position = createPosition(clock);
    open.add(position);
    return {
      /** Returns when they end, by the clock of the mixer. */
      add(samples: Int16Array): number {
        position.add(samples, taken, (at, sample) => write(sides[side], at, sample));
        return start + (position.end() * 1000) / RATE;
      },
      close: () => void open.delete(position),
    };
  }

  /** The end of what is complete. */
  function complete(): number {
    const at = clock();
    const begun = [...open].map((one) => one.end()).filter((end) => end >= 0);
    return Math.max(Math.min(at - samplesIn(DELAY_MS), ...begun), at - samplesIn(PATIENCE_MS), taken);
  }

  /** With `isLast`, everything up to now. */
  function take(isLast = false): Int16Array {
    const end = Math.min(isLast ? Math.max(clock(), taken) : complete(), taken + SIZE);
    const count = end - taken;
    const out = new Int16Array(channels === 'stereo' ? count * 2 : count);
    for (let index = 0; index < count; index++) {
      const at = (taken + index) % SIZE;
      const [left = 0, right = 0] = [sides.agent[at], sides.others[at]];
      if (channels === 'mono') out[index] = Math.max(-32_768, Math.min(32_767, left + right));
      else {
        out[index * 2] = left;
        out[index * 2 + 1] = right;
      }
      sides.agent[at] = 0;
      sides.others[at] = 0;
    }
    pauses.silence(out, taken, end);
    taken = end;
    return out;
  }

  return {
    /** The time of the first sample, by the clock. */
    start,
    track,
    take,
    pause: () => pauses.begin(clock(), taken),
    resume: () => pauses.end(clock()),
    /** The pauses between two times. */
    pausesIn: pauses.within,
  };
}

/** Parts of a time line that are silent, by the number of the sample. */
function createPauses() {
  const all: { from: number; to: number }[] = [];
  /** Those that overlap, within these bounds. */
  const overlaps = (from: number, to: number) =>
    all
      .filter((one) => one.from < to && one.to > from)
      .map((one) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) }));
  return {
    /** One that begins before the end of the last one is taken belongs to it. */
    begin(at: number, taken: number): void {
      const last = all.at(-1);
      if (last && last.to >= taken) last.to = Number.POSITIVE_INFINITY;
      else all.push({ from: at, to: Number.POSITIVE_INFINITY });
    },
    end(at: number): void {
      const last = all.at(-1);
      if (last) last.to = Math.min(last.to, at);
    },
    /** Silences what of them is in samples from `from` to `to`, of one side or both. */
    silence(samples: Int16Array, from: number, to: number): void {
      const width = to > from ? samples.length / (to - from) : 0;
      for (const one of overlaps(from, to)) samples.fill(0, (one.from - from) * width, (one.to - from) * width);
    },
    within: (from_ms: number, to_ms: number): Part[] =>
      overlaps(samplesIn(from_ms), samplesIn(to_ms))
        .map(({ from, to }) => ({ from_ms: Math.ceil((from * 1000) / RATE), to_ms: Math.floor((to * 1000) / RATE) }))
        // Less than a millisecond of one.
        .filter((one) => one.from_ms < one.to_ms),
  };
}

/** Adds a sample to what is there already, without overflow. */
function write(ring: Int16Array, at: number, sample: number): void {
  ring[at % SIZE] = Math.max(-32_768, Math.min(32_767, (ring[at % SIZE] ?? 0) + sample));
}

/** The place of a track on the time line: `clock` counts its samples up to now. */
function createPosition(clock: () => number) {
  let position = -1;
  let earliest = Number.POSITIVE_INFINITY;
  let windowEnd = 0;

  /** Moves on if all frames of a window were late: they were not sent for a while. */
  function follow(at: number, length: number, taken: number): void {
    if (position < 0) {
      position = Math.max(at - length, taken);
      windowEnd = at + samplesIn(WINDOW_MS);
    }
    earliest = Math.min(earliest, at - length - position);
    if (at < windowEnd) return;
    if (earliest > samplesIn(JITTER_MS)) position += earliest;
    [earliest, windowEnd] = [Number.POSITIVE_INFINITY, at + samplesIn(WINDOW_MS)];
  }

  return {
    /** The end of its last frame; negative before the first one. */
    end: () => position,
    add(samples: Int16Array, taken: number, put: (at: number, sample: number) => void): void {
      const at = clock();
      follow(at, samples.length, taken);
      // Ahead of the clock: the first frame was late, so that these are older than they seem.
      if (position + samples.length > at + samplesIn(JITTER_MS)) return;
      for (const [index, sample] of samples.entries()) if (position + index >= taken) put(position + index, sample);
      position += samples.length;
    },
  };
}
