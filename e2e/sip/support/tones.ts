/** Samples per second of what a handset says and hears. */
const RATE = 24_000;
const LOUDNESS = 8_000;
const WINDOW = RATE / 10;

/** A tone of this frequency. */
export function toneOf(hertz: number, seconds: number): Int16Array {
  return Int16Array.from({ length: RATE * seconds }, (_, at) => LOUDNESS * Math.sin(phaseOf(hertz, at)));
}

/** The amplitude of a tone of this frequency, in the tenth of a second in which it is loudest. */
export function volumeOf(samples: Int16Array, hertz: number): number {
  return Math.max(0, ...volumesOf(samples, hertz));
}

/** For how many milliseconds a tone of this frequency is louder than this. */
export function audibleMs(samples: Int16Array, hertz: number, volume: number): number {
  return (volumesOf(samples, hertz).filter((one) => one > volume).length * WINDOW * 1000) / RATE;
}

/** The loudest sample. */
export function peakOf(samples: Int16Array): number {
  return samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
}

/** The amplitude of a tone in each tenth of a second. */
function volumesOf(samples: Int16Array, hertz: number): number[] {
  const volumes: number[] = [];
  for (let start = 0; start + WINDOW <= samples.length; start += WINDOW) {
    let [cosines, sines] = [0, 0];
    samples.subarray(start, start + WINDOW).forEach((sample, at) => {
      cosines += sample * Math.cos(phaseOf(hertz, at));
      sines += sample * Math.sin(phaseOf(hertz, at));
    });
    volumes.push((2 * Math.hypot(cosines, sines)) / WINDOW);
  }
  return volumes;
}

const phaseOf = (hertz: number, at: number) => (2 * Math.PI * hertz * at) / RATE;
