/** Runs the work `times` times, numbered from 0, with limited concurrency. Returns results in order of completion. */
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
  await Promise.all(Array.from({ length: concurrency }, goOn));
  return results;
}
