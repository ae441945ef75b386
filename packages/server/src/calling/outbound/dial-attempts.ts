import type { Agent } from '../../conversations/agents/agents.ts';
import type { Session } from '../../conversations/sessions/sessions.ts';
import type { DialledNumber } from '../../db/dial-facts.ts';
import { canonical, sha256 } from '../../lib/canonical-json.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type FieldProblem, InvalidFields } from '../../lib/invalid.ts';
import { isObject } from '../../lib/json.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import {
  type Evaluation,
  evaluate,
  type Inputs,
  isRegion,
  isTimeZone,
  type Place,
  type PurposeName,
  type Rules,
  whereIs,
} from '../policies/policies.ts';
import type { HashNumber } from '../suppressions/suppressions.ts';
import type { DecisionRow, NumberFacts, Spending } from './store.ts';

/** Somebody who is to be dialled. */
export interface DialAttempt {
  kind: 'call' | 'transfer';
  user_id: string;
  call_id: string;
  agent_id: string | null;
  phone_number: string;
  number_hash: string;
  purpose: PurposeName;
  /** The policy that the campaign or the agent's configuration names; null: the user's default. */
  policy: string | null;
  /** The campaign that calls; null for all other calls. */
  campaign_id: string | null;
  /** Facts about where the person is. */
  place: Place;
  /** Whether the call was placed before, and is decided about again: it must not count against itself. */
  isPlaced?: true;
}

/** Age from which a decision is made again before a phone is dialled by it. */
const LATE_MS = 5_000;
export const isLate = (decided_at: Date, now: Date): boolean => now.getTime() - decided_at.getTime() >= LATE_MS;

export interface Decision {
  evaluation: Evaluation;
  /** To be recorded; null where it goes without saying, for users without policies. */
  row: DecisionRow | null;
}

/** Noted in the inputs of decisions. Earlier releases noted none, and hashed inputs in the order of their making. */
const INPUTS_FORMAT = 2;

interface Dialled {
  phone_number: string;
  purpose?: PurposeName | null | undefined;
  time_zone?: string | null | undefined;
  region?: string | null | undefined;
  /** Those of a campaign. */
  policy?: string | null | undefined;
  campaign_id?: string | null | undefined;
}

/** Throws `InvalidFields` for a zone or a region that does not exist. */
export function assertPlace({ time_zone, region }: Dialled): void {
  const problem = (field: string, what: string, input: string): FieldProblem => ({
    field,
    msg: `Input should be ${what}`,
    type: 'value_error',
    input,
  });
  const problems = [
    ...(time_zone && !isTimeZone(time_zone) ? [problem('time_zone', 'an IANA time zone', time_zone)] : []),
    ...(region && !isRegion(region) ? [problem('region', 'a country, or a region of one', region)] : []),
  ];
  if (problems.length > 0) throw new InvalidFields(...problems);
}

export function attemptOf(user_id: string, agent: Agent, dialled: Dialled, hash: HashNumber): DialAttempt {
  const { purpose, campaign_id = null } = dialled;
  const phone_number = canonicalNumber(dialled.phone_number);
  const { compliance } = agent.config;
  const named = isObject(compliance) && typeof compliance.policy === 'string' ? compliance.policy : null;
  return {
    kind: 'call',
    user_id,
    call_id: newId(),
    agent_id: agent.id,
    phone_number,
    number_hash: hash(user_id, phone_number),
    purpose: purpose ?? 'marketing',
    policy: dialled.policy ?? named,
    campaign_id,
    place: dialled,
  };
}

/** The target of a transfer. Only suppressions apply to it: the other rules are about calling somebody unasked. */
export function transferAttempt({ id, user_id, agent_id }: Session, dialled: string, hash: HashNumber): DialAttempt {
  const phone_number = canonicalNumber(dialled);
  return {
    kind: 'transfer',
    user_id,
    call_id: id,
    agent_id,
    phone_number,
    number_hash: hash(user_id, phone_number),
    purpose: 'service',
    policy: null,
    campaign_id: null,
    place: {},
  };
}

export const toNumber = (attempt: DialAttempt, place: number): DialledNumber => {
  const { user_id, agent_id, campaign_id, phone_number, number_hash, purpose, policy } = attempt;
  const scopes = { agent_id: agent_id ?? '', campaign_id: campaign_id ?? '' };
  return { place, user_id, ...scopes, phone_number, number_hash, purpose, policy };
};

/** Decides attempts one after the other: those that are counted count for the next ones to their numbers. */
export function createDecide(facts: Map<string, Spending>, now: Date) {
  const allowed: DecisionRow[] = [];
  const rulesOf = new Map<string, Rules>();

  function policyFor({ user_id, policy: named }: DialAttempt): Inputs['policy'] {
    const policies = facts.get(user_id)?.policies ?? [];
    const found = policies.find(({ name, is_default }) => (named === null ? is_default : name === named));
    if (!found?.rules) return named === null ? null : { name: named, version: null, rules: null };
    const { name, version } = found;
    const rules: Rules = rulesOf.get(found.rules) ?? JSON.parse(found.rules);
    rulesOf.set(found.rules, rules);
    return { name, version, rules };
  }

  /** The decision, of which the row is always there. */
  function explain(attempt: DialAttempt, place: number) {
    const found = facts.get(attempt.user_id)?.numbers.find((one) => one.place === place);
    const earlier = allowed.filter(
      (one) => one.user_id === attempt.user_id && one.phone_number === attempt.phone_number,
    );
    const inputs = inputsOf(attempt, policyFor(attempt), found, now);
    inputs.attempts.unshift(
      ...earlier.map(({ evaluated_at, purpose }) => ({ at: evaluated_at.toISOString(), purpose })),
    );
    const evaluation = evaluate(inputs);
    return { evaluation, row: rowOf(attempt, inputs, evaluation) };
  }

  function decide(attempt: DialAttempt, place: number): Decision {
    const { policies = [], numbers = [] } = facts.get(attempt.user_id) ?? {};
    const hasPolicy = policies.length > 0 || attempt.policy !== null;
    if (!hasPolicy && !numbers.find((one) => one.place === place)?.suppressions) return UNASKED;
    const { evaluation, row } = explain(attempt, place);
    return { evaluation, row: hasPolicy || evaluation.outcome !== 'allow' ? row : null };
  }

  /** Lets a call that is placed count for the next ones. */
  function count({ row }: Decision): void {
    if (row?.kind === 'call') allowed.push(row);
  }

  return { decide, explain, count };
}

/** Nobody has said anything about whom to call. */
const UNASKED: Decision = { evaluation: { outcome: 'allow', not_before: null, reasons: [] }, row: null };

function inputsOf(attempt: DialAttempt, policy: Inputs['policy'], found: NumberFacts | undefined, now: Date): Inputs {
  const { kind, phone_number, purpose, agent_id, campaign_id, place } = attempt;
  return {
    kind,
    at: now.toISOString(),
    phone_number,
    purpose,
    agent_id,
    ...(campaign_id !== null && { campaign_id }),
    person: whereIs(phone_number, place),
    policy: kind === 'call' ? policy : null,
    suppressions: found?.suppressions ?? [],
    consents: found?.consents ?? [],
    attempts: attempt.isPlaced ? [] : (found?.attempts ?? []),
  };
}

function rowOf(attempt: DialAttempt, all: Inputs, { outcome, not_before, reasons }: Evaluation): DecisionRow {
  const { user_id, call_id, kind, agent_id, phone_number, purpose, isPlaced } = attempt;
  const { policy, ...rest } = all;
  // The rules are kept with the version of the policy.
  const version = policy && { name: policy.name, version: policy.version };
  const inputs = canonical({ format: INPUTS_FORMAT, ...rest, policy: version });
  return {
    id: newId(),
    user_id,
    call_id: outcome === 'allow' || kind === 'transfer' || isPlaced ? call_id : null,
    kind,
    agent_id,
    phone_number,
    purpose,
    outcome,
    not_before,
    reasons: JSON.stringify(reasons),
    inputs,
    inputs_hash: sha256(inputs),
    policy: policy?.name ?? null,
    policy_version: policy?.version ?? null,
    evaluated_at: new Date(all.at),
  };
}

/** The error for an attempt that is not allowed; null for one that is. */
export function refusalOf({ evaluation, row }: Decision): AppError | null {
  const { outcome, not_before, reasons } = evaluation;
  if (outcome === 'allow') return null;
  const decision = { id: row?.id, outcome, not_before, reasons };
  const detail = reasons.map((reason) => reason.detail).join(' ');
  return new AppError(outcome === 'deny' ? 'dial_denied' : 'dial_deferred', { detail, decision });
}
