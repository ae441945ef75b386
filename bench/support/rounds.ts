import { median } from '@switchboard/testkit/median.ts';
import { type Load, load, type Requests } from './load.ts';

/** Something that answers the same requests as others do. */
export interface Contender {
  name: string;
  url: string;
}

const WARM_UP_S = 2;
// For a quick look: BENCH_ROUNDS=1 BENCH_ROUND_S=1.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ROUND_S = Number(process.env.BENCH_ROUND_S ?? 4);

/**
 * The medians of interleaved rounds of a closed loop, by the contender's name: what disturbs the machine for a while
 * disturbs all of them. `requestsOf` is asked before each round, for requests that can be sent once only.
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
