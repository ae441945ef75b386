import { type FieldProblem, InvalidFields } from '../../lib/invalid.ts';
import type { CampaignFields } from './schema.ts';
import { type Settings, settingsOf } from './settings.ts';
import { RETRIABLE } from './state-schema.ts';
import type { CampaignRow } from './store.ts';

const DEFAULTS: Settings = {
  from_numbers: [],
  pacing: { max_concurrent: 10, per_minute: 60, reserve_for_others: 0.2 },
  retries: {
    attempts: 1,
    on: ['busy', 'no_answer', 'unavailable', 'failed', 'abandoned', 'interrupted'],
    delays_s: [3_600],
    spread: 0.1,
  },
  reached_by: ['answered'],
  reached_dispositions: null,
  purpose: 'marketing',
  policy: null,
  circuit: null,
};

/** The columns for these fields; those that are not given stay as they were, or get their defaults. */
export function columnsOf(fields: CampaignFields, before: CampaignRow | null) {
  const { from_numbers, pacing, retries, reached_by, reached_dispositions, purpose, policy, circuit } = fields;
  const { budget, expires_at } = fields;
  const earlier = before === null ? DEFAULTS : settingsOf(before);
  const settings: Settings = {
    from_numbers: from_numbers ?? earlier.from_numbers,
    pacing: { ...earlier.pacing, ...pacing },
    retries: { ...earlier.retries, ...retries },
    reached_by: reached_by ?? earlier.reached_by,
    reached_dispositions: reached_dispositions === undefined ? earlier.reached_dispositions : reached_dispositions,
    purpose: purpose ?? earlier.purpose,
    policy: policy === undefined ? earlier.policy : policy,
    circuit: circuit === undefined ? earlier.circuit : circuit,
  };
  assertConsistent(settings);
  const kept = { budget: before?.budget ?? null, expires_at: before?.expires_at ?? null };
  return {
    settings: JSON.stringify(settings),
    budget: budget === undefined ? kept.budget : budget,
    expires_at: expires_at ? new Date(expires_at) : expires_at === null ? null : kept.expires_at,
  };
}

/** Nobody is both reached and called again; with dispositions, these tell who is reached. */
function assertConsistent({ retries, reached_by, reached_dispositions }: Settings): void {
  if (reached_dispositions !== null) return;
  const both = RETRIABLE.filter((one) => retries.on.includes(one) && reached_by.some((other) => other === one));
  if (both.length === 0) return;
  const msg = `Input should not name what counts as reached: ${both.join(', ')}`;
  throw new InvalidFields({ field: ['retries', 'on'], msg, type: 'value_error', input: retries.on });
}

/** The error for these fields; null if nothing is wrong. `holders` has the users of numbers. */
export function problemIn(
  { budget, expires_at, from_numbers = [] }: CampaignFields,
  holders: Map<string, string>,
  user_id: string,
  now: Date,
): InvalidFields | null {
  const problems: FieldProblem[] = from_numbers.flatMap((input, index) => {
    const msg = 'Input should be a number that an agent of this user has';
    return holders.get(input) === user_id ? [] : { field: ['from_numbers', index], msg, type: 'value_error', input };
  });
  if (typeof budget === 'string' && /^-/.test(budget)) {
    const msg = 'Input should be greater than or equal to 0';
    problems.push({ field: 'budget', msg, type: 'greater_than_equal', input: budget });
  }
  if (expires_at && new Date(expires_at) <= now) problems.push(expired(expires_at));
  return problems.length > 0 ? new InvalidFields(...problems) : null;
}

/** A campaign that begins after its end would end for everybody who waits, without a call. Throws `InvalidFields`. */
export function assertNotExpired({ expires_at }: Pick<CampaignRow, 'expires_at'>, now: Date): void {
  if (expires_at !== null && expires_at <= now) throw new InvalidFields(expired(expires_at.toISOString()));
}

const expired = (input: string): FieldProblem => ({
  field: 'expires_at',
  msg: 'Input should be in the future',
  type: 'datetime_future',
  input,
});
