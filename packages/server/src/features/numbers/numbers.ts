import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/log.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Carrier, CarrierNumber, Routing } from '../../providers/carrier/carrier.ts';
import type { Media } from '../../providers/media/media.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Agent, Agents } from '../agents/agents.ts';
import type { Audit } from '../audit/audit.ts';
import {
  type Assignment,
  deleteAssignment,
  findAssignment,
  hasAssignment,
  insertAssignment,
  listAssigned,
  listUnfinished,
  lockNumbersOf,
  moveAssignment,
  setPreviousRouting,
} from './store.ts';
import { createWatches } from './watches.ts';

export type Numbers = ReturnType<typeof createNumbers>;

/** Longer than a request to the carrier may take: older claims belong to no living request. */
const UNFINISHED_AFTER_MS = 60_000;

/** The actor of a release whose process died. */
const REPAIR: Actor = { actor: 'repair', user_id: null, ip: null };

interface Deps {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  carrier: Carrier;
  media: Media;
  agents: Agents;
  audit: Audit;
  /** Maximum numbers of one user's agents. */
  perUser: number;
}

/** Assigns numbers of the carrier account to agents. Numbers are never bought or given up. */
export function createNumbers({ db, clock, log, carrier, media, agents, audit, perUser }: Deps) {
  const watches = createWatches({ db, clock, log, carrier });
  /** The numbers last sent to the media provider; unknown at first. */
  let syncedNumbers: string | null = null;

  /**
   * Claims the number in the database, sets up the carrier, and confirms; a failure undoes the claim. Throws
   * `number_limit_reached` if `isLimited`.
   */
  async function assign(
    agent_id: string,
    phone_number: string,
    caller: string | null,
    actor: Actor,
    isLimited: boolean,
  ) {
    const agent = await agents.get(agent_id, caller);
    if (agent.phone_number !== null) throw new AppError('agent_has_number');
    const number = await carrier.findNumber(phone_number);
    if (!number) throw new AppError('number_not_owned');
    if (!number.voice) throw new AppError('number_without_voice');
    await claim(agent, number, isLimited ? perUser : Number.POSITIVE_INFINITY);
    let routing = number.routing;
    try {
      await watches.clear(phone_number);
      // Read again under the claim: before, the number may have been another agent's, with our own routing.
      routing = (await carrier.findNumber(phone_number))?.routing ?? routing;
      await setPreviousRouting(db, agent.id, JSON.stringify(routing));
      await carrier.attach(number.carrier_sid);
      await confirm(agent.id, number, actor);
    } catch (error) {
      await undo(agent.id, number, routing, isAnswered(error));
      throw error;
    }
    await announceNumbers();
    return { status: 'assigned' as const, agent_id: agent.id, phone_number, carrier_sid: number.carrier_sid };
  }

  async function claim(agent: Agent, number: CarrierNumber, limit: number): Promise<void> {
    const now = clock.now();
    const claimed = await db.transaction().execute(async (trx) => {
      if ((await lockNumbersOf(trx, agent.user_id)) >= limit) {
        const detail = `The agents of a user may have at most ${limit} numbers. Release one first, or raise NUMBERS_PER_USER.`;
        throw new AppError('number_limit_reached', { detail });
      }
      return insertAssignment(trx, {
        phone_number: number.phone_number,
        agent_id: agent.id,
        carrier_sid: number.carrier_sid,
        state: 'assigning',
        previous_routing: JSON.stringify(number.routing),
        created_at: now,
        updated_at: now,
      });
    });
    if (claimed) return;
    throw new AppError((await findAssignment(db, agent.id)) ? 'agent_has_number' : 'number_taken');
  }

  async function confirm(agent_id: string, { phone_number, carrier_sid }: CarrierNumber, actor: Actor): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await agents.lock(trx, agent_id, null);
      const confirmed = await moveAssignment(trx, agent_id, 'assigning', 'assigned', clock.now());
      if (!confirmed) throw new AppError('number_busy');
      await agents.setNumber(trx, agent_id, { phone_number, carrier_sid });
      await audit.record(trx, actor, 'number.assigned', `agent/${agent_id}`, phone_number);
    });
  }

  // The claim is deleted last: until then nobody else can use the number, and `repair` finds it if the carrier fails
  // here.
  async function undo(agent_id: string, number: CarrierNumber, routing: Routing, answered: boolean): Promise<void> {
    try {
      // The confirmation may have been committed although its response was lost: then the number is assigned.
      if (!(await moveAssignment(db, agent_id, 'assigning', 'releasing', clock.now()))) return;
      await carrier.detach(number.carrier_sid, routing);
      await db.transaction().execute(async (trx) => {
        if (!answered) await watches.add(trx, { ...number, previous_routing: routing });
        await deleteAssignment(trx, agent_id);
      });
    } catch (err) {
      log.error({ err, agent_id }, 'rolling back a number assignment failed; it will be repaired');
    }
  }

  /** Restores the number's previous routing; the number stays in the account. */
  async function release(agent_id: string, caller: string | null, actor: Actor) {
    const agent = await agents.get(agent_id, caller);
    const assignment = await moveAssignment(db, agent.id, 'assigned', 'releasing', clock.now());
    if (!assignment) throw new AppError((await findAssignment(db, agent.id)) ? 'number_busy' : 'no_number_assigned');
    try {
      await carrier.detach(assignment.carrier_sid, assignment.previous_routing as Routing);
    } catch (error) {
      await revertRelease(assignment, error);
      throw error;
    }
    await finishRelease(assignment, actor);
    await announceNumbers();
    return { status: 'released' as const, agent_id: agent.id, phone_number: assignment.phone_number };
  }

  // Only after a refusal is it certain that the number still points to us; otherwise it is set up again. A request
  // that timed out may still be carried out: like a number that cannot be set up again, it is left to `repair`, which
  // releases it.
  async function revertRelease(assignment: Assignment, failure: unknown): Promise<void> {
    const { agent_id, carrier_sid } = assignment;
    if (failure instanceof ProviderError && failure.code === 'provider_timeout') return;
    const isRefused = failure instanceof ProviderError && failure.code === 'provider_refused';
    try {
      if (!isRefused) await carrier.attach(carrier_sid);
      await db.transaction().execute(async (trx) => {
        if (!isRefused) await watches.add(trx, watched(assignment));
        await moveAssignment(trx, agent_id, 'releasing', 'assigned', clock.now());
      });
    } catch (err) {
      log.error({ err, agent_id }, 'rolling back a failed release did not succeed; the release will be completed');
    }
  }

  /** Sends the assigned numbers to the media provider if they have changed. */
  async function syncInboundNumbers(): Promise<void> {
    const assigned = [...(await listAssigned(db)).keys()].sort();
    if (assigned.join() === syncedNumbers) return;
    await media.setInboundNumbers(assigned);
    syncedNumbers = assigned.join();
  }

  /** The same after a change, which a failure does not undo: the next `repair` tries again. */
  async function announceNumbers(): Promise<void> {
    await syncInboundNumbers().catch((err: unknown) =>
      log.error({ err }, 'updating the inbound numbers at the media provider failed; it will be retried'),
    );
  }

  async function finishRelease(
    { agent_id, phone_number, state }: Assignment,
    actor: Actor,
    also?: (trx: Db) => Promise<void>,
  ): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await also?.(trx);
      await agents.setNumber(trx, agent_id, null);
      await deleteAssignment(trx, agent_id);
      // A claim that is undone was never an assignment.
      if (state === 'releasing') await audit.record(trx, actor, 'number.released', `agent/${agent_id}`, phone_number);
    });
  }

  /**
   * Completes assignments and releases whose process died: claims are undone, releases carried out. Throws the first
   * failure after everything was tried; each may repeat with every round.
   */
  async function repair(): Promise<void> {
    const unfinished = await listUnfinished(db, new Date(clock.now().getTime() - UNFINISHED_AFTER_MS));
    const failures: unknown[] = [];
    const tried = (work: Promise<void>) => work.catch((err: unknown) => failures.push(err));
    for (const assignment of unfinished) await tried(repairOne(assignment));
    await tried(watches.look());
    await tried(syncInboundNumbers());
    if (failures.length > 0) throw failures[0];
  }

  async function repairOne(assignment: Assignment): Promise<void> {
    await carrier.detach(assignment.carrier_sid, assignment.previous_routing as Routing);
    await finishRelease(assignment, REPAIR, (trx) => watches.add(trx, watched(assignment)));
    log.warn({ agent_id: assignment.agent_id, state: assignment.state }, 'repaired an interrupted number change');
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
    const agent = await agents.findByNumber(phone_number);
    if (!agent || (caller !== null && agent.user_id !== caller)) throw new AppError('not_found');
    return agent;
  }

  return {
    assign,
    release,
    repair,
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

/** Whether the outcome of a carrier request is known: the carrier refused it, or the failure is not the carrier's. */
function isAnswered(failure: unknown): boolean {
  return !(failure instanceof ProviderError) || failure.code === 'provider_refused';
}

function watched({ phone_number, carrier_sid, previous_routing }: Assignment) {
  return { phone_number, carrier_sid, previous_routing: previous_routing as Routing };
}
