/** Each bucket ends this many times as high as the one before. */
const GROWTH = 1.05;

/** How far a value of a bucket is from the value that stands for it, at most, as a part of it. */
export const ACCURACY = (GROWTH - 1) / (GROWTH + 1);

/**
 * The bucket of a value; bucket 0 is for values below 1. Buckets are the same everywhere, so that histograms are merged
 * by adding their counts (https://arxiv.org/abs/1908.10693, DDSketch).
 */
export function bucketOf(value: number): number {
  return value < 1 ? 0 : 1 + Math.ceil(Math.log(value) / Math.log(GROWTH) - 1e-9);
}

/** The value that stands for those of a bucket. */
export function middleOf(bucket: number): number {
  return bucket === 0 ? 0 : (2 * GROWTH ** (bucket - 1)) / (GROWTH + 1);
}
