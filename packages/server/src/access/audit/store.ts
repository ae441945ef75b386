import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { AuditAction, AuditOutcome } from '../../lib/audit.ts';
import type { PageRequest } from '../../lib/page.ts';

export type AuditEntry = Selectable<Tables['audit_log']>;
export type NewEntry = Omit<Insertable<Tables['audit_log']>, 'seq' | 'salt' | 'digest' | 'hash'>;

export interface AuditFilter {
  action: AuditAction | null;
  actor: string | null;
  target: string | null;
  user_id: string | null;
  outcome: AuditOutcome | null;
  /** Ids from the first day of the period, and from the first day after it. */
  from: string | null;
  to: string | null;
}

/** The action of an entry whose target is the pseudonym of an erased user. */
export const ERASURE = 'user.erased';
const UNSEALED = { seq: null, salt: null, digest: null, hash: null };

export async function insertEntries(db: Db, entries: NewEntry[]): Promise<void> {
  const values = entries.map((entry) => ({ ...entry, ...UNSEALED }));
  if (values.length > 0) await db.insertInto('audit_log').values(values).execute();
}

/** Newest first; up to `limit` plus one. */
export function listEntries(db: Db, filter: AuditFilter, { after, limit }: PageRequest): Promise<AuditEntry[]> {
  const { from, to, ...equal } = filter;
  let query = db.selectFrom('audit_log').selectAll();
  for (const [column, value] of Object.entries(equal) as [keyof typeof equal, string | null][])
    if (value !== null) query = query.where(column, '=', value as never);
  if (from !== null) query = query.where('id', '>=', from);
  if (to !== null) query = query.where('id', '<', to);
  if (after !== null) query = query.where('id', '<', after);
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Replaces a user with the pseudonym. A trigger deletes whatever else is personal in the user's entries. */
export async function pseudonymizeEntries(db: Db, user_id: string, pseudonym: string): Promise<void> {
  await db.updateTable('audit_log').set({ user_id: pseudonym }).where('user_id', '=', user_id).execute();
  await db.updateTable('audit_log').set({ actor_user_id: pseudonym }).where('actor_user_id', '=', user_id).execute();
}

/** Locks the chain until the transaction ends. */
export function lockChain(trx: Db): Promise<Selectable<Tables['audit_chain']>> {
  return trx.selectFrom('audit_chain').selectAll().forUpdate().executeTakeFirstOrThrow();
}

export function readChain(db: Db): Promise<Selectable<Tables['audit_chain']>> {
  return db.selectFrom('audit_chain').selectAll().executeTakeFirstOrThrow();
}

export async function hasUnsealed(db: Db): Promise<boolean> {
  const first = db.selectFrom('audit_log').select('id').where('seq', 'is', null).orderBy('id').limit(1);
  return (await first.execute()).length > 0;
}

/** Some entries that are not sealed, locked. Skips those that an erasure has locked: waiting could be a deadlock. */
export function lockUnsealed(trx: Db, limit: number): Promise<AuditEntry[]> {
  return trx
    .selectFrom('audit_log')
    .selectAll()
    .where('seq', 'is', null)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export interface Sealed {
  id: string;
  seq: number;
  salt: string;
  digest: string;
  hash: string;
}

/** Seals entries, in the order of their ids, and makes the last of them the chain's last. */
export async function writeSeals(trx: Db, sealed: Sealed[]): Promise<void> {
  const [first, last] = [sealed.at(0), sealed.at(-1)];
  if (!first || !last) return;
  const column = <K extends keyof Sealed>(name: K) => sealed.map((one) => one[name]);
  await sql`update audit_log set seq = s.seq, salt = s.salt, digest = s.digest, hash = s.hash
    from unnest(${column('id')}::uuid[], ${column('seq')}::bigint[], ${column('salt')}::text[],
      ${column('digest')}::text[], ${column('hash')}::text[]) as s (id, seq, salt, digest, hash)
    where audit_log.id = s.id
      -- Repeated so that the index on unsealed entries serves: the whole table would be scanned for each batch of an upgrade.
      and audit_log.seq is null and audit_log.id between ${first.id} and ${last.id}`.execute(trx);
  await trx.updateTable('audit_chain').set({ last_seq: last.seq, last_hash: last.hash }).execute();
}

/** Sealed entries in their order, after the number `seq`. */
export function listSealed(db: Db, seq: number, limit: number): Promise<AuditEntry[]> {
  return db.selectFrom('audit_log').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute();
}

/** The lowest number of a sealed entry. */
export async function lowestSealed(db: Db): Promise<number | null> {
  const { lowest } = await db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.min('seq').as('lowest'))
    .executeTakeFirstOrThrow();
  return lowest;
}

/** Deletes the sealed entries up to the number `seq`, which the chain then begins after. */
export async function deleteSealed(trx: Db, seq: number, hash: string): Promise<void> {
  await trx.deleteFrom('audit_log').where('seq', '<=', seq).execute();
  await trx.updateTable('audit_chain').set({ first_seq: seq, first_hash: hash }).execute();
}

/** Pseudonyms of erased users. */
export async function listPseudonyms(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('erasures').select('pseudonym').execute();
  return rows.map(({ pseudonym }) => pseudonym);
}

/** Targets of the entries of erasures that are not sealed yet. */
export async function listUnsealedErasures(db: Db): Promise<string[]> {
  const found = db.selectFrom('audit_log').select('target').where('seq', 'is', null).where('action', '=', ERASURE);
  return (await found.execute()).map(({ target }) => target);
}

export async function countUnsealed(db: Db): Promise<number> {
  const query = db.selectFrom('audit_log').select((row) => row.fn.countAll<number>().as('entries'));
  return Number((await query.where('seq', 'is', null).executeTakeFirstOrThrow()).entries);
}
