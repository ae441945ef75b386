import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Seal } from '../../lib/seal.ts';
import { listSecrets, lockSecret, overlapping, type SecretRow, toColumns, updateSecret } from './store.ts';

const BATCH = 100;

/** Keeps the stored secrets encrypted with the first key of SECRETS_KEY. */
export function createReseal({ db, clock, seal }: { db: Database['db']; clock: Clock; seal: Seal }) {
  /**
   * Encrypts secrets that use another key, or none, with the first key of SECRETS_KEY; deletes expired ones. Returns
   * the number of users whose secret no key decrypts; these do not stop the rest. Calls `beforeBatch`, which may
   * throw to stop.
   */
  return async function reseal(beforeBatch: () => Promise<void>): Promise<number> {
    let [after, unopened] = ['', 0];
    for (;;) {
      await beforeBatch();
      const rows = await listSecrets(db, after, BATCH);
      for (const row of rows) {
        if (isUpToDate(row)) continue;
        if (await canOpen(row)) await resealOne(row.user_id);
        else unopened++;
      }
      if (rows.length < BATCH) return unopened;
      after = rows.at(-1)?.user_id ?? '';
    }
  };

  function isUpToDate(row: SecretRow): boolean {
    const kept = (row.previous_secret === null ? 0 : 1) + row.earlier_secrets.length;
    const still = overlapping(row, clock.now());
    return kept === still.length && [row, ...still].every(({ secret }) => seal.isCurrent(secret));
  }

  function canOpen(row: SecretRow): Promise<boolean> {
    const secrets = [row, ...overlapping(row, clock.now())];
    return Promise.all(secrets.map(({ secret }) => seal.open(secret, row.user_id))).then(
      () => true,
      () => false,
    );
  }

  async function resealOne(user_id: string): Promise<void> {
    const again = async (secret: string) => seal.close(await seal.open(secret, user_id), user_id);
    await db.transaction().execute(async (trx) => {
      const row = await lockSecret(trx, user_id);
      // The user has been erased meanwhile.
      if (!row) return;
      const still = await Promise.all(
        overlapping(row, clock.now()).map(async ({ secret, expires_at }) => ({
          secret: await again(secret),
          expires_at,
        })),
      );
      await updateSecret(trx, user_id, { secret: await again(row.secret), ...toColumns(still) });
    });
  }
}
