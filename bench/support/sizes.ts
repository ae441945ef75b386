/** One percent, ten percent, and all of it; `BENCH_LARGEST` lowers it for a quick result. */
export function growing(largest: number): [number, number, number] {
  const most = Number(process.env.BENCH_LARGEST ?? largest);
  return [most / 100, most / 10, most];
}

export function nameOf(size: number, what: string): string {
  return `${size.toLocaleString('en-US')} ${what}`;
}
