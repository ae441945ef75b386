import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomFillSync } from 'node:crypto';
import { isClosed, type Opening, refuse } from '../../db/opening.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { bytesOf, idOfBytes } from '../../lib/ids.ts';
import { SEALED } from '../../lib/json.ts';
import type { DataKey, DataKeys, Owned } from './data-keys.ts';

export type Content = ReturnType<typeof createContent>;

/**
 * An encrypted value: this and its kind, then in base64 the id of the user's key (16 bytes), a random nonce (12), the
 * ciphertext (AES-256-GCM) and its tag (16). The kind says whether it is a text, or a value of JSON.
 */
const KINDS = { text: 't', json: 'j' } as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];
const CIPHER = 'aes-256-gcm';
const [ID, NONCE, TAG] = [16, 12, 16];
/** How long a process that encrypts nothing takes it that no other one has. */
const ASK_AGAIN_MS = 10_000;

interface Deps {
  dataKeys: DataKeys;
  /** ENCRYPT_CONTENT: otherwise nothing new is encrypted, and what is stays readable. */
  isOn: boolean;
}

/** A text as it is stored, and the id of the key that encrypted it. */
interface Closed {
  text: string;
  key_id: string | null;
}

/** Encrypts what was said, and the data of calls, with the keys of their users. */
export function createContent({ dataKeys, isOn }: Deps) {
  let askAgainAt = 0;

  /**
   * A text of a session as it is to be stored. Without `within` the key may be one that was destroyed a moment ago:
   * whoever writes the text has to make sure that it is still there. Throws `not_found` for a session that was erased.
   */
  async function close(session: Owned, text: string, within?: Db): Promise<Closed> {
    if (!isOn) return { text, key_id: null };
    const recalled = within ? undefined : dataKeys.recallOf(session.user_id);
    const key = recalled ?? (await dataKeys.ofSession(session, within));
    return { text: seal(KINDS.text, text, key), key_id: key.id };
  }

  /** Texts of a user without a session, as they are to be stored by the transaction. */
  async function closeOfUser(trx: Db, user_id: string, texts: string[]): Promise<string[]> {
    if (!isOn) return texts;
    const key = await dataKeys.heldOf(trx, user_id);
    return texts.map((text) => seal(KINDS.text, text, key));
  }

  /** JSON as it is to be stored in a column of JSON, in a transaction. */
  async function closeJson(trx: Db, user_id: string, json: string): Promise<string> {
    return isOn ? JSON.stringify(seal(KINDS.json, json, await dataKeys.heldOf(trx, user_id))) : json;
  }

  /**
   * Decrypts what is encrypted in rows, in place. What no key of ours has encrypted stays as it is; what is encrypted
   * with a key that cannot be decrypted is refused to whoever reads it.
   */
  const open: NonNullable<Opening['open']> = async (rows, run) => {
    const ids = new Set<string>();
    for (const row of rows) for (const value of Object.values(row)) if (isClosed(value)) ids.add(idOf(value) ?? '');
    const keys = await dataKeys.byIds([...ids].filter(Boolean), run);
    for (const row of rows)
      for (const [name, value] of Object.entries(row)) if (isClosed(value)) openIn(row, name, value, keys);
  };

  return {
    isOn,
    /** Whether anything can be encrypted: there may be some from a time when it was. */
    canOpen: dataKeys.isOn,
    close,
    closeOfUser,
    closeJson,
    open,
    /**
     * Hashes words with the key of the installation, by which a search finds them among those of all users; null as
     * long as no words were hashed, unless one `isToWrite` them.
     */
    async hasher(db: Db, isToWrite: boolean): Promise<((word: string) => string) | null> {
      if (!dataKeys.isOn || (!isOn && !isToWrite && performance.now() < askAgainAt)) return null;
      const key = await dataKeys.ofInstallation(db, isToWrite);
      if (!key) askAgainAt = performance.now() + ASK_AGAIN_MS;
      return key && ((word) => createHmac('sha256', key.key).update(word).digest('base64url').slice(0, 16));
    },
  };
}

function seal(kind: Kind, text: string, key: DataKey): string {
  const keys = ownOf(key);
  const nonce = nextNonce();
  const cipher = createCipheriv(CIPHER, keys[kind], nonce);
  const bytes = [keys.head, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return `${SEALED}${kind}${Buffer.concat(bytes).toString('base64')}`;
}

type Keys = Awaited<ReturnType<DataKeys['byIds']>>;

function openIn(row: Record<string, unknown>, name: string, value: string, keys: Keys): void {
  const key = keys.get(idOf(value) ?? '');
  if (key instanceof AppError) refuse(row, name, key);
  else if (key) row[name] = openValue(value, key);
}

function openValue(value: string, key: DataKey): unknown {
  const kind = value.charAt(SEALED.length) as Kind;
  if (kind !== 't' && kind !== 'j') return value;
  const bytes = Buffer.from(value.slice(SEALED.length + 1), 'base64');
  try {
    const nonce = bytes.subarray(ID, ID + NONCE);
    const decipher = createDecipheriv(CIPHER, ownOf(key)[kind], nonce, { authTagLength: TAG });
    decipher.setAuthTag(bytes.subarray(-TAG));
    const text = decipher.update(bytes.subarray(ID + NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8');
    return kind === KINDS.json ? JSON.parse(text) : text;
  } catch {
    return value;
  }
}

/** The id of the key that has encrypted a value; null if it only looks like one. */
function idOf(value: string): string | null {
  const bytes = Buffer.from(value.slice(SEALED.length + 1, SEALED.length + 25), 'base64').subarray(0, ID);
  return bytes.length === ID ? idOfBytes(bytes) : null;
}

const own = new WeakMap<Buffer, ReturnType<typeof derive>>();

/** The keys for each kind of content: that of audio is another. */
function ownOf({ id, key }: DataKey): ReturnType<typeof derive> {
  const known = own.get(key) ?? derive(id, key);
  own.set(key, known);
  return known;
}

function derive(id: string, key: Buffer) {
  // A cipher takes a `KeyObject` in a quarter of the time of a buffer.
  const keyFor = (kind: string) => createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `content ${kind}`, 32)));
  return { head: bytesOf(id), t: keyFor('t'), j: keyFor('j') };
}

// Filled for many nonces at once, like the ids of rows.
const pool = Buffer.alloc(256 * NONCE);
let used = pool.length;

function nextNonce(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE;
  return pool.subarray(used - NONCE, used);
}
