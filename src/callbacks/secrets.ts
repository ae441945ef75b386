import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import type { Actor } from '../lib/principal.ts';
import type { Seal } from '../lib/seal.ts';
import {
  deleteSecret,
  findSecrets,
  insertSecrets,
  listSecrets,
  lockSecret,
  type SecretRow,
  updateSecret,
} from './secret-store.ts';

export type Secrets = ReturnType<typeof createSecrets>;

const DEFAULT_OVERLAP_S = 24 * 60 * 60;
const BATCH = 100;

interface Deps {
  db: Database['db'];
  clock: Clock;
  seal: Seal;
  audit: Audit;
}

interface Secret {
  secret: string;
  created_at: Date;
  previous_expires_at: Date | null;
}

/** The secrets that sign callbacks, one a user, sealed in the database. */
export function createSecrets({ db, clock, seal, audit }: Deps) {
  /** The user's signing secret, `whsec_…`; made at first use. */
  async function get(user_id: string): Promise<Secret> {
    return read(await ensure(db, user_id));
  }

  async function ensure(within: Db, user_id: string): Promise<SecretRow> {
    const [row] = await ensureEach(within, [user_id]);
    return row as SecretRow;
  }

  /** In any order. */
  async function ensureEach(within: Db, user_ids: string[]): Promise<SecretRow[]> {
    const found = await findSecrets(within, user_ids);
    const known = new Set(found.map(({ user_id }) => user_id));
    const without = user_ids.filter((user_id) => !known.has(user_id)).sort();
    const created_at = clock.now();
    const fresh = await Promise.all(
      without.map(async (user_id) => ({ user_id, secret: await seal.close(newSecret(), user_id), created_at })),
    );
    return [...found, ...(await insertSecrets(within, fresh))];
  }

  /** A new secret; the old one signs beside it for `overlap_s` seconds, so that receivers can change over. */
  async function rotate(user_id: string, overlap_s = DEFAULT_OVERLAP_S, actor: Actor): Promise<Secret> {
    const secret = await seal.close(newSecret(), user_id);
    return db.transaction().execute(async (trx) => {
      await ensure(trx, user_id);
      const { secret: old } = await lockSecret(trx, user_id);
      const created_at = clock.now();
      const overlap = {
        previous_secret: overlap_s > 0 ? old : null,
        previous_expires_at: overlap_s > 0 ? new Date(created_at.getTime() + overlap_s * 1000) : null,
      };
      await audit.record(trx, actor, 'callback_secret.rotated', 'callback_secret');
      return read(await updateSecret(trx, user_id, { secret, created_at, ...overlap }));
    });
  }

  async function read(row: SecretRow): Promise<Secret> {
    const { created_at, previous_expires_at } = row;
    return {
      secret: await seal.open(row.secret, row.user_id),
      created_at,
      previous_expires_at: isOverlapping(row) ? previous_expires_at : null,
    };
  }

  function isOverlapping({ previous_expires_at }: SecretRow): boolean {
    return previous_expires_at !== null && previous_expires_at > clock.now();
  }

  /** What makes the `webhook-signature` headers of these users: signed by the secret, and by the one before while it lasts. */
  async function signer(user_ids: string[]) {
    const rows = new Map((await ensureEach(db, [...new Set(user_ids)])).map((row) => [row.user_id, row]));
    const opened = new Map<string, Promise<Webhook[]>>();
    return async (user_id: string, id: string, at: Date, payload: string): Promise<string> => {
      const webhooks = opened.get(user_id) ?? open(rows.get(user_id) as SecretRow);
      opened.set(user_id, webhooks);
      return (await webhooks).map((webhook) => webhook.sign(id, at, payload)).join(' ');
    };
  }

  async function open(row: SecretRow): Promise<Webhook[]> {
    const sealed = [row.secret, ...(row.previous_secret && isOverlapping(row) ? [row.previous_secret] : [])];
    const secrets = await Promise.all(sealed.map((secret) => seal.open(secret, row.user_id)));
    return secrets.map((secret) => new Webhook(secret));
  }

  /** Seals what is in the database under another key, or under none, with the first key of SECRETS_KEY; forgets what has expired. */
  async function reseal(): Promise<void> {
    let after = '';
    for (;;) {
      const rows = await listSecrets(db, after, BATCH);
      for (const row of rows) if (!isTidy(row)) await resealOne(row.user_id);
      if (rows.length < BATCH) return;
      after = rows.at(-1)?.user_id ?? '';
    }
  }

  function isTidy(row: SecretRow): boolean {
    const isKept = row.previous_secret === null || isOverlapping(row);
    return isKept && [row.secret, row.previous_secret ?? row.secret].every((secret) => seal.isCurrent(secret));
  }

  async function resealOne(user_id: string): Promise<void> {
    const again = async (secret: string) => seal.close(await seal.open(secret, user_id), user_id);
    await db.transaction().execute(async (trx) => {
      const row = await lockSecret(trx, user_id);
      const previous = isOverlapping(row) ? row.previous_secret : null;
      await updateSecret(trx, user_id, {
        secret: await again(row.secret),
        previous_secret: previous && (await again(previous)),
        previous_expires_at: previous === null ? null : row.previous_expires_at,
      });
    });
  }

  return { get, rotate, signer, reseal, erase: deleteSecret };
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
