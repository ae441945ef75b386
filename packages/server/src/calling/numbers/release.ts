import type { Agents } from '../../conversations/agents/agents.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Carrier, Routing } from '../../providers/carrier.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import {
  type Assignment,
  claimUnfinished,
  deleteAssignment,
  findAssignment,
  listUnfinished,
  moveAssignment,
} from './store.ts';
import type { Watches } from './watches.ts';

/** Longer than a request to the carrier may take: older claims belong to no living request. */
const UNFINISHED_AFTER_MS = 60_000;

/** The actor of a release whose process died. */
const REPAIR: Actor = { actor: 'repair', user_id: null, ip: null };

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log' | 'audit'> {
  carrier: Carrier;
  agents: Agents;
  watches: Watches;
}

/** Releases numbers of agents, also those of assignments and releases whose process died. */
export function createReleases({ db, clock, log, carrier, agents, audit, watches }: Deps) {
  /** Restores the number's previous routing; the number stays in the account. */
  async function release(agent_id: string, caller: string | null, actor: Actor) {
    const agent = await agents.get(agent_id, caller);
    const assignment = await moveAssignment(db, agent.id, 'assigned', 'releasing', clock.now());
    if (!assignment) throw new AppError((await findAssignment(db, agent.id)) ? 'number_busy' : 'no_number_assigned');
    try {
      await carrier.detach(assignment.carrier_sid, assignment.previous_routing as Routing);
    } catch (error) {
      await revert(assignment, error);
      throw error;
    }
    await finish(assignment, actor);
    return { status: 'released' as const, agent_id: agent.id, phone_number: assignment.phone_number };
  }

  // Only after a refusal is it certain that the number still points to us; otherwise it is set up again. A request
  // that timed out may still be carried out: like a number that cannot be set up again, it is left to `repair`, which
  // releases it.
  async function revert(assignment: Assignment, failure: unknown): Promise<void> {
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

  async function finish(
    { agent_id, phone_number, state }: Assignment,
    actor: Actor,
    also?: (trx: Db) => Promise<void>,
  ): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await also?.(trx);
      const { user_id } = await agents.setNumber(trx, agent_id, null);
      await deleteAssignment(trx, agent_id);
      // A claim that is undone was never an assignment.
      if (state === 'releasing')
        await audit.record(trx, actor, 'number.released', `agent/${agent_id}`, { detail: phone_number, user_id });
    });
  }

  /** Completes an assignment or release whose process died: a claim is undone, a release carried out. */
  async function finishInterrupted(listed: Assignment): Promise<void> {
    // Another replica may have finished it, and the agent may have a number again by now.
    const assignment = await claimUnfinished(db, listed, clock.now());
    if (!assignment) return;
    await carrier.detach(assignment.carrier_sid, assignment.previous_routing as Routing);
    await finish(assignment, REPAIR, (trx) => watches.add(trx, watched(assignment)));
    log.warn({ agent_id: assignment.agent_id, state: assignment.state }, 'repaired an interrupted number change');
  }

  return {
    release,
    finishInterrupted,
    /** Assignments and releases whose process died. */
    listInterrupted: () => listUnfinished(db, new Date(clock.now().getTime() - UNFINISHED_AFTER_MS)),
  };
}

function watched({ phone_number, carrier_sid, previous_routing }: Assignment) {
  return { phone_number, carrier_sid, previous_routing: previous_routing as Routing };
}
