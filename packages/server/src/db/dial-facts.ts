import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Days of attempts that decisions look back on, and the newest of each purpose that are read. */
const DAYS = 30;
const ATTEMPTS = 100;
/** The consents for a purpose that were given or revoked last. */
const CONSENTS = 100;

/** Somebody to be dialled, as the statement takes it. */
export interface DialledNumber {
  place: number;
  user_id: string;
  agent_id: string;
  /** Empty for a call of no campaign. */
  campaign_id: string;
  purpose: string;
  phone_number: string;
  number_hash: string;
  /** The policy that the campaign or the agent's configuration names. */
  policy: string | null;
}

/**
 * Facts that a decision about each of these numbers depends on, by the user of the row `asked`, as `policies` and
 * `numbers`: JSON, null where there is nothing. Users without policies cost an index probe, and numbers one each.
 */
export const dialFacts = (numbers: DialledNumber[], now: Date) => sql`
  select case when dialled.numbers is not null then (
      select json_agg(json_build_object('name', policy.name, 'version', policy.version, 'is_default', policy.is_default, 'rules', (
        select rules from dial_policy_versions as version
        where version.policy_id = policy.id and version.version = policy.version
          and (policy.is_default or policy.name = any(dialled.named))
      ))) from dial_policies as policy where policy.user_id = asked.user_id
    ) end as policies, dialled.numbers
  from (
    select array_agg(policy) as named, json_agg(json_build_object(
      'place', place,
      'suppressions', (
        select json_agg(json_build_object('id', id, 'scope', scope, 'scope_id', scope_id, 'reason', reason, 'expires_at', expires_at) order by id)
        from suppressions where suppressions.number_hash = dialled.number_hash and deleted_at is null
          and (scope, scope_id) in (('user', ''), ('agent', dialled.agent_id), ('campaign', dialled.campaign_id), ('purpose', dialled.purpose))
      ),
      'attempts', case when has_policies then (
        select json_agg(json_build_object('at', evaluated_at, 'purpose', purpose)) from (
          select newest.* from (values ('marketing'), ('service'), ('emergency')) as known (purpose) cross join lateral (
            select evaluated_at, decision.purpose from dial_decisions as decision
            where decision.user_id = asked.user_id and decision.phone_number = dialled.phone_number and outcome = 'allow'
              and decision.purpose = known.purpose and kind = 'call'
              and evaluated_at > ${now.toISOString()}::timestamptz - make_interval(days => ${DAYS})
            order by evaluated_at desc limit ${ATTEMPTS}
          ) as newest
        ) as attempt
      ) end,
      'consents', case when has_policies then (
        select json_agg(json_build_object('id', id, 'purpose', purpose, 'obtained_at', obtained_at, 'revoked_at', revoked_at) order by id)
        from (
          select id, purpose, obtained_at, revoked_at from consents as consent
          where consent.user_id = asked.user_id and consent.phone_number = dialled.phone_number
            and consent.purpose = dialled.purpose
          order by greatest(obtained_at, revoked_at) desc limit ${CONSENTS}
        ) as consent
      ) end
    )) as numbers
    from json_to_recordset(${JSON.stringify(numbers)}::text::json)
      as dialled (place integer, user_id text, agent_id text, campaign_id text, purpose text, phone_number text, number_hash text, policy text)
    cross join (select exists (select from dial_policies as policy where policy.user_id = asked.user_id) as has_policies) as known
    where dialled.user_id = asked.user_id
  ) as dialled`;

/**
 * Makes the transaction wait for those that place calls of the user, and these for it: as they do, it locks the user's
 * allowance. Without one, it adds one that is full by now.
 */
export async function lockDialling(trx: Db, user_id: string): Promise<void> {
  await sql`
    insert into call_allowances (user_id, tokens, refilled_at, day, calls) values (${user_id}, 0, to_timestamp(0), '1970-01-01', 0)
    on conflict (user_id) do update set user_id = excluded.user_id`.execute(trx);
}
