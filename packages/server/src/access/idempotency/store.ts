import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/** A digest of a request, by which another one under the same key is told from it. */
export interface Fingerprint {
  /** The form of releases before keys, which anybody can make who guesses the request. */
  plain: string;
  /** Null without SECRETS_KEY. */
  keyed: string | null;
  /** Whether a stored one is of the same request, as far as that can be told. */
  matches: (stored: string) => boolean;
}

/** A repeatable request: its key, and the key's scope. */
export interface Idempotency {
  scope: string;
  /** The scope up to v0.1.0, under which the response may be stored; null if it is the same. */
  former_scope: string | null;
  key: string;
  fingerprint: Fingerprint;
}

const KEPT = sql`interval '24 hours'`;

/** Locks names until the transaction ends; returns those that were not locked by others. */
export async function lockNames(trx: Db, names: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string; locked: boolean }>`
    select name, pg_try_advisory_xact_lock(hashtextextended(name, 0)) as locked from unnest(${names}::text[]) as keys (name)`.execute(
    trx,
  );
  return new Set(rows.flatMap(({ name, locked }) => (locked ? [name] : [])));
}

/** The stored responses to these keys, by name. */
export async function findAnswers(trx: Db, keys: Idempotency[]) {
  const asked = keys.flatMap(({ scope, former_scope, key }) => [
    { scope, stored_in: scope, key },
    ...(former_scope === null ? [] : [{ scope, stored_in: former_scope, key }]),
  ]);
  const { rows } = await sql<{ scope: string; key: string; fingerprint: string; answer: unknown }>`
    select asked.scope, stored.key, fingerprint, answer from idempotency_keys as stored
    join unnest(${asked.map(({ scope }) => scope)}::text[], ${asked.map(({ stored_in }) => stored_in)}::text[],
      ${asked.map(({ key }) => key)}::text[]) as asked (scope, stored_in, key)
      on asked.stored_in = stored.scope and asked.key = stored.key
    where created_at > now() - ${KEPT}`.execute(trx);
  return new Map(rows.map((row) => [nameOf(row), row]));
}

/** Users and keys may contain spaces: the quotes keep the names distinct. */
export function nameOf({ scope, key }: { scope: string; key: string }): string {
  return JSON.stringify([scope, key]);
}

/** Stores responses, overwriting expired ones. */
export async function storeAnswers(
  trx: Db,
  answers: (Idempotency & { user_id: string; answer: unknown })[],
): Promise<void> {
  if (answers.length === 0) return;
  await trx
    .insertInto('idempotency_keys')
    .values(
      answers.map(({ answer, former_scope: _, fingerprint, ...row }) => ({
        ...row,
        fingerprint: toStore(fingerprint),
        answer: JSON.stringify(answer),
        created_at: sql<Date>`now()`,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['scope', 'key']).doUpdateSet((row) => ({
        user_id: row.ref('excluded.user_id'),
        fingerprint: row.ref('excluded.fingerprint'),
        answer: row.ref('excluded.answer'),
        created_at: row.ref('excluded.created_at'),
      })),
    )
    .execute();
}

/** Without its key as long as processes may run that know no keyed ones. */
function toStore({ plain, keyed }: Fingerprint) {
  if (keyed === null) return plain;
  const isEarly = sql`select from installation where fingerprints_keyed_from > now()`;
  return sql<string>`case when exists (${isEarly}) then ${plain} else ${keyed} end`;
}

/** Replaces the stored response by the final one, if it was not known in the transaction. */
export async function amendAnswer(db: Db, idempotency: Idempotency | null, answer: unknown): Promise<void> {
  if (!idempotency) return;
  const { scope, key } = idempotency;
  await db
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .execute();
}

/** Deletes the responses about a user. */
export async function forgetAnswersOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('user_id', '=', user_id).execute();
}

/** Deletes expired responses. */
export async function forgetAnswers(db: Db): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', sql<Date>`now() - ${KEPT}`).execute();
}
