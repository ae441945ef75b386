import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

/** A policy at its newest version. */
export type PolicyRow = Selectable<Tables['dial_policies']> & { rules: string; versioned_at: Date };

/** Blocks changes of the user's policies until the transaction ends. */
export async function lockPolicies(trx: Db, user_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`dial policies of ${user_id}`}, 0))`.execute(trx);
}

/** In the order of their names. */
export function listPolicies(db: Db, user_id: string): Promise<PolicyRow[]> {
  return db
    .selectFrom('dial_policies as policy')
    .innerJoin('dial_policy_versions as version', (join) =>
      join.onRef('version.policy_id', '=', 'policy.id').onRef('version.version', '=', 'policy.version'),
    )
    .selectAll('policy')
    .select(['version.rules', 'version.created_at as versioned_at'])
    .where('policy.user_id', '=', user_id)
    .orderBy('policy.name')
    .execute();
}

export function findVersion(db: Db, policy_id: string, version: number) {
  return db
    .selectFrom('dial_policy_versions')
    .selectAll()
    .where('policy_id', '=', policy_id)
    .where('version', '=', version)
    .executeTakeFirst();
}

/** Adds a policy, or makes `version` the newest of an existing one. */
export async function putPolicy(trx: Db, policy: Selectable<Tables['dial_policies']>): Promise<void> {
  const { version, is_default } = policy;
  // At most one is the default: the earlier one first, because the index allows no second.
  if (is_default)
    await trx
      .updateTable('dial_policies')
      .set({ is_default: false })
      .where('user_id', '=', policy.user_id)
      .where('is_default', '=', true)
      .execute();
  await trx
    .insertInto('dial_policies')
    .values(policy)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ version, is_default }))
    .execute();
}

export async function addVersion(trx: Db, row: Selectable<Tables['dial_policy_versions']>): Promise<void> {
  await trx.insertInto('dial_policy_versions').values(row).execute();
}

export async function deletePolicies(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('dial_policies').where('user_id', '=', user_id).execute();
}
