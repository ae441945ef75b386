import type { Agent, Agents } from '../../conversations/agents/agents.ts';
import type { Db } from '../../db/tables.ts';
import { throwAll } from '../../lib/failure-log.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { owned } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Carrier } from '../../providers/carrier.ts';
import type { Phones } from '../../providers/phones.ts';
import { createAssign } from './assign.ts';
import { createReleases } from './release.ts';
import { hasAssignment, listAssigned } from './store.ts';
import { createWatches } from './watches.ts';

export type Numbers = ReturnType<typeof createNumbers>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log' | 'audit' | 'work'> {
  carrier: Carrier;
  phones: Phones;
  agents: Agents;
}

/** How long another process is trusted to have told the media provider nothing else. */
const SYNCED_MS = 60_000;

/** Assigns numbers of the carrier account to agents. Numbers are never bought or given up. */
export function createNumbers(deps: Deps) {
  const { db, log, carrier, phones, agents } = deps;
  const watches = createWatches(deps);
  const assign = createAssign({ ...deps, watches });
  const releases = createReleases({ ...deps, watches });

  /** The numbers last sent to the media provider, and when; unknown at first. */
  let synced = { numbers: '', at: Number.NEGATIVE_INFINITY };

  /**
   * Tells the media provider to which numbers it accepts calls, if they have changed: also meanwhile, as another
   * process may have told it the newer ones first. What a process that died has told it last is corrected within a
   * minute.
   */
  async function sync(): Promise<void> {
    for (;;) {
      const assigned = [...(await listAssigned(db)).keys()].sort();
      if (assigned.join() === synced.numbers && performance.now() - synced.at < SYNCED_MS) return;
      await phones.setInboundNumbers(assigned);
      synced = { numbers: assigned.join(), at: performance.now() };
    }
  }

  /** The same after a change, which a failure does not undo: the next `repair` tries again. */
  async function announce(): Promise<void> {
    await sync().catch((err: unknown) =>
      log.error({ err }, 'updating the inbound numbers at the media provider failed; it will be retried'),
    );
  }

  /**
   * Completes what interrupted or late requests have left behind, at the carrier and at the media provider. Throws the
   * failures after everything was tried; each may repeat with every round.
   */
  async function repair(): Promise<void> {
    const failures: unknown[] = [];
    const tried = (work: Promise<void>) => work.catch((err: unknown) => failures.push(err));
    for (const assignment of await releases.listInterrupted()) {
      const about = `the number of agent ${assignment.agent_id}`;
      const failed = (cause: unknown) => Promise.reject(new Error(about, { cause }));
      await tried(releases.finishInterrupted(assignment).catch(failed));
    }
    await tried(sync());
    throwAll(failures);
  }

  /** The account's numbers with their owners. A named caller sees unassigned ones and its own. */
  async function list(page: PageRequest, caller: string | null) {
    const [owned, assigned] = [await carrier.listNumbers(), await listAssigned(db)];
    const owners = await agents.owners([...assigned.values()]);
    const items = owned
      .map(({ phone_number, carrier_sid, voice }) => {
        const agent_id = assigned.get(phone_number) ?? null;
        return { phone_number, carrier_sid, voice, agent_id, user_id: owners.get(agent_id ?? '') ?? null };
      })
      .filter((number) => caller === null || number.user_id === null || number.user_id === caller)
      .filter((number) => page.after === null || number.phone_number > page.after)
      .sort((a, b) => (a.phone_number < b.phone_number ? -1 : 1));
    return toPage(items.slice(0, page.limit + 1), page.limit, (number) => number.phone_number);
  }

  /** The agent that answers a number. Throws `not_found` if there is none. */
  async function lookup(phone_number: string, caller: string | null): Promise<Agent> {
    return owned(await agents.holderOf(phone_number), caller);
  }

  return {
    assign: async (...args: Parameters<typeof assign>) => {
      const assigned = await assign(...args);
      await announce();
      return assigned;
    },
    release: async (...args: Parameters<typeof releases.release>) => {
      const released = await releases.release(...args);
      await announce();
      return released;
    },
    repair,
    kinds: watches.kinds,
    list,
    lookup,
    /** Whether any of these agents has a number, or is being assigned or losing one. */
    isAnyAssigned: (trx: Db, holders: { id: string }[]) =>
      hasAssignment(
        trx,
        holders.map(({ id }) => id),
      ),
  };
}
