/** Runs the work `times` times, numbered from 0, `atOnce` at a time. Returns the results in order of completion. */
export async function someAtATime<T>(times: number, atOnce: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  async function goOn(): Promise<void> {
    for (let index = next++; index < times; index = next++) results.push(await work(index));
  }
  await Promise.all(Array.from({ length: atOnce }, goOn));
  return results;
}
