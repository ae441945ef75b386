import type { Db } from '../../db/tables.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { deletePrivacy, findPrivacy, lockPrivacy, savePrivacy } from './privacy-store.ts';

/** Rules of users about what is not kept, with whichever agent. A conversation that has begun keeps those it had. */
export function createUserPrivacy({ db, audit }: Pick<Platform, 'db' | 'audit'>) {
  return {
    privacyOf: (user_id: string, within: Db = db) => findPrivacy(within, user_id),
    /** Replaces it; null removes it. */
    setPrivacy: async (trx: Db, user_id: string, privacy: JsonObject | null, actor: Actor): Promise<void> => {
      await lockPrivacy(trx, user_id);
      const before = await findPrivacy(trx, user_id);
      await (privacy ? savePrivacy(trx, user_id, privacy) : deletePrivacy(trx, user_id));
      const change = { user_id, before: { privacy: before }, after: { privacy } };
      await audit.record(trx, actor, 'user.privacy_changed', 'user', change);
    },
    /** Also what another transaction is about to set, for which it waits. */
    forgetPrivacy: async (trx: Db, user_id: string): Promise<void> => {
      await lockPrivacy(trx, user_id);
      await deletePrivacy(trx, user_id);
    },
  };
}
