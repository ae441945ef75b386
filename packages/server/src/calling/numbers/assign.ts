import type { Agent, Agents } from '../../conversations/agents/agents.ts';
import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Carrier, CarrierNumber, Routing } from '../../providers/carrier.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import {
  deleteAssignment,
  findAssignment,
  insertAssignment,
  lockNumbersOf,
  moveAssignment,
  setPreviousRouting,
} from './store.ts';
import type { Watches } from './watches.ts';

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log' | 'audit'> {
  carrier: Carrier;
  agents: Agents;
  watches: Watches;
}

/** Assigns numbers to agents. */
export function createAssign({ db, clock, log, carrier, agents, audit, watches }: Deps) {
  /**
   * Claims the number in the database, sets up the carrier, and confirms; a failure undoes the claim. Throws
   * `number_limit_reached` if the user's agents have `limit` numbers.
   */
  return async function assign(
    agent_id: string,
    phone_number: string,
    caller: string | null,
    actor: Actor,
    limit: number,
  ) {
    const agent = await agents.get(agent_id, caller);
    if (agent.phone_number !== null) throw new AppError('agent_has_number');
    const found = await carrier.findNumber(phone_number);
    if (!found) throw new AppError('number_not_owned');
    if (!found.voice) throw new AppError('number_without_voice');
    // A late request may have routed it to us: if this one fails, too, nothing else knows its routing before that.
    const number = { ...found, routing: (await watches.previousOf(phone_number)) ?? found.routing };
    await claim(agent, number, limit);
    await setUp(agent, number, actor);
    return { status: 'assigned' as const, agent_id: agent.id, phone_number, carrier_sid: number.carrier_sid };
  };

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

  async function setUp(agent: Agent, number: CarrierNumber, actor: Actor): Promise<void> {
    let { routing } = number;
    try {
      await watches.clear(number.phone_number);
      // Read again under the claim: before, the number may have been another agent's, with our own routing.
      routing = (await carrier.findNumber(number.phone_number))?.routing ?? routing;
      await setPreviousRouting(db, agent.id, JSON.stringify(routing));
      await carrier.attach(number.carrier_sid);
      await confirm(agent.id, number, actor);
    } catch (error) {
      await undo(agent.id, number, routing, isAnswered(error));
      throw error;
    }
  }

  async function confirm(agent_id: string, { phone_number, carrier_sid }: CarrierNumber, actor: Actor): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await agents.lock(trx, agent_id, null);
      const confirmed = await moveAssignment(trx, agent_id, 'assigning', 'assigned', clock.now());
      if (!confirmed) throw new AppError('number_busy');
      const { user_id } = await agents.setNumber(trx, agent_id, { phone_number, carrier_sid });
      await audit.record(trx, actor, 'number.assigned', `agent/${agent_id}`, { detail: phone_number, user_id });
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
}

/** Whether the outcome of a carrier request is known: the carrier refused it, or the failure is not the carrier's. */
function isAnswered(failure: unknown): boolean {
  return !(failure instanceof ProviderError) || failure.code === 'provider_refused';
}
