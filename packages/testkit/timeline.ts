/** A pause of the source, not of the event loop that reads it. */
const GAP_MS = 200;

/** One side of a conversation, with every sample at its time. */
export interface Timeline {
  /** Adds samples that begin at this time, in milliseconds. */
  add(samples: Int16Array, at: number): void;
  /** All samples from this time on, with silence where there were none. */
  from(start: number): Int16Array;
}

/** A shorter gap than `gapMs` is lateness of those who read the source. */
export function createTimeline(rate: number, gapMs = GAP_MS): Timeline {
  /** Uninterrupted sound. It began when its earliest part says: the others were only read late. */
  const runs: { start: number; ms: number; parts: Int16Array[] }[] = [];
  return {
    add: (samples, at) => {
      let run = runs.at(-1);
      if (!run || at - (run.start + run.ms) > gapMs) {
        run = { start: at, ms: 0, parts: [] };
        runs.push(run);
      }
      run.start = Math.min(run.start, at - run.ms);
      run.ms += (samples.length / rate) * 1000;
      run.parts.push(samples);
    },
    from: (start) => {
      const end = Math.max(start, ...runs.map((run) => run.start + run.ms));
      const all = new Int16Array(Math.ceil(((end - start) / 1000) * rate) + 1);
      for (const run of runs) {
        let place = Math.round(((run.start - start) / 1000) * rate);
        for (const part of run.parts) {
          if (place >= 0) all.set(part.subarray(0, Math.max(0, all.length - place)), place);
          place += part.length;
        }
      }
      return all;
    },
  };
}
