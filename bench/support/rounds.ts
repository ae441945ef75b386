import { median } from '@switchboard/testkit/median.ts';
import { type Load, load, type Requests } from './load.ts';

/** A server that responds to the same requests as others. */
export interface Contender {
  name: string;
  url: string;
}

const WARM_UP_S = 2;
// For a quick look: BENCH_ROUNDS=1 BENCH_ROUND_S=1.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ROUND_S = Number(process.env.BENCH_ROUND_S ?? 4);

/**
 * Medians of interleaved closed-loop rounds, by contender: interleaving spreads disturbances of the machine over all
 * of them. `requestsOf` is called before each round, for requests that can only be sent once.
 */
export async function interleave(
  contenders: Contender[],
  connections: number,
  requestsOf: (contender: Contender) => Requests,
): Promise<Record<string, Load>> {
  const loads = new Map<string, Load[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await load(contender.url, requestsOf(contender), connections, WARM_UP_S);
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of contenders)
      loads.get(contender.name)?.push(await load(contender.url, requestsOf(contender), connections, ROUND_S));
  }
  return Object.fromEntries(
    Array.from(loads, ([name, all]) => [
      name,
      {
        per_second: median(all.map((one) => one.per_second)),
        p50_ms: median(all.map((one) => one.p50_ms)),
        p99_ms: median(all.map((one) => one.p99_ms)),
      },
    ]),
  );
}
