/** A short time, given in milliseconds: `350 ms`, `1.5 s`. */
export const durationOf = (ms: number) => (ms < 1000 ? `${ms} ms` : `${secondsOf(ms / 1000)}`);

/** A time in seconds: `1.5 s`. */
export const secondsOf = (seconds: number) => `${Number(seconds.toFixed(2))} s`;
