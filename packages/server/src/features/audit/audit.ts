import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Actor } from '../../lib/principal.ts';
import { insertEntry, listEntries, pseudonymizeEntries } from './store.ts';

export type Audit = ReturnType<typeof createAudit>;

type Action =
  | 'key.created'
  | 'key.revoked'
  | 'console.signed_in'
  | 'budget.changed'
  | 'call.listened'
  | 'number.assigned'
  | 'number.released'
  | 'transfer.started'
  | 'transfer.completed'
  | 'callback_secret.rotated'
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.updated'
  | 'webhook_endpoint.deleted'
  | 'prices.changed'
  | 'prices.applied'
  | 'carrier_costs.imported'
  | 'user.erased';

/**
 * Records changes of keys, numbers, transfers, secrets, prices and users, and listening in: who, when, and from
 * where.
 */
export function createAudit({ db, clock }: { db: Db; clock: Clock }) {
  /**
   * Writes an entry in the transaction of the change. `target` is `kind/id`; neither it nor `detail` may contain
   * personal data.
   */
  function record(trx: Db, actor: Actor, action: Action, target: string, detail: string | null = null): Promise<void> {
    return insertEntry(trx, { id: newId(), at: clock.now(), ...actor, action, target, detail });
  }

  return {
    record,
    list: async (page: PageRequest) => toPage(await listEntries(db, page), page.limit, (entry) => entry.id),
    pseudonymize: pseudonymizeEntries,
  };
}
