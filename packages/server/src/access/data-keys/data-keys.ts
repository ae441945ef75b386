import { randomBytes } from 'node:crypto';
import { FifoMap } from 'toad-cache';
import { NIL } from 'uuid';
import type { RunHere } from '../../db/opening.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError, isPassing } from '../../lib/errors.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import { newId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/log.ts';
import type { Seal } from '../../lib/seal.ts';
import {
  type DataKeyRow,
  deleteKeyOf,
  findKey,
  findKeyOf,
  holdKey,
  holdKeyOf,
  insertKey,
  insertKeyOfSession,
  listKeys,
  replaceSecret,
} from './store.ts';

export type DataKeys = ReturnType<typeof createDataKeys>;

/** A key of a user: 32 bytes, for AES-256. */
export interface DataKey {
  id: string;
  key: Buffer;
}

/** A key, or the error of one that cannot be decrypted: `provider_unavailable` if it can later. */
type Known = DataKey | AppError;

/** A session, as it was read before. */
export interface Owned {
  id: string;
  user_id: string;
}

/** How long an opened key is remembered: one that an erasure has destroyed is then gone from every process. */
const KNOWN_MS = 60_000;
/** Maximum of remembered keys; the oldest is forgotten. */
const MAX_KNOWN = 10_000;
const BATCH = 100;
/** Keys of one result that are decrypted at the same time. */
const AT_ONCE = 10;
const BYTES = 32;
const BY_IDS = 'select * from data_keys where id = any($1::uuid[])';
/** Owner of the key of the installation: no user has an empty id. */
const INSTALLATION = '';
/** In base64, so that no key has the five parts of an encrypted one. */
const PREFIX = 'data_';

interface Deps {
  db: Db;
  clock: Clock;
  log: Logger;
  seal: Seal;
  /** Whether anything encrypts them; otherwise no keys are made. */
  isOn: boolean;
}

/**
 * The keys of users that encrypt what is theirs, each encrypted with SECRETS_KEY or by a key management service. An
 * erasure destroys its user's.
 */
export function createDataKeys({ db, clock, log, seal, isOn }: Deps) {
  const known = new FifoMap<Known>(MAX_KNOWN, KNOWN_MS);
  /** Ids of keys by user. */
  const ids = new FifoMap<string>(MAX_KNOWN, KNOWN_MS);
  const inFlight = new Map<string, Promise<Known>>();
  const failures = createFailureLog(log, 'the key management service');

  const fresh = (user_id: string) => make(seal, user_id, clock.now());
  const recall = (user_id: string) => known.get(ids.get(user_id) ?? '');

  /** The key of a user as far as it is remembered, in which time an erasure may have destroyed it. */
  function recallOf(user_id: string): DataKey | undefined {
    const one = recall(user_id);
    return one && toWrite(one);
  }

  /** The key of a user, made on first use, which stays until the transaction ends. */
  async function heldOf(trx: Db, user_id: string): Promise<DataKey> {
    return toWrite(await open((await holdKeyOf(trx, user_id)) ?? (await insertKey(trx, await fresh(user_id)))));
  }

  /**
   * The key of a session's user, made on first use: in a transaction it stays until that ends. Throws `not_found` for
   * a session that was erased since it was read, because a key that was made now would stay.
   */
  async function ofSession(session: Owned, within = db): Promise<DataKey> {
    const { user_id } = session;
    const found = await (within.isTransaction ? holdKeyOf(within, user_id) : findKeyOf(within, user_id));
    const row = found ?? (await insertKeyOfSession(within, session.id, await fresh(user_id)));
    if (!row) throw new AppError('not_found');
    return toWrite(await open(row));
  }

  /** Keys by id, as far as they exist. */
  async function byIds(wanted: string[], run: RunHere): Promise<Map<string, Known>> {
    const found = new Map<string, Known>();
    for (const id of wanted) {
      const one = known.get(id);
      if (one) found.set(id, one);
    }
    const missing = wanted.filter((id) => !found.has(id));
    const rows = missing.length > 0 ? await run<DataKeyRow>(BY_IDS, [missing]) : [];
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const some = rows.slice(at, at + AT_ONCE);
      for (const [nth, one] of (await Promise.all(some.map(open))).entries()) found.set(some[nth]?.id ?? '', one);
    }
    return found;
  }

  /** The key with this id. Throws if it was destroyed, and if it cannot be decrypted. */
  async function byId(id: string): Promise<DataKey> {
    const recalled = known.get(id);
    if (recalled) return toRead(recalled);
    const row = await findKey(db, id);
    if (!row) throw new Error(`the key ${id}, which encrypted this, was destroyed with its user`);
    return toRead(await open(row));
  }

  /** The key of the installation; made if it `isWanted`, otherwise null without one. Throws like `byId`. */
  async function ofInstallation(within: Db, isWanted: boolean): Promise<DataKey | null> {
    const recalled = recall(INSTALLATION);
    if (recalled) return toRead(recalled);
    const row = await findKeyOf(within, INSTALLATION);
    if (row) return toRead(await open(row));
    if (!isWanted) return null;
    const made = toRead(await open(await insertKey(within, await fresh(INSTALLATION))));
    // Remembered once it is read again: the transaction may still fail.
    known.delete(made.id);
    return made;
  }

  /** Decrypts a key once for all who ask for it meanwhile. */
  function open(row: DataKeyRow): Promise<Known> {
    const recalled = known.get(row.id);
    if (recalled) return Promise.resolve(recalled);
    const opened = inFlight.get(row.id) ?? openFirst(row).finally(() => inFlight.delete(row.id));
    inFlight.set(row.id, opened);
    return opened;
  }

  /**
   * Remembers one that cannot be decrypted, too, so that it is tried again, and logged, at most once a minute; but not
   * that the key management service fails, which is no property of the key.
   */
  async function openFirst(row: DataKeyRow): Promise<Known> {
    const { id, user_id } = row;
    const opened = await decrypt(seal, row).catch((cause: unknown) => {
      if (isPassing(cause)) return cause;
      log.error({ err: cause, user_id, key_id: id }, 'the key of a user cannot be decrypted, nor what it encrypts');
      return new AppError('secret_unreadable', { detail: UNREADABLE, cause });
    });
    if (isPassing(opened)) {
      failures.failed(opened);
      return opened;
    }
    failures.succeeded();
    known.set(id, opened);
    ids.set(user_id, id);
    // Also from memory, where it would otherwise stay until somebody asks for it.
    setTimeout(() => known.delete(id), KNOWN_MS).unref();
    return opened;
  }

  return {
    isOn,
    ofSession,
    byId,
    byIds,
    recallOf,
    heldOf,
    ofInstallation,
    /**
     * Keeps a key that has encrypted what the transaction writes until it ends; false if an erasure has destroyed it
     * meanwhile, so that nobody could read what was written.
     */
    hold: (trx: Db, id: string) => holdKey(trx, id),
    reseal: (beforeBatch: () => Promise<void>) => reseal(db, seal, beforeBatch),
    erase: deleteKeyOf,
  };
}

async function make(seal: Seal, user_id: string, created_at: Date): Promise<DataKeyRow> {
  const secret = await seal.close(PREFIX + randomBytes(BYTES).toString('base64'), user_id);
  return { user_id, id: newId(), secret, created_at };
}

/**
 * Encrypts keys that another key has encrypted with the current one. Returns the number of those that cannot be
 * decrypted, or encrypted now. Calls `beforeBatch`, which may throw to stop.
 */
async function reseal(db: Db, seal: Seal, beforeBatch: () => Promise<void>): Promise<number> {
  let [after, unopened]: [string, number] = [NIL, 0];
  for (;;) {
    await beforeBatch();
    const rows = await listKeys(db, after, BATCH);
    for (const { id, user_id, secret } of rows) {
      if (seal.isCurrent(secret)) continue;
      const closed = await sealAgain(seal, secret, user_id);
      if (closed === null) unopened++;
      else await replaceSecret(db, id, secret, closed);
    }
    if (rows.length < BATCH) return unopened;
    after = rows.at(-1)?.id ?? NIL;
  }
}

/** A key encrypted with the current one; null if it cannot be now. */
function sealAgain(seal: Seal, secret: string, user_id: string): Promise<string | null> {
  const closed = seal.open(secret, user_id).then((opened) => seal.close(opened, user_id));
  return closed.catch(() => null);
}

async function decrypt(seal: Seal, { id, user_id, secret }: DataKeyRow): Promise<DataKey> {
  const text = await seal.open(secret, user_id);
  const key = Buffer.from(text.slice(PREFIX.length), 'base64');
  if (!text.startsWith(PREFIX) || key.length !== BYTES) throw new Error('a stored key is damaged');
  return { id, key };
}

const UNREADABLE =
  'What is stored cannot be decrypted. Operators: restore the key in SECRETS_KEY, or the key management service.';

function toRead(one: Known): DataKey {
  if (one instanceof AppError) throw one;
  return one;
}

/** Has writers try again, as workers do: nothing is lost while the operators look for the key. */
function toWrite(one: Known): DataKey {
  if (!(one instanceof AppError)) return one;
  if (isPassing(one)) throw one;
  const detail = 'The key that encrypts this cannot be read. Operators: restore what encrypts it.';
  throw new AppError('provider_unavailable', { detail, cause: one });
}
