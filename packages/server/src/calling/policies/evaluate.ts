import { DAY_MS } from '../../lib/clock.ts';
import { HORIZON_MS, isOpen, localTime, nextOpen } from './clock-time.ts';
import { type Group, groupsFor, isFor } from './groups.ts';
import type { Person } from './person.ts';
import type { PurposeName, Rules } from './schema.ts';

/** A policy at one version. */
interface PolicyVersion {
  name: string;
  version: number;
  rules: Rules;
}

interface Reason {
  rule: 'suppression' | 'consent' | 'window' | 'max_attempts' | 'min_gap' | 'zone' | 'policy';
  detail: string;
  source: string;
}

export interface Evaluation {
  outcome: 'allow' | 'defer' | 'deny';
  /** When the same would be allowed, if nothing else changes; null unless deferred. */
  not_before: Date | null;
  reasons: Reason[];
}

/** An entry of the list of those who are not called. */
export interface Suppressed {
  id: string;
  scope: 'user' | 'agent' | 'campaign' | 'purpose';
  /** The agent, the campaign or the purpose; empty for `user`. */
  scope_id: string;
  reason: string;
  expires_at: string | null;
}

export interface Consented {
  id: string;
  purpose: string;
  obtained_at: string;
  revoked_at: string | null;
}

/** All that a decision depends on. Times are ISO 8601. */
export interface Inputs {
  /** A transfer connects somebody who is on the phone already: of the rules, only suppressions apply to it. */
  kind: 'call' | 'transfer';
  at: string;
  phone_number: string;
  purpose: PurposeName;
  agent_id: string | null;
  /** The campaign that calls; absent for all other calls. */
  campaign_id?: string;
  person: Person;
  /** The policy that applies; with `rules` null, one that is named but does not exist. */
  policy: PolicyVersion | { name: string; version: null; rules: null } | null;
  /** Entries for this number. */
  suppressions: Suppressed[];
  consents: Consented[];
  /** Earlier calls to this number, of the last 30 days at least. */
  attempts: { at: string; purpose: string }[];
}

/** Decides whether a phone may be dialled, from the inputs alone. */
export function evaluate(inputs: Inputs): Evaluation {
  const suppressed = suppressions(inputs);
  const { policy } = inputs;
  if (inputs.kind === 'transfer' || policy === null) return denied(suppressed);
  if (policy.rules === null) {
    const detail = `There is no policy ${JSON.stringify(policy.name)}, which the agent's configuration or the campaign names.`;
    return denied([...suppressed, { rule: 'policy', detail, source: 'compliance.policy' }]);
  }
  const groups = groupsFor(policy.rules, inputs.person, inputs.purpose);
  const refusals = [...suppressed, ...consent(inputs, policy), ...unknownZone(inputs, policy, groups)];
  if (refusals.length > 0) return denied(refusals);
  return whenever(inputs, policy, groups);
}

const denied = (reasons: Reason[]): Evaluation => ({
  outcome: reasons.length > 0 ? 'deny' : 'allow',
  not_before: null,
  reasons,
});

const sourceOf = ({ name, version }: PolicyVersion, source?: string) => source ?? `policy ${name}, version ${version}`;

function suppressions({ suppressions: all, at, agent_id, campaign_id, purpose }: Inputs): Reason[] {
  const applies = ({ scope, scope_id, expires_at }: Suppressed) =>
    (expires_at === null || Date.parse(expires_at) > Date.parse(at)) &&
    (scope === 'user' ||
      (scope === 'agent' && scope_id === agent_id) ||
      (scope === 'campaign' && scope_id === campaign_id) ||
      (scope === 'purpose' && scope_id === purpose));
  return all.filter(applies).map(({ id, scope, scope_id, reason }) => ({
    rule: 'suppression',
    detail: `The number is suppressed for ${scope === 'user' ? 'all calls' : `the ${scope} ${scope_id}`}: ${reason}.`,
    source: `suppression ${id}`,
  }));
}

/** A consent counts if it was obtained after the last one was revoked. */
function consent({ consents, person, purpose, at }: Inputs, policy: PolicyVersion): Reason[] {
  const rule = policy.rules.requires_consent?.find(
    (one) => one.purpose === purpose && isFor({ country: one.country, region: one.region }, person, purpose),
  );
  if (!rule) return [];
  const own = consents.filter((one) => one.purpose === purpose);
  const revoked = Math.max(0, ...own.map(({ revoked_at }) => (revoked_at === null ? 0 : Date.parse(revoked_at))));
  const counts = ({ obtained_at, revoked_at }: Consented) =>
    revoked_at === null && Date.parse(obtained_at) > revoked && Date.parse(obtained_at) <= Date.parse(at);
  if (own.some(counts)) return [];
  const detail = `Calls for ${purpose} need a consent, and there is ${revoked > 0 ? 'none since it was revoked' : 'none'}.`;
  return [{ rule: 'consent', detail, source: sourceOf(policy, rule.source) }];
}

/** Hours cannot be kept where no zone is known, nor, if the policy says so, where one of several may be right. */
function unknownZone({ person }: Inputs, policy: PolicyVersion, groups: Group[]): Reason[] {
  if (groups.length === 0) return [];
  const isCertain = person.zones.length === 1 && groups.length === 1;
  if (person.zones.length > 0 && (isCertain || policy.rules.unknown_zone !== 'deny')) return [];
  const what = person.zones.length > 1 ? `one of ${person.zones.length}` : 'unknown';
  const detail =
    person.zones.length === 1
      ? 'The region of the number is unknown, and regions have windows of their own.'
      : `The time zone of the number is ${what}.`;
  return [{ rule: 'zone', detail, source: sourceOf(policy) }];
}

/** A rule that asks for patience: the first instant at or after `at` that it allows; null if there is none. */
interface Wait {
  next: (at: number) => number | null;
  /** The places whose clocks it asks. */
  zones: number;
  /** Why not at `at`. */
  why: (at: number) => Reason;
}

/** Questions that one decision may ask of its rules. Beyond it, windows that hardly ever meet count as never open. */
const MAX_STEPS = 2_000;

/** Allows, or defers to the first instant that all rules allow. */
function whenever(inputs: Inputs, policy: PolicyVersion, groups: Group[]): Evaluation {
  const at = Date.parse(inputs.at);
  const until = at + HORIZON_MS;
  const waits = [...attemptWaits(inputs, policy), ...groups.map((group) => windowWait(group, inputs, policy, until))];
  const reasons = waits.filter(({ next }) => next(at) !== at).map(({ why }) => why(at));
  if (reasons.length === 0) return { outcome: 'allow', not_before: null, reasons };
  // No rule allows anything before its own next instant, so that the greatest of these is asked about again.
  const cost = waits.reduce((sum, { zones }) => sum + zones, 0);
  for (let [time, steps] = [at, 0]; ; steps += cost) {
    const times = waits.map(({ next }) => next(time));
    const latest = Math.max(...times.map((one) => one ?? Number.POSITIVE_INFINITY));
    if (latest > until || steps > MAX_STEPS)
      return { outcome: 'deny', not_before: null, reasons: [...reasons, never(policy)] };
    if (latest === time) return { outcome: 'defer', not_before: new Date(time), reasons };
    time = latest;
  }
}

function never(policy: PolicyVersion): Reason {
  const detail = `No time within ${HORIZON_MS / DAY_MS} days is allowed by all rules together.`;
  return { rule: 'window', detail, source: sourceOf(policy) };
}

/** Phones ring when each place that the person may be in allows it. */
function windowWait(
  { hours, source }: Group,
  { person: { zones } }: Inputs,
  policy: PolicyVersion,
  until: number,
): Wait {
  const openIn = (zone: string, at: number) => (isOpen(zone, hours, at) ? at : nextOpen(zone, hours, at, until));
  return {
    zones: zones.length,
    next: (at) => {
      const all = zones.map((zone) => openIn(zone, at));
      return all.includes(null) ? null : Math.max(at, ...all.map((one) => one ?? at));
    },
    why: (at) => {
      const closed = zones.filter((zone) => !isOpen(zone, hours, at));
      const [first = ''] = closed;
      const { text, date } = localTime(first, at);
      const others =
        closed.length > 1
          ? `, nor is it within them in ${closed.length - 1} more of the zones that the number may be in`
          : '';
      const detail = `It is ${text} on ${date} in ${first}, outside of the hours${others}.`;
      return { rule: 'window', detail, source: sourceOf(policy, source) };
    },
  };
}

function attemptWaits({ attempts, person, purpose }: Inputs, policy: PolicyVersion): Wait[] {
  const { max_attempts = [], min_gap_s } = policy.rules;
  const newest = attempts.map((one) => ({ at: Date.parse(one.at), purpose: one.purpose })).sort((a, b) => b.at - a.at);
  const timesOf = (purposes: readonly string[] | undefined) =>
    newest.filter((one) => purposes?.includes(one.purpose) ?? true).map(({ at }) => at);
  const limits = max_attempts.filter((limit) => isFor(limit, person, purpose));
  const counts = limits.map(({ count, days, purposes, source }): Wait => {
    // As soon as the oldest of the last `count` is old enough, there are fewer in the period.
    const oldest = timesOf(purposes)[count - 1];
    return {
      zones: 1,
      next: (at) => Math.max(at, oldest === undefined ? at : oldest + days * DAY_MS),
      why: () => ({
        rule: 'max_attempts',
        detail: `The number was called ${count} times within ${days === 1 ? '24 hours' : `${days} days`} already.`,
        source: sourceOf(policy, source),
      }),
    };
  });
  const [last] = timesOf(undefined);
  if (!min_gap_s || last === undefined) return counts;
  const detail = `The number was called at ${new Date(last).toISOString()}, less than ${min_gap_s} seconds ago.`;
  const why = () => ({ rule: 'min_gap' as const, detail, source: sourceOf(policy) });
  return [...counts, { zones: 1, next: (at) => Math.max(at, last + min_gap_s * 1000), why }];
}
