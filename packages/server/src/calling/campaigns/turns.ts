import { holdsAgent } from '../../db/legal-holds.ts';
import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import type { Platform } from '../../platform.ts';
import type { Serving } from '../../work/serving.ts';
import type { Limits } from '../outbound/limits.ts';
import type { Placing } from '../outbound/placing.ts';
import type { HashNumber, NumberHashes } from '../suppressions/suppressions.ts';
import { judge } from './abandonment.ts';
import { bookCosts, openAttempts } from './attempts-store.ts';
import { ended } from './events.ts';
import { BLOCKED_MS, finish } from './finishing.ts';
import { createPlaceCalls, NOBODY, type ToDial } from './placing.ts';
import { deleteSomeRecipients, endWaiting } from './recipients-store.ts';
import { settle } from './settling.ts';
import { endingOf, isDialling } from './states.ts';
import { deleteCampaigns, lockDue, type Turn, updateCampaign } from './store.ts';

/** Recipients that are deleted in one turn, and those that end without a call, each with an event. */
const [PART, LEFT_PART] = [5_000, 1_000];
/** Time for which the row of a deleted campaign stays, so that event streams tell of the deletion. */
const DELETION_VISIBLE_MS = 5_000;
/** Time between looks at a campaign that is to be deleted, and under a legal hold. */
const HELD_MS = 3_600_000;
/** Calls whose costs are read in one turn. */
const COSTS = 200;
/** Pauses after which they are read again: a minute, ten minutes, an hour and a day after the end. */
const AGAIN_S = [60, 540, 3_000, 82_800];

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  hashes: NumberHashes;
  placeWithin: Placing['placeWithin'];
  limits: Limits;
  serving: Pick<Serving, 'calls'>;
  callbacks: Callbacks;
  /** The part of their pace, from 0 to 1, that the trunks have room for. */
  paceOfTrunks: () => number;
}

/**
 * Turns of campaigns. A turn settles the calls that have ended, and places the next ones, in one transaction that locks
 * the campaign: whichever process takes it. The calls that it has placed are dialled once, afterwards.
 */
export function createCampaignTurns(deps: Deps) {
  const { db, clock, hashes, callbacks } = deps;
  const placeCalls = createPlaceCalls(deps);

  /** Has the campaign that has waited longest take its turn; null if none is due. */
  async function turn(): Promise<ToDial[] | null> {
    // Before the transaction: reading the key takes a connection of its own.
    const hash = await hashes();
    let id: string | null = null;
    try {
      return await db.transaction().execute(async (trx) => {
        const now = clock.now();
        const campaign = await lockDue(trx, now);
        id = campaign?.id ?? null;
        if (!campaign) return null;
        return campaign.deleted_at ? await remove(trx, campaign, now) : await take(trx, campaign, now, hash);
      });
    } catch (error) {
      // Others must not wait until it succeeds.
      if (id !== null) await postpone(id);
      throw error;
    }
  }

  async function postpone(id: string): Promise<void> {
    const turn_at = new Date(clock.now().getTime() + BLOCKED_MS);
    await updateCampaign(db, id, { turn_at }, false).catch(() => {});
  }

  async function remove(trx: Db, { id, user_id, agent_id, deleted_at }: Turn, now: Date): Promise<ToDial[]> {
    const again = (turn_at: Date) => updateCampaign(trx, id, { turn_at }, false);
    const visibleUntil = new Date((deleted_at ?? now).getTime() + DELETION_VISIBLE_MS);
    // A hold that came after the deletion had begun keeps the rest.
    if (await holdsAgent(trx, user_id, agent_id)) await again(new Date(now.getTime() + HELD_MS));
    else if ((await deleteSomeRecipients(trx, id, PART)) === PART) await again(now);
    else if (visibleUntil > now) await again(visibleUntil);
    else await deleteCampaigns(trx, [id]);
    return [];
  }

  async function take(trx: Db, campaign: Turn, now: Date, hash: HashNumber): Promise<ToDial[]> {
    const { id, state } = campaign;
    const ending = endingOf(campaign, now);
    const attempts = await openAttempts(trx, id);
    const over = await settle(trx, campaign, { attempts, ending, now, callbacks });
    const { open, unattended } = over;
    const rule = campaign.abandon_rule;
    const abandonment = rule && judge(rule, [...campaign.taken, ...over.taken]);
    await bookCosts(trx, id, { now, again_s: AGAIN_S, limit: COSTS });
    const left = ending === null ? 0 : await endLeft(trx, campaign, ending, now, callbacks);
    const placed = isDialling(state, ending)
      ? await placeCalls(trx, campaign, { now, open, unattended, hash, abandonment })
      : NOBODY;
    const hasChanged = over.hasChanged || left > 0 || placed.hasChanged;
    const after = {
      now,
      open: open.length + placed.calls.length,
      isMore: left === LEFT_PART,
      placed,
      abandonment,
      hasChanged,
    };
    await finish(trx, campaign, after, callbacks);
    return placed.calls;
  }

  return turn;
}

/** Ends some of those who wait; returns their number. */
async function endLeft(trx: Db, campaign: Turn, ending: 'canceled' | 'expired', now: Date, callbacks: Callbacks) {
  const left = await endWaiting(trx, campaign.id, ending, now, LEFT_PART);
  await ended(trx, callbacks, campaign, left, left);
  return left.length;
}
