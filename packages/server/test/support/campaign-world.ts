import type { Situation } from '../../src/calling/campaigns/pacing.ts';
import type { Step } from '../../src/calling/campaigns/states.ts';
import * as states from '../../src/calling/campaigns/states.ts';

export const SKEW_MS = 5_000;
/** Time for which a phone is dialled without asking again, as it is to be proved. */
const LATE_MS = 5_000;
export const HOLIDAY = '2027-01-13';
const [OPENS, CLOSES] = [8, 12];
export const MIN_GAP_MS = 5_400_000;
/** Calls in 24 hours: the hours of a day have time for three. */
export const MAX_CALLS = 2;
const DAY_MS = 86_400_000;

export const RETRIES = { attempts: 3, on: ['busy' as const, 'interrupted' as const], delays_s: [60], spread: 0 };

/** The extent of an exploration: people, moments, and how much may go wrong. */
export interface Scope {
  /** Recipients by phone: two of one phone are a person who is in the list twice. */
  phones: number[];
  /** Instants at which something may happen. */
  times: readonly number[];
  expires_at: Date | null;
  /** Calls of the campaign at the same time, and in all, as its budget says. */
  max_concurrent: number;
  budget: number;
  kills: number;
  /** Whether people revoke their consents. */
  mayRevoke: boolean;
}

export interface Attempt {
  /** By the clock of its process. */
  placedAt: number;
  /** By whom its phone is to be dialled: null once it was, or its process has died. */
  by: number | null;
  dials: number;
  /** The end of its call, as recorded; null while it is open. */
  end: 'busy' | 'answered' | 'interrupted' | null;
  isSettled: boolean;
}

export interface Recipient extends Step {
  attempts: number;
  placed: Attempt[];
}

export interface Phone {
  /** For how long its owner has asked not to be called, and revoked the consent: up to `LONG_MS`. Null: not. */
  asked: number | null;
  revoked: number | null;
  recipients: Recipient[];
}

export interface World {
  step: number;
  campaign: 'running' | 'paused' | 'canceled';
  kills: number;
  phones: Phone[];
  /** The rule that was broken when something was placed or dialled, or when a turn ended. */
  wrong: string | null;
}

/** From then on it does not matter how long ago. */
export const LONG_MS = LATE_MS + 1;

export function beginOf({ phones, times }: Scope): World {
  const recipient: Recipient = {
    state: 'waiting',
    reason: null,
    next_at: new Date(times[0] ?? 0),
    attempts: 0,
    placed: [],
  };
  const owned = phones.map(
    (count): Phone => ({ asked: null, revoked: null, recipients: Array(count).fill(recipient) }),
  );
  return { step: 0, campaign: 'running', kills: 0, phones: owned, wrong: null };
}

/** The same for worlds in which phones, or the recipients of one, have changed places. */
export function keyOf({ step, campaign, kills, phones }: World): string {
  const sorted = phones.map(({ asked, revoked, recipients }) =>
    [asked, revoked, ...recipients.map(partOf).sort()].join(),
  );
  return [step, campaign, kills, ...sorted.sort()].join('|');
}

/** Not `JSON.stringify`, which takes most of the time. */
const partOf = ({ state, reason, next_at, attempts, placed }: Recipient): string =>
  [state, reason, next_at?.getTime(), attempts, ...placed.flatMap((one) => Object.values(one))].join(' ');

export const recipientsOf = ({ phones }: World): Recipient[] => phones.flatMap(({ recipients }) => recipients);
export const callsOf = ({ recipients }: Phone): Attempt[] => recipients.flatMap(({ placed }) => placed);

export interface Facts {
  phone: number;
  isSuppressed: boolean;
  isRevoked: boolean;
  /** Times of earlier calls. */
  calls: number[];
  /** Whether the call was placed before, and is decided about again. */
  isPlaced?: true;
}

export const isWaiting = ({ state }: Step) => state === 'waiting' || state === 'deferred';
export const openOf = (world: World): number =>
  recipientsOf(world).flatMap(({ placed }) => placed.filter(({ isSettled }) => !isSettled)).length;

export const eachRecipient = (world: World, then: (one: Recipient) => Recipient): World => ({
  ...world,
  phones: world.phones.map((phone) => ({ ...phone, recipients: phone.recipients.map(then) })),
});

export const change = (world: World, phone: number, index: number, then: (one: Recipient) => Recipient): World => ({
  ...world,
  phones: world.phones.map((one, place) =>
    place === phone
      ? { ...one, recipients: one.recipients.map((recipient, at) => (at === index ? then(recipient) : recipient)) }
      : one,
  ),
});

export const withAttempt = (one: Recipient, attempt: Attempt, fields: Partial<Attempt>): Recipient => ({
  ...one,
  placed: one.placed.map((other) => (other === attempt ? { ...other, ...fields } : other)),
});

export function factsOf({ phones }: World, phone: number): Facts {
  const one = phones[phone] as Phone;
  const calls = callsOf(one).map(({ placedAt }) => placedAt);
  return { phone, isSuppressed: one.asked !== null, isRevoked: one.revoked !== null, calls };
}

export const timeAt = ({ times }: Scope, step: number): number => times[step] ?? Number.NaN;
const isExpired = (scope: Scope, { step }: World): boolean =>
  scope.expires_at !== null && timeAt(scope, step) >= scope.expires_at.getTime();

/** Facts about the campaign on which its pace depends. */
export function situationOf(scope: Scope, world: World, now: Date): Situation {
  const open = openOf(world);
  const user = { open, concurrent: 10, tokens: 10, burst: 10, today: 0, per_day: 100, day_ends_at: now };
  const affordable = scope.budget - recipientsOf(world).flatMap(({ placed }) => placed).length;
  const recent = { calls: 0, failures: 0 };
  const next_slot_at = new Date(now.getTime() - 1_000);
  const none = { unattended: 0, workers: null, campaigns: 1, isSpent: false, abandonment: null };
  return { ...none, now, open, user, next_slot_at, affordable, recent };
}

/** The rule that a call breaks which is placed now; `at` is by the clock of its process. */
export function wrongToPlace(scope: Scope, world: World, phone: number, at: number): string | null {
  const { campaign, step, phones } = world;
  const { asked = null, revoked = null } = phones[phone] ?? {};
  const calls = callsOf(phones[phone] as Phone).map(({ placedAt }) => at - placedAt);
  const now = timeAt(scope, step);
  if (campaign !== 'running') return `a call was placed while the campaign was ${campaign}`;
  if (isExpired(scope, world)) return 'a call was placed after the campaign had expired';
  if (openOf(world) >= scope.max_concurrent) return 'more calls at the same time than the campaign allows';
  if (recipientsOf(world).flatMap(({ placed }) => placed).length >= scope.budget)
    return 'more calls than the budget is good for';
  if (asked !== null) return 'somebody was called who had asked not to be';
  if (revoked !== null) return 'somebody was called without a consent';
  if (!isWithinHours(now - SKEW_MS, now + SKEW_MS)) return 'a call outside of the hours';
  if (calls.some((ago) => ago < MIN_GAP_MS)) return 'calls too soon one after another';
  return calls.filter((ago) => ago < DAY_MS).length >= MAX_CALLS ? 'more calls than the policy allows' : null;
}

/** The rule that a phone breaks which rings now. */
export function wrongToDial(scope: Scope, { phones, step }: World, phone: number): string | null {
  const { asked = null, revoked = null } = phones[phone] ?? {};
  const now = timeAt(scope, step);
  if (asked !== null) return 'a phone was dialled after its owner had asked not to be called';
  if (revoked !== null && revoked > LATE_MS) return 'a phone was dialled long after the consent was revoked';
  return isWithinHours(now - LATE_MS - SKEW_MS, now + SKEW_MS) ? null : 'a phone was dialled outside of the hours';
}

/** Whether the hours include one of these moments. */
function isWithinHours(from: number, to: number): boolean {
  const [opens, closes] = [OPENS, CLOSES].map((hour) => new Date(to).setUTCHours(hour, 0, 0, 0));
  const isHoliday = new Date(to).toISOString().startsWith(HOLIDAY);
  return !isHoliday && to >= (opens ?? 0) && from < (closes ?? 0);
}

/** Deeds of people, and of the owner of the campaign. */
export function wishes(world: World, mayRevoke: boolean): World[] {
  const { campaign, phones } = world;
  const ofPhones = phones.flatMap((phone, index) => {
    const become = (fields: Partial<Phone>): World => ({
      ...world,
      phones: phones.with(index, { ...phone, ...fields }),
    });
    return [
      ...(phone.asked === null ? [become({ asked: 0 })] : []),
      ...(mayRevoke && phone.revoked === null ? [become({ revoked: 0 })] : []),
    ];
  });
  const states: World['campaign'][] =
    campaign === 'canceled' ? [] : ['canceled', campaign === 'paused' ? 'running' : 'paused'];
  return [...ofPhones, ...states.map((state) => ({ ...world, campaign: state }))];
}

/** The first rule that a world breaks, after another one; null if it breaks none. */
export function wrongWith(world: World, before: World): string | null {
  const earlier = recipientsOf(before);
  const wrong = recipientsOf(world).map((one, index) => wrongWithOne(one, earlier[index] as Recipient));
  return wrong.find((one) => one !== null) ?? world.wrong;
}

function wrongWithOne(recipient: Recipient, before: Recipient): string | null {
  const { placed } = recipient;
  if (placed.some(({ dials }) => dials > 1)) return 'an attempt was dialled twice';
  if (!states.isOpen(before.state) && recipient.state !== before.state) return 'a final state was left';
  const open = placed.filter(({ isSettled }) => !isSettled).length;
  if (open > 1) return 'two calls to one person at the same time';
  if (recipient.attempts !== placed.length) return 'attempts are not counted';
  if (placed.length > RETRIES.attempts) return 'more attempts than allowed';
  if ((open === 1) !== (recipient.state === 'dialling')) return 'a recipient without its call, or a call without one';
  return isWaiting(recipient) !== (recipient.next_at !== null) ? 'somebody was forgotten' : null;
}
