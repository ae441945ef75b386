import type { Static } from 'typebox';
import type { Agents } from '../../conversations/agents/agents.ts';
import { holdsAgent } from '../../db/legal-holds.ts';
import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import type { AuditAction } from '../../lib/audit.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type Actor, owned } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { assertNotExpired, columnsOf, problemIn } from './fields.ts';
import { AT_REST, type CampaignCreate, type CampaignFields, MAX_CAMPAIGNS } from './schema.ts';
import { recipientsIn, view, viewsOf } from './settings.ts';
import { statsOf } from './stats.ts';
import {
  type CampaignChange,
  type CampaignRow,
  type Count,
  countCampaigns,
  countsOf,
  findCampaign,
  insertCampaign,
  listCampaigns,
  lockCampaign,
  updateCampaign,
} from './store.ts';

export { recipientsIn };
export type RecipientCount = Count;
export type Campaigns = ReturnType<typeof createCampaigns>;
export type Action = 'start' | 'pause' | 'resume' | 'cancel';

/** The states that each action begins in, the one that it leads to, and what it is called afterwards. */
const ACTIONS = {
  start: { from: ['draft', 'paused'], to: 'running', name: 'campaign.started' },
  resume: { from: ['paused'], to: 'running', name: 'campaign.started' },
  pause: { from: ['running'], to: 'paused', name: 'campaign.paused' },
  cancel: { from: ['draft', 'running', 'paused'], to: 'canceled', name: 'campaign.canceled' },
} as const;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  agents: Agents;
  callbacks: Callbacks;
  /** Makes this process look for turns. */
  wake: () => void;
}

/** Campaigns of users: made, changed, started and stopped. Turns do the rest. */
export function createCampaigns({ db, clock, audit, agents, callbacks, wake }: Deps) {
  /** Throws `InvalidFields`, `not_found` for the agent, and `too_many_campaigns`. */
  async function create(user_id: string, input: Static<typeof CampaignCreate>, actor: Actor) {
    const now = clock.now();
    return db.transaction().execute(async (trx) => {
      await assertPossible(trx, user_id, input, now);
      if ((await countCampaigns(trx, user_id)) >= MAX_CAMPAIGNS) throw new AppError('too_many_campaigns');
      const { name, agent_id, agent_version = null } = input;
      const made = { id: newId(), user_id, name, agent_id, agent_version, state: 'draft' as const };
      const row = await insertCampaign(trx, { ...made, ...columnsOf(input, null), created_at: now, updated_at: now });
      await audit.record(trx, actor, 'campaign.created', `campaign/${row.id}`, { user_id, after: changed(row) });
      return view(row, []);
    });
  }

  /** The agent has the version, and the user the numbers. */
  async function assertPossible(trx: Db, user_id: string, fields: CampaignFields, now: Date): Promise<void> {
    const { agent_id: id, agent_version: version, from_numbers = [] } = fields;
    if (id !== undefined) {
      const [agent] = await agents.share(trx, [{ id, user_id, version }], true);
      if (agent instanceof Error) throw agent;
    }
    const problem = problemIn(fields, await agents.numberHolders(trx, from_numbers), user_id, now);
    if (problem) throw problem;
  }

  /** Changes the fields that are given. Throws `InvalidFields`, `not_found`, `campaign_state` and `legal_hold`. */
  async function update(user_id: string, id: string, fields: CampaignFields, actor: Actor) {
    const now = clock.now();
    const shown = await db.transaction().execute(async (trx) => {
      const before = await lockOwn(trx, user_id, id);
      const hasEnded = before.state === 'completed' || before.state === 'canceled';
      const isAtRest = before.state === 'draft' || before.state === 'paused';
      if (hasEnded || (!isAtRest && AT_REST.some((field) => fields[field] !== undefined)))
        throw new AppError('campaign_state');
      const { name = before.name, agent_id = before.agent_id } = fields;
      // Held data of a campaign belongs to its agent: another one would let it be deleted.
      if (agent_id !== before.agent_id && (await holdsAgent(trx, user_id, before.agent_id)))
        throw new AppError('legal_hold');
      // Another agent has other versions.
      const { agent_version = agent_id === before.agent_id ? before.agent_version : null } = fields;
      await assertPossible(trx, user_id, { ...fields, ...(fields.agent_version !== undefined && { agent_id }) }, now);
      const change = { name, agent_id, agent_version, ...columnsOf(fields, before), updated_at: now };
      const after = await updateCampaign(trx, id, { ...change, ...(before.state !== 'draft' && { turn_at: now }) });
      const what = { user_id, before: changed(before), after: changed(after) };
      await audit.record(trx, actor, 'campaign.changed', `campaign/${id}`, what);
      return (await viewsOf(trx, [after]))[0];
    });
    wake();
    return shown as ReturnType<typeof view>;
  }

  /**
   * Changes the state. From the answer to `pause` and `cancel` on nobody is dialled by any process: it has waited for
   * the turn of the campaign. Doing it again changes nothing. Throws `not_found`, `campaign_state`, and `InvalidFields`
   * for one that has expired and would begin.
   */
  async function act(user_id: string, id: string, action: Action, actor: Actor) {
    const { from, to, name } = ACTIONS[action];
    const now = clock.now();
    const shown = await db.transaction().execute(async (trx) => {
      const before = await lockOwn(trx, user_id, id);
      const isRepeated = before.state === to;
      if (!isRepeated && !from.some((state) => state === before.state)) throw new AppError('campaign_state');
      if (isRepeated) return (await viewsOf(trx, [before]))[0];
      if (to === 'running') assertNotExpired(before, now);
      const after = await updateCampaign(trx, id, stateChange(before, to, now));
      await audit.record(trx, actor, name satisfies AuditAction, `campaign/${id}`, { user_id });
      const [one] = await viewsOf(trx, [after]);
      await callbacks.enqueueForUser(trx, name, { user_id }, one as object);
      return one;
    });
    wake();
    return shown as ReturnType<typeof view>;
  }

  /** Deletes one that does not run, in the background: it is gone at once for everybody. */
  async function remove(user_id: string, id: string, actor: Actor): Promise<void> {
    const now = clock.now();
    await db.transaction().execute(async (trx) => {
      const before = await lockOwn(trx, user_id, id);
      if (before.state === 'running' || before.state === 'paused') throw new AppError('campaign_state');
      if (await holdsAgent(trx, user_id, before.agent_id)) throw new AppError('legal_hold');
      await updateCampaign(trx, id, { deleted_at: now, turn_at: now });
      await audit.record(trx, actor, 'campaign.deleted', `campaign/${id}`, { user_id, before: changed(before) });
    });
    wake();
  }

  async function lockOwn(trx: Db, user_id: string, id: string): Promise<CampaignRow> {
    const found = isId(id) ? await lockCampaign(trx, id) : undefined;
    if (found?.user_id !== user_id) throw new AppError('not_found');
    return found;
  }

  async function findOwn(caller: string | null, id: string): Promise<CampaignRow> {
    return owned(isId(id) ? await findCampaign(db, id) : undefined, caller);
  }

  return {
    create,
    update,
    act,
    remove,
    /** Counts, in constant time. */
    stats: async (caller: string | null, id: string) =>
      statsOf(await findOwn(caller, id), await countsOf(db, [id]), clock.now()),
    findOwn,
    lockOwn,
    get: async (caller: string | null, id: string) =>
      (await viewsOf(db, [await findOwn(caller, id)]))[0] as ReturnType<typeof view>,
    list: async (user_id: string, page: PageRequest) => {
      const { items, next_cursor } = toPage(await listCampaigns(db, user_id, page), page.limit, ({ id }) => id);
      return { items: await viewsOf(db, items), next_cursor };
    },
  };
}

function stateChange(before: CampaignRow, state: 'running' | 'paused' | 'canceled', now: Date): CampaignChange {
  return {
    state,
    updated_at: now,
    // Settles what is open, or ends those who wait.
    turn_at: now,
    blocked: null,
    blocked_until: null,
    ...(state === 'running' && { started_at: before.started_at ?? now, next_slot_at: null }),
    ...(state === 'canceled' && { ended_at: now }),
  };
}

function changed({ name, agent_id, agent_version, settings, budget, expires_at }: CampaignRow) {
  return { name, agent_id, agent_version, ...(JSON.parse(settings) as object), budget, expires_at };
}
