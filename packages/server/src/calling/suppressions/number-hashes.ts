import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { Seal } from '../../lib/seal.ts';
import { findNumberKey, saveNumberKey } from './store.ts';

export type NumberHashes = ReturnType<typeof createNumberHashes>;
/** The hash of a user's number, which an erasure leaves. */
export type HashNumber = (user_id: string, phone_number: string) => string;

/** Numbers cannot be guessed from their hashes: the key is encrypted with SECRETS_KEY, if there is one. */
export function createNumberHashes({ db, seal }: { db: Db; seal: Seal }) {
  const OWNER = 'numbers';
  let known: Promise<HashNumber> | undefined;

  async function load(): Promise<HashNumber> {
    const stored = (await findNumberKey(db)) ?? (await saveNumberKey(db, await newKey(), null));
    const opened = await seal.open(stored, OWNER).catch((cause: unknown) => {
      const detail = 'The key of suppressed numbers cannot be decrypted. Operators: restore the key in SECRETS_KEY.';
      throw new AppError('secret_unreadable', { detail, cause });
    });
    if (!seal.isCurrent(stored)) await saveNumberKey(db, await seal.close(opened, OWNER), stored);
    return (user_id, phone_number) =>
      createHmac('sha256', opened).update(`${user_id}\n${phone_number}`).digest('base64url');
  }

  const newKey = () => seal.close(`numbers_${randomBytes(32).toString('base64url')}`, OWNER);

  /** With the key, which is read once, and made by the first process. */
  function get(): Promise<HashNumber> {
    known ??= load().catch((error) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  /** Encrypts the key with the newest of SECRETS_KEY, if there is one. */
  async function reseal(): Promise<void> {
    if (known === undefined && (await findNumberKey(db)) !== undefined) await get();
  }

  return Object.assign(get, { reseal });
}
