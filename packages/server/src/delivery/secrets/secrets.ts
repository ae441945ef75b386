import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Seal } from '../../lib/seal.ts';
import type { Platform } from '../../platform.ts';
import { createReseal } from './reseal.ts';
import {
  deleteSecret,
  findSecrets,
  insertSecrets,
  overlapping,
  type SecretRow,
  toColumns,
  updateSecret,
} from './store.ts';

export type Secrets = ReturnType<typeof createSecrets>;

const DEFAULT_OVERLAP_S = 24 * 60 * 60;
/** Clients may repeat a request for a secret that cannot be decrypted. */
const WARN_EVERY_MS = 60 * 60 * 1000;
/** Each one adds a signature to a header of every callback, and receivers limit the size of headers. */
export const MAX_OVERLAPPING = 10;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log' | 'audit'> {
  seal: Seal;
}

interface Secret {
  secret: string;
  created_at: Date;
  previous_expires_at: Date | null;
}

/** The secrets that sign callbacks, one per user, encrypted in the database. */
export function createSecrets({ db, clock, log, seal, audit }: Deps) {
  let warnedAt = Number.NEGATIVE_INFINITY;

  /** The user's signing secret, `whsec_…`; created on first use. Throws `secret_unreadable` if no key decrypts it. */
  async function get(user_id: string): Promise<Secret> {
    const [row] = await ensureEach([user_id]);
    return read(row as SecretRow);
  }

  /** In any order. */
  async function ensureEach(user_ids: string[]): Promise<SecretRow[]> {
    const found = await findSecrets(db, user_ids);
    const known = new Set(found.map(({ user_id }) => user_id));
    const without = user_ids.filter((user_id) => !known.has(user_id)).sort();
    const created_at = clock.now();
    const fresh = await Promise.all(
      without.map(async (user_id) => ({ user_id, secret: await seal.close(newSecret(), user_id), created_at })),
    );
    return [...found, ...(await insertSecrets(db, fresh))];
  }

  /**
   * Rotates the secret. The old one continues to sign for `overlap_s` seconds, so that receivers can change over; so
   * do earlier ones until they expire. Throws `secrets_overlap` if there would be too many.
   */
  async function rotate(user_id: string, overlap_s = DEFAULT_OVERLAP_S, actor: Actor): Promise<Secret> {
    const [first, secret] = [await seal.close(newSecret(), user_id), await seal.close(newSecret(), user_id)];
    return db.transaction().execute(async (trx) => {
      const created_at = clock.now();
      // Created or found, and locked, in one statement: an erasure of the user cannot delete it in between.
      const [before] = (await insertSecrets(trx, [{ user_id, secret: first, created_at }])) as [SecretRow];
      const expires_at = new Date(created_at.getTime() + overlap_s * 1000);
      const last = overlap_s > 0 ? [{ secret: before.secret, expires_at }] : [];
      const still = [...last, ...overlapping(before, clock.now())];
      if (overlap_s > 0 && still.length > MAX_OVERLAPPING) throw new AppError('secrets_overlap');
      await audit.record(trx, actor, 'callback_secret.rotated', 'callback_secret');
      return read(await updateSecret(trx, user_id, { secret, created_at, ...toColumns(still) }));
    });
  }

  async function read(row: SecretRow): Promise<Secret> {
    const times = overlapping(row, clock.now()).map(({ expires_at }) => expires_at.getTime());
    return {
      secret: await seal.open(row.secret, row.user_id).catch((cause: unknown) => {
        warnOfLostKey();
        throw new AppError('secret_unreadable', { cause });
      }),
      created_at: row.created_at,
      previous_expires_at: times.length > 0 ? new Date(Math.max(...times)) : null,
    };
  }

  /** A 409 is not logged by itself: the operator who has lost a key would see nothing. */
  function warnOfLostKey(): void {
    const now = clock.now().getTime();
    if (Math.abs(now - warnedAt) < WARN_EVERY_MS) return;
    warnedAt = now;
    log.warn('no key of SECRETS_KEY decrypts a callback secret that was requested: restore the key that encrypted it');
  }

  /**
   * Signers for the `webhook-signature` headers of these users: the current secret, and earlier ones until they
   * expire.
   */
  async function signer(user_ids: string[]) {
    const rows = new Map((await ensureEach([...new Set(user_ids)])).map((row) => [row.user_id, row]));
    const opened = new Map<string, Promise<Webhook[]>>();
    return async (user_id: string, id: string, at: Date, payload: string): Promise<string> => {
      const webhooks = opened.get(user_id) ?? open(rows.get(user_id) as SecretRow);
      opened.set(user_id, webhooks);
      return (await webhooks).map((webhook) => webhook.sign(id, at, payload)).join(' ');
    };
  }

  async function open(row: SecretRow): Promise<Webhook[]> {
    const current = await seal.open(row.secret, row.user_id);
    // An earlier secret that cannot be decrypted may be the reason for the rotation.
    const earlier = await Promise.all(
      overlapping(row, clock.now()).map(({ secret }) => seal.open(secret, row.user_id).catch(() => null)),
    );
    return [current, ...earlier].filter((secret) => secret !== null).map((secret) => new Webhook(secret));
  }

  return { get, rotate, signer, reseal: createReseal({ db, clock, seal }), erase: deleteSecret };
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
