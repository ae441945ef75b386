/** A tenth of a tenth, a tenth, and all of it; `BENCH_LARGEST` takes its place for a quick look. */
export function growing(largest: number): [number, number, number] {
  const most = Number(process.env.BENCH_LARGEST ?? largest);
  return [most / 100, most / 10, most];
}

export function nameOf(size: number, what: string): string {
  return `${size.toLocaleString('en-US')} ${what}`;
}
