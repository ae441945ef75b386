/**
 * Runs the work `times` times, numbered from 0, with limited concurrency. Returns results in order of completion. After
 * a failure it begins no more, and throws once what has begun is over: it must not reach into the next test.
 */
export async function repeatConcurrently<T>(
  times: number,
  concurrency: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  async function goOn(): Promise<void> {
    for (let index = next++; index < times; index = next++) results.push(await work(index));
  }
  const works = Array.from({ length: concurrency }, () =>
    goOn().catch((error: unknown) => {
      next = times;
      throw error;
    }),
  );
  for (const one of await Promise.allSettled(works)) if (one.status === 'rejected') throw one.reason;
  return results;
}
