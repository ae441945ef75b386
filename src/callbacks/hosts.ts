import type { Room } from './store.ts';

/** Attempts under way, over all hosts. */
const TOTAL = 640;
/** Of one host: at first, and once it answers. */
const FIRST = 4;
const MOST = 16;
/** Taken at a time, so that each is sent at once. */
const AT_ONCE = 100;
/** Hosts of which it is kept how they answer. */
const REMEMBERED = 1_000;

/** How many callbacks may be under way to each host: more while it answers, one while it does not. */
export function createHosts() {
  const hosts = new Map<string, { underWay: number; most: number }>();
  let total = 0;

  function begin(host: string): void {
    const { underWay, most } = hosts.get(host) ?? { underWay: 0, most: FIRST };
    hosts.set(host, { underWay: underWay + 1, most });
    total++;
  }

  function end(host: string, hasAnswered: boolean): void {
    const { underWay, most } = hosts.get(host) ?? { underWay: 1, most: FIRST };
    // Last in the order of what is forgotten first.
    hosts.delete(host);
    hosts.set(host, { underWay: underWay - 1, most: hasAnswered ? Math.min(MOST, most * 2) : 1 });
    total--;
    if (hosts.size > REMEMBERED) forgetOne();
  }

  function forgetOne(): void {
    for (const [host, { underWay }] of hosts) if (underWay === 0) return void hosts.delete(host);
  }

  /** What may be begun now. */
  function room(): Room {
    const known = [...hosts].map(([host, { underWay, most }]) => ({ host, free: Math.max(0, most - underWay) }));
    return { limit: Math.min(AT_ONCE, TOTAL - total), first: FIRST, hosts: known };
  }

  return { begin, end, room };
}
