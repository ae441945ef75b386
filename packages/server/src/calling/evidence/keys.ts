import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { Seal } from '../../lib/seal.ts';
import type { Platform } from '../../platform.ts';
import { addKey, type KeyRow, listKeys, lockKeys, resealKey } from './store.ts';

export type EvidenceKeys = ReturnType<typeof createEvidenceKeys>;

/** Signs texts: 64 bytes in hexadecimal. */
export interface Signer {
  key_id: string;
  sign(text: string): string;
}

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  seal: Seal;
}

const OWNER = 'evidence';
const COMMAND = { actor: 'command', user_id: null, ip: null };
const PREFIX = 'ed25519_';

/** The keys that sign evidence (Ed25519, RFC 8032). The newest signs; earlier documents keep their keys. */
export function createEvidenceKeys({ db, clock, audit, seal }: Deps) {
  /** All of them, newest first; the first one is made when it is asked for. */
  async function all(): Promise<KeyRow[]> {
    const found = await listKeys(db);
    if (found.length > 0) return found;
    const fresh = await newKey();
    return db.transaction().execute(async (trx) => {
      await lockKeys(trx);
      if ((await listKeys(trx)).length === 0) await addKey(trx, fresh);
      return listKeys(trx);
    });
  }

  async function newKey(): Promise<KeyRow> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const id = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
    const secret = PREFIX + privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    return { id, public_key: x, secret: await seal.close(secret, OWNER), created_at: clock.now() };
  }

  async function open({ id, secret }: KeyRow): Promise<KeyObject> {
    const opened = await seal.open(secret, OWNER).catch((cause: unknown) => {
      const detail = `The key ${id} of evidence cannot be decrypted. Operators: restore the key in SECRETS_KEY, or make another with npm run evidence-keys -- rotate.`;
      throw new AppError('secret_unreadable', { detail, cause });
    });
    return createPrivateKey({ key: Buffer.from(opened.slice(PREFIX.length), 'base64'), format: 'der', type: 'pkcs8' });
  }

  return {
    /** With the newest key. Throws `secret_unreadable`. */
    async signer(): Promise<Signer> {
      const [newest] = await all();
      if (!newest) throw new AppError('internal_error');
      const key = await open(newest);
      return { key_id: newest.id, sign: (text) => sign(null, Buffer.from(text), key).toString('hex') };
    },
    /** The public keys as a JSON Web Key Set (RFC 7517), newest first. */
    async published() {
      const keys = (await all()).map(({ id, public_key, created_at }) => ({
        kty: 'OKP' as const,
        crv: 'Ed25519' as const,
        use: 'sig' as const,
        kid: id,
        x: public_key,
        created_at,
      }));
      return { keys };
    },
    /** Makes a new key, which signs from now on; returns its id. For the command line. */
    async rotate(): Promise<string> {
      const fresh = await newKey();
      await db.transaction().execute(async (trx: Db) => {
        await lockKeys(trx);
        await addKey(trx, fresh);
        await audit.record(trx, COMMAND, 'evidence_key.rotated', `evidence_key/${fresh.id}`);
      });
      return fresh.id;
    },
    /** Encrypts keys with the newest of SECRETS_KEY, if there is one. */
    async reseal(): Promise<void> {
      for (const { id, secret } of await listKeys(db)) {
        if (seal.isCurrent(secret)) continue;
        const opened = await seal.open(secret, OWNER).catch(() => null);
        if (opened !== null) await resealKey(db, id, secret, await seal.close(opened, OWNER));
      }
    },
  };
}
