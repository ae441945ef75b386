/** The ratio of the upper bounds of adjacent buckets. */
const GROWTH = 1.05;

/** The maximum relative error of a bucket's representative value. */
export const ACCURACY = (GROWTH - 1) / (GROWTH + 1);

/**
 * The bucket of a value; bucket 0 holds values below 1. All histograms share the buckets, so that they are merged by
 * adding counts (DDSketch, https://arxiv.org/abs/1908.10693).
 */
export function bucketOf(value: number): number {
  return value < 1 ? 0 : 1 + Math.ceil(Math.log(value) / Math.log(GROWTH) - 1e-9);
}

/** The representative value of a bucket. */
export function middleOf(bucket: number): number {
  return bucket === 0 ? 0 : (2 * GROWTH ** (bucket - 1)) / (GROWTH + 1);
}
