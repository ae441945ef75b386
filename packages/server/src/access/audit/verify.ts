import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import { digestOf, hashOf } from './chain.ts';
import {
  type AuditEntry,
  countUnsealed,
  ERASURE,
  listPseudonyms,
  listSealed,
  listUnsealedErasures,
  lowestSealed,
  readChain,
} from './store.ts';

const PAGE_SIZE = 1_000;
const MAX_PROBLEMS = 20;
const ERASED = /^user\/(erased-.*)$/;

/** An entry that somebody noted outside of the database: its number and hash. */
export interface Anchor {
  seq: number;
  hash: string;
}

export interface Verification {
  /** Whatever was removed, changed or inserted, in words; up to 20. */
  problems: string[];
  entries: number;
  erased: number;
  /** Entries that are not part of the chain yet. */
  unsealed: number;
  /** The number after which the chain begins: the retention has deleted what was before. */
  first_seq: number;
  last: Anchor;
}

/** Recomputes the chain. `anchor` must be part of it, which shows that nobody has computed it anew. */
export function verifyChain(db: Database['db'], anchor: Anchor | null): Promise<Verification> {
  // One snapshot: entries that the retention deletes meanwhile would be missing.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => verifyWithin(trx, anchor));
}

/** The same in a transaction, as the statements in it see the chain. */
export async function verifyWithin(db: Db, anchor: Anchor | null): Promise<Verification> {
  const chain = await readChain(db);
  const last = { seq: chain.first_seq, hash: chain.first_hash };
  const problems: string[] = [];
  const found = (problem: string) => problems.length < MAX_PROBLEMS && problems.push(problem);
  const pseudonyms = new Set(chain.first_seq > 0 ? await listPseudonyms(db) : []);
  // An erasure blanks entries before its own one is sealed.
  for (const target of await listUnsealedErasures(db)) addPseudonym(pseudonyms, target);
  /** Entries without a salt, by their users. */
  const blank = new Map<string, number>();
  const lowest = await lowestSealed(db);
  if (lowest !== null && lowest <= chain.first_seq)
    found(`Entry ${lowest} was inserted: the chain begins after ${chain.first_seq}.`);
  let [entries, erased] = [0, 0];
  for (;;) {
    const page = await listSealed(db, last.seq, PAGE_SIZE);
    for (const entry of page) {
      for (const problem of problemsOf(entry, last)) found(problem);
      Object.assign(last, { seq: entry.seq ?? 0, hash: entry.hash ?? '' });
      if (anchor?.seq === last.seq && anchor.hash !== last.hash)
        found(`Entry ${last.seq} is not the one that was noted.`);
      if (entry.action === ERASURE) addPseudonym(pseudonyms, entry.target);
      if (entry.salt === null) {
        erased += 1;
        blank.set(JSON.stringify([entry.user_id, entry.actor_user_id]), last.seq);
      }
      entries += 1;
    }
    if (page.length < PAGE_SIZE) break;
  }
  for (const [users, seq] of blank) {
    const isErased = JSON.parse(users).some((user: string | null) => user !== null && pseudonyms.has(user));
    if (!isErased) found(`Entry ${seq} is blank, but its user was never erased.`);
  }
  if (last.seq < chain.last_seq) found(`The chain ends at entry ${last.seq}, but ${chain.last_seq} were sealed.`);
  else if (last.seq > chain.last_seq)
    found(`Entry ${last.seq} was inserted: the last that was sealed is ${chain.last_seq}.`);
  else if (last.hash !== chain.last_hash) found(`Entry ${last.seq} is not the one that was sealed last.`);
  if (anchor && anchor.seq > last.seq) found(`Entry ${anchor.seq}, which was noted, is missing.`);
  return { problems, entries, erased, unsealed: await countUnsealed(db), first_seq: chain.first_seq, last };
}

function addPseudonym(pseudonyms: Set<string>, target: string): void {
  const pseudonym = ERASED.exec(target)?.[1];
  if (pseudonym !== undefined) pseudonyms.add(pseudonym);
}

function* problemsOf(entry: AuditEntry, last: Anchor): Generator<string> {
  const seq = entry.seq ?? 0;
  if (seq !== last.seq + 1)
    yield seq === last.seq + 2
      ? `Entry ${last.seq + 1} is missing.`
      : `Entries ${last.seq + 1} to ${seq - 1} are missing.`;
  else if (hashOf(last.hash, seq, entry.digest ?? '', entry) !== entry.hash)
    yield `Entry ${seq} (${entry.id}) was changed, or the one before it.`;
  if (entry.salt !== null && digestOf(entry.salt, entry) !== entry.digest)
    yield `Entry ${seq} (${entry.id}) was changed: its user, name, address, detail or values.`;
}
