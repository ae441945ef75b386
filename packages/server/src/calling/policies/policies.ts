import type { Static } from 'typebox';
import { lockDialling } from '../../db/dial-facts.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { instantsOf, isTimeZone } from './clock-time.ts';
import { type Consented, type Evaluation, evaluate, type Inputs, type Suppressed } from './evaluate.ts';
import { type Place, placeOf, whereIs } from './person.ts';
import { isRegion } from './prefixes.ts';
import { presetOf } from './presets.ts';
import { problemsOf } from './rules-check.ts';
import { MAX_POLICIES, MAX_POLICY_VERSIONS, type PolicyPut, PURPOSES, type PurposeName, type Rules } from './schema.ts';
import {
  addVersion,
  deletePolicies,
  findVersion,
  listPolicies,
  lockPolicies,
  type PolicyRow,
  putPolicy,
} from './store.ts';

export {
  type Consented,
  type Evaluation,
  evaluate,
  type Inputs,
  instantsOf,
  isRegion,
  isTimeZone,
  type Place,
  PURPOSES,
  type PurposeName,
  placeOf,
  type Rules,
  type Suppressed,
  whereIs,
};

/** As `compliance.policy` of an agent names one. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export type Policies = ReturnType<typeof createPolicies>;

/** Dial policies of users: when whom may be called, how often, and with which consent. */
export function createPolicies({ db, clock, audit }: Pick<Platform, 'db' | 'clock' | 'audit'>) {
  /**
   * Makes a new version of a policy, unless its rules are the same. Throws `InvalidFields` for rules that contradict
   * themselves, and `too_many_policies`.
   */
  async function put(user_id: string, name: string, input: Static<typeof PolicyPut>, actor: Actor) {
    if (!NAME.test(name)) {
      const msg = 'A name has up to 64 lower-case letters, digits, hyphens and underscores';
      throw new InvalidFields({ field: 'name', msg, type: 'string_pattern_mismatch', input: name });
    }
    const { preset, is_default, ...own } = input;
    const rules: Rules = { ...(preset && presetOf(preset).rules), ...own };
    const problems = problemsOf(rules);
    if (problems.length > 0) throw new InvalidFields(...problems);
    const text = JSON.stringify(rules);
    return db.transaction().execute(async (trx) => {
      await lockPolicies(trx, user_id);
      // Calls that are being placed have looked already: from the answer on all go by the new version.
      await lockDialling(trx, user_id);
      const all = await listPolicies(trx, user_id);
      const before = all.find((one) => one.name === name);
      const after = next(before, { user_id, name, is_default, rules: text });
      if ((!before && all.length >= MAX_POLICIES) || after.version > MAX_POLICY_VERSIONS)
        throw new AppError('too_many_policies');
      await save(trx, before, after);
      const change = { user_id, before: before ? changed(view(before)) : null, after: changed(view(after)) };
      await audit.record(trx, actor, 'dial_policy.changed', `dial_policy/${after.id}`, change);
      return view(after);
    });
  }

  type Wanted = Pick<PolicyRow, 'user_id' | 'name' | 'rules'> & { is_default: boolean | undefined };

  /** The policy after a change: at the same version if its rules are the same. */
  function next(before: PolicyRow | undefined, { is_default, ...wanted }: Wanted): PolicyRow {
    const now = clock.now();
    const isSame = before?.rules === wanted.rules;
    return {
      ...(before ?? { id: newId(), created_at: now }),
      ...wanted,
      version: (before?.version ?? 0) + (isSame ? 0 : 1),
      is_default: is_default ?? before?.is_default ?? false,
      versioned_at: isSame && before ? before.versioned_at : now,
    };
  }

  async function save(trx: Db, before: PolicyRow | undefined, { rules, versioned_at, ...policy }: PolicyRow) {
    await putPolicy(trx, policy);
    const { id: policy_id, user_id, version } = policy;
    if (version !== before?.version)
      await addVersion(trx, { policy_id, user_id, version, rules, created_at: versioned_at });
  }

  /** One version, or the newest. Throws `not_found`. */
  async function get(user_id: string, name: string, version?: number) {
    const found = (await listPolicies(db, user_id)).find((one) => one.name === name);
    if (!found) throw new AppError('not_found');
    if (version === undefined || version === found.version) return view(found);
    const earlier = await findVersion(db, found.id, version);
    if (!earlier) throw new AppError('not_found');
    return view({ ...found, version, rules: earlier.rules, versioned_at: earlier.created_at });
  }

  return {
    put,
    get,
    list: async (user_id: string) => (await listPolicies(db, user_id)).map(view),
    erase: async (trx: Db, user_id: string) => {
      // In the order of `put`, which may be storing one.
      await lockDialling(trx, user_id);
      await deletePolicies(trx, user_id);
    },
  };
}

type Shown = Pick<PolicyRow, 'name' | 'version' | 'is_default' | 'rules' | 'versioned_at'>;

function view({ name, version, is_default, rules, versioned_at }: Shown) {
  return { name, version, is_default, rules: JSON.parse(rules) as Rules, created_at: versioned_at };
}

const changed = ({ name, version, is_default, rules }: ReturnType<typeof view>) => ({
  name,
  version,
  is_default,
  rules,
});
