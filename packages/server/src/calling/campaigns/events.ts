import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import type { Change, RecipientRow } from './recipients-store.ts';
import { isOpen } from './states.ts';
import type { CampaignRow } from './store.ts';

type Who = Pick<RecipientRow, 'id' | 'external_id' | 'phone_number'>;

/** Queues `recipient.finished` for those with whom the campaign is done, in the transaction of the change. */
export async function ended(
  trx: Db,
  callbacks: Callbacks,
  { id: campaign_id, user_id }: CampaignRow,
  recipients: Who[],
  changes: Pick<Change, 'id' | 'state' | 'reason' | 'attempts'>[],
): Promise<void> {
  const who = new Map(recipients.map((recipient) => [recipient.id, recipient]));
  const data = changes.flatMap(({ id, state, reason, attempts }) => {
    const { external_id, phone_number } = who.get(id) ?? {};
    return isOpen(state) ? [] : { campaign_id, recipient_id: id, external_id, phone_number, state, reason, attempts };
  });
  await callbacks.enqueueEachForUser(trx, 'recipient.finished', { user_id }, data);
}
