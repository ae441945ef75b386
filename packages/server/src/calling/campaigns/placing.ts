import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import type { Serving } from '../../work/serving.ts';
import type { Limits } from '../outbound/limits.ts';
import type { OutboundCall, Placing, Started } from '../outbound/placing.ts';
import type { HashNumber } from '../suppressions/suppressions.ts';
import type { judge } from './abandonment.ts';
import { addAttempts, type OpenAttempt, recentOutcomes } from './attempts-store.ts';
import { type Block, callTo, resultOf } from './calling.ts';
import { ended } from './events.ts';
import { type Capacity, type Pacing, roomFor, slotAfter, slowed, TURN } from './pacing.ts';
import { type Change, changeRecipients, claimRecipients, type RecipientRow } from './recipients-store.ts';
import { settingsOf } from './settings.ts';
import { FAILURES, type RecipientState } from './state-schema.ts';
import { isOpen } from './states.ts';
import { affordableBy, type Turn } from './store.ts';

/** Ended calls that the circuit looks at. */
const RECENT = 1_000;
/** How long somebody waits while the campaign has a call to the same number. */
const SAME_NUMBER_MS = 30_000;

/** A call to be dialled once its transaction has committed. */
export interface ToDial extends Started {
  input: OutboundCall;
}

/** The calls of a turn, and why there are not more. */
export interface Placed {
  calls: ToDial[];
  room: Capacity;
  block: Block | null;
  next_slot_at: Date | null;
  /** Whether any recipient is in another state. */
  hasChanged: boolean;
  /** Whether its next turn is due at once: nobody of those decided about is called, or as many as a turn may have. */
  isNextAtOnce: boolean;
}

export const NOBODY: Placed = {
  calls: [],
  room: { calls: 0, blocked: null, until: null },
  block: null,
  next_slot_at: null,
  hasChanged: false,
  isNextAtOnce: false,
};

interface Deps {
  placeWithin: Placing['placeWithin'];
  limits: Limits;
  serving: Pick<Serving, 'calls'>;
  callbacks: Callbacks;
  /** The part of their pace, from 0 to 1, that the trunks have room for, as this process has found. */
  paceOfTrunks: () => number;
}

interface Now {
  now: Date;
  pacing: Pacing;
  /** Calls of the campaign that have not ended, and how many of them wait for a worker. */
  open: OpenAttempt[];
  unattended: number;
  hash: HashNumber;
  /** The policy's limit on abandoned calls, and what there is of them; null if there is none. */
  abandonment: ReturnType<typeof judge> | null;
}

/** Places the calls of a turn, as far as pace, capacity, circuit and budget allow. */
export function createPlaceCalls({ placeWithin, limits, serving, callbacks, paceOfTrunks }: Deps) {
  async function roomOf(
    trx: Db,
    campaign: Turn,
    { now, pacing, open, unattended, abandonment }: Now,
  ): Promise<Capacity> {
    const { circuit } = settingsOf(campaign);
    const { id, user_id, running: campaigns, next_slot_at } = campaign;
    const since = new Date(now.getTime() - (circuit?.window_s ?? 0) * 1000);
    const wanted = { since, failures: FAILURES, limit: RECENT };
    const recent = circuit ? await recentOutcomes(trx, id, wanted) : { calls: 0, failures: 0 };
    const [user, workers] = [await limits.use(trx, user_id), await serving.calls(trx, now)];
    const budget = campaign.budget === null ? null : await affordableBy(trx, id);
    const [affordable, isSpent] = budget === null ? [null, false] : [budget.calls - open.length, budget.isSpent];
    const calls_of = { open: open.length, unattended, affordable, isSpent, recent, abandonment };
    return roomFor(pacing, circuit, { now, user, workers, campaigns, next_slot_at, ...calls_of });
  }

  /** Dials those who have waited longest: the attempt, its decision and its call are one transaction. */
  async function place(trx: Db, campaign: Turn, claimed: RecipientRow[], { now, hash }: Now) {
    const [recipients, changes] = splitExhausted(campaign, claimed, now);
    const inputs = recipients.map((recipient) => callTo(campaign, recipient));
    const placed = await placeWithin(trx, campaign.user_id, inputs, hash);
    const results = placed.map((one) => resultOf(one, now));
    const calls: ToDial[] = [];
    const attempts: Parameters<typeof addAttempts>[3] = [];
    for (const [index, result] of results.entries()) {
      const [recipient, input] = [recipients[index], inputs[index]];
      if ('blocked' in result || !recipient || !input) continue;
      const { step, decision_id, started } = result;
      const attempt = recipient.attempts + (started ? 1 : 0);
      const finished_at = isOpen(step.state) ? null : now;
      changes.push({ id: recipient.id, ...step, attempts: attempt, decision_id, finished_at });
      if (!started) continue;
      calls.push({ ...started, input });
      attempts.push({ recipient_id: recipient.id, attempt, call_id: started.session.id });
    }
    await changeRecipients(trx, changes);
    await addAttempts(trx, campaign.id, now, attempts);
    await ended(trx, callbacks, campaign, claimed, changes);
    const block = results.find((result) => 'blocked' in result) ?? null;
    return { calls, block, hasChanged: changes.length > 0 };
  }

  return async (trx: Db, campaign: Turn, turn: Omit<Now, 'pacing'>): Promise<Placed> => {
    const pacing = slowed(settingsOf(campaign).pacing, paceOfTrunks());
    const now = { ...turn, pacing };
    const room = await roomOf(trx, campaign, now);
    if (room.calls === 0) return { ...NOBODY, room };
    const { recipients, twins } = await claim(trx, campaign, room.calls, turn);
    if (recipients.length + twins.length === 0) return { ...NOBODY, room };
    const placed = await place(trx, campaign, recipients, now);
    const isBusy = numbersOf([...openNumbers(turn.open), ...placed.calls.map(({ input }) => input.phone_number)]).has;
    // A call to the others may come of their next turn: nobody has the number yet.
    await changeRecipients(trx, twins.filter(({ phone_number }) => isBusy(phone_number)).map(waits(now.now)));
    const count = placed.calls.length;
    const slot = count > 0 ? slotAfter(pacing, now.now, campaign.next_slot_at, count) : null;
    const isDecided = recipients.length > 0 && placed.block === null;
    return { ...placed, room, next_slot_at: slot, isNextAtOnce: isDecided && (count === 0 || room.calls === TURN) };
  };
}

/** Recipients to be called, and the changes of those who wait for an attempt that the campaign no longer makes. */
function splitExhausted(campaign: Turn, claimed: RecipientRow[], now: Date): [RecipientRow[], Change[]] {
  const { retries } = settingsOf(campaign);
  const isExhausted = ({ attempts }: RecipientRow) => attempts > 0 && attempts >= retries.attempts;
  const over = { state: 'exhausted', next_at: null, decision_id: null, finished_at: now } as const;
  const changes = claimed.filter(isExhausted).map(({ id, reason, attempts }) => ({ id, reason, attempts, ...over }));
  return [claimed.filter((one) => !isExhausted(one)), changes];
}

/** Claims those whose turn it is, and as many more as a turn may have if they all have the number of an open call. */
async function claim(trx: Db, { id }: Turn, count: number, { now, open }: Pick<Now, 'now' | 'open'>) {
  const some = async (limit: number) => apart(await claimRecipients(trx, id, now, limit), open);
  const first = await some(count);
  if (first.recipients.length > 0 || first.twins.length === 0) return first;
  const { recipients, twins } = await some(TURN);
  return { recipients: recipients.slice(0, count), twins };
}

/** The first of each number that no open call of the campaign has, and the others. */
function apart(claimed: RecipientRow[], open: OpenAttempt[]) {
  const taken = numbersOf(openNumbers(open));
  const { recipients = [], twins = [] } = Object.groupBy(claimed, ({ phone_number }) => {
    if (taken.has(phone_number)) return 'twins';
    taken.add(phone_number);
    return 'recipients';
  });
  return { recipients, twins };
}

const openNumbers = (open: OpenAttempt[]) => open.map(({ recipient }) => recipient.phone_number);

/** Numbers in any spelling. */
function numbersOf(numbers: string[]) {
  // All spellings of a number have the same end: only those of few numbers are compared.
  const endOf = (number: string) => number.slice(-4);
  const known = Map.groupBy(numbers, endOf);
  const near = (number: string) => known.get(endOf(number)) ?? [];
  return {
    has: (number: string) => near(number).some((other) => canonicalNumber(other) === canonicalNumber(number)),
    add: (number: string) => known.set(endOf(number), [...near(number), number]),
  };
}

const waits =
  (now: Date) =>
  ({ id, state, reason, attempts }: RecipientRow): Change => ({
    id,
    state: state as RecipientState,
    reason,
    next_at: new Date(now.getTime() + SAME_NUMBER_MS),
    attempts,
    decision_id: null,
    finished_at: null,
  });
