import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import type { RunHere } from '../../db/opening.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Seal } from '../../lib/seal.ts';
import {
  type DataKeyRow,
  deleteKeyOf,
  findKey,
  findKeyOf,
  holdKey,
  holdKeyOf,
  insertKey,
  listKeys,
  replaceSecret,
} from './store.ts';

export type DataKeys = ReturnType<typeof createDataKeys>;

/** A key of a user: 32 bytes, for AES-256. */
export interface DataKey {
  id: string;
  key: Buffer;
}

/** How long an opened key is remembered: one that an erasure has destroyed is then gone from every process. */
const KNOWN_MS = 60_000;
/** Maximum of remembered keys; the oldest is forgotten. */
const MAX_KNOWN = 10_000;
const BATCH = 100;
const NIL = '00000000-0000-0000-0000-000000000000';
/** In base64, so that no key has the five parts of an encrypted one. */
const PREFIX = 'data_';

interface Deps {
  db: Database['db'];
  clock: Clock;
  seal: Seal;
  /** Whether SECRETS_KEY is set; otherwise no keys are made. */
  isOn: boolean;
}

/** The keys of users that encrypt what is theirs, each encrypted with SECRETS_KEY. An erasure destroys its user's. */
export function createDataKeys({ db, clock, seal, isOn }: Deps) {
  const known = new Map<string, { found: DataKey; until: number }>();
  /** Ids of keys by user. */
  const ids = new Map<string, string>();

  /** The key of a user, made on first use. Throws if no key of SECRETS_KEY opens it. */
  async function ofUser(user_id: string): Promise<DataKey> {
    return open((await findKeyOf(db, user_id)) ?? (await make(db, user_id)));
  }

  async function make(within: Db, user_id: string): Promise<DataKeyRow> {
    const secret = await seal.close(PREFIX + randomBytes(32).toString('base64'), user_id);
    return insertKey(within, { user_id, id: newId(), secret, created_at: clock.now() });
  }

  /** The same without a statement for a minute, in which an erasure may have destroyed it. */
  async function recallOf(user_id: string): Promise<DataKey> {
    return recall(ids.get(user_id) ?? '') ?? ofUser(user_id);
  }

  /** The key of a user, made on first use, which stays until the transaction ends. */
  async function heldOf(trx: Db, user_id: string): Promise<DataKey> {
    return open((await holdKeyOf(trx, user_id)) ?? (await make(trx, user_id)));
  }

  /** Keys by id, as far as they exist. Throws `secret_unreadable` if no key of SECRETS_KEY opens one. */
  async function byIds(wanted: string[], run: RunHere): Promise<Map<string, DataKey>> {
    const found = wanted.flatMap((id) => recall(id) ?? []);
    const missing = wanted.filter((id) => found.every((one) => one.id !== id));
    const rows = missing.length > 0 ? await run('select * from data_keys where id = any($1::uuid[])', [missing]) : [];
    for (const row of rows as unknown as DataKeyRow[]) found.push(await openOrRefuse(row));
    return new Map(found.map((one) => [one.id, one]));
  }

  /** The key with this id. Throws if it was destroyed, or if no key of SECRETS_KEY opens it. */
  async function byId(id: string): Promise<DataKey> {
    const row = recall(id) ?? (await findKey(db, id));
    if (!row) throw new Error(`the key ${id}, which encrypted this, was destroyed with its user`);
    return 'key' in row ? row : open(row);
  }

  async function openOrRefuse(row: DataKeyRow): Promise<DataKey> {
    return open(row).catch((cause: unknown) => {
      const detail = 'What is stored cannot be decrypted. Operators: restore the key in SECRETS_KEY.';
      throw new AppError('secret_unreadable', { detail, cause });
    });
  }

  /** The key of a user; made if it `isWanted`, otherwise null without one. */
  async function find(within: Db, user_id: string, isWanted: boolean): Promise<DataKey | null> {
    const recalled = recall(ids.get(user_id) ?? '');
    if (recalled) return recalled;
    const row = await findKeyOf(within, user_id);
    if (row) return openOrRefuse(row);
    if (!isWanted) return null;
    const made = await open(await make(within, user_id));
    // Remembered once it is read again: the transaction may still fail.
    known.delete(made.id);
    return made;
  }

  async function open(row: DataKeyRow): Promise<DataKey> {
    const recalled = recall(row.id);
    if (recalled) return recalled;
    const text = await seal.open(row.secret, row.user_id);
    const found = { id: row.id, key: Buffer.from(text.slice(PREFIX.length), 'base64') };
    const [oldest] = known.size >= MAX_KNOWN ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    known.set(row.id, { found, until: clock.now().getTime() + KNOWN_MS });
    setTimeout(() => recall(row.id), KNOWN_MS + 1).unref();
    if (ids.size >= MAX_KNOWN) ids.clear();
    ids.set(row.user_id, row.id);
    return found;
  }

  function recall(id: string): DataKey | undefined {
    const one = known.get(id);
    if (one && clock.now().getTime() < one.until) return one.found;
    known.delete(id);
    return undefined;
  }

  /**
   * Encrypts keys that another key of SECRETS_KEY has encrypted with its first. Returns the number of those that no key
   * decrypts. Calls `beforeBatch`, which may throw to stop.
   */
  async function reseal(beforeBatch: () => Promise<void>): Promise<number> {
    let [after, unopened] = [NIL, 0];
    for (;;) {
      await beforeBatch();
      const rows = await listKeys(db, after, BATCH);
      for (const { id, user_id, secret } of rows) {
        if (seal.isCurrent(secret)) continue;
        const opened = await seal.open(secret, user_id).catch(() => null);
        if (opened === null) unopened++;
        else await replaceSecret(db, id, secret, await seal.close(opened, user_id));
      }
      if (rows.length < BATCH) return unopened;
      after = rows.at(-1)?.id ?? NIL;
    }
  }

  return {
    isOn,
    ofUser,
    byId,
    byIds,
    recallOf,
    heldOf,
    find,
    /**
     * Keeps a key that has encrypted what the transaction writes until it ends; false if an erasure has destroyed it
     * meanwhile, so that nobody could read what was written.
     */
    hold: (trx: Db, id: string) => holdKey(trx, id),
    reseal,
    erase: deleteKeyOf,
  };
}
