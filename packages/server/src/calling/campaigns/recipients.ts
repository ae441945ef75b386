import type { CallVariables, Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type AttemptRow, attemptsOf } from './attempts-store.ts';
import type { Campaigns } from './campaigns.ts';
import { findRecipient, listRecipients, type RecipientRow } from './recipients-store.ts';
import type { Outcome, RecipientState } from './state-schema.ts';

export type Recipients = ReturnType<typeof createRecipients>;

/** Recipients that an export reads at a time. */
const PAGE = 1_000;

/** Recipients of campaigns, with their attempts. */
export function createRecipients({ db, campaigns }: { db: Db; campaigns: Campaigns }) {
  async function withAttempts(rows: RecipientRow[]) {
    const ids = rows.filter(({ attempts }) => attempts > 0).map(({ id }) => id);
    const of = Map.groupBy(await attemptsOf(db, ids), ({ recipient_id }) => recipient_id);
    return rows.map((row) => view(row, of.get(row.id) ?? []));
  }

  /** In the order in which they were added. Throws `not_found`. */
  async function list(caller: string | null, campaign_id: string, state: string | undefined, page: PageRequest) {
    await campaigns.findOwn(caller, campaign_id);
    const rows = await listRecipients(db, { campaign_id, state }, page);
    const { items, next_cursor } = toPage(rows, page.limit, ({ id }) => id);
    return { items: await withAttempts(items), next_cursor };
  }

  /** One of them, with its data. Throws `not_found`. */
  async function get(caller: string | null, campaign_id: string, id: string) {
    await campaigns.findOwn(caller, campaign_id);
    const row = isId(id) ? await findRecipient(db, campaign_id, id) : undefined;
    if (!row) throw new AppError('not_found');
    const [shown] = await withAttempts([row]);
    const variables = row.variables === null ? null : (JSON.parse(row.variables) as CallVariables);
    const metadata = row.metadata === null ? null : (JSON.parse(row.metadata) as JsonObject);
    return { ...(shown as NonNullable<typeof shown>), variables, metadata };
  }

  /** All results, in pages. */
  async function* results(campaign_id: string, state: string | undefined) {
    for (let after: string | null = null; ; ) {
      const rows: RecipientRow[] = await listRecipients(db, { campaign_id, state }, { after, limit: PAGE - 1 });
      yield (await withAttempts(rows)).map(({ attempts, ...row }) => {
        const { call_id = null, outcome = null } = attempts.at(-1) ?? {};
        return { ...row, attempts: attempts.length, call_id, outcome };
      });
      after = rows.at(-1)?.id ?? null;
      if (rows.length < PAGE) return;
    }
  }

  return {
    list,
    get,
    /** The results of a campaign for a file. Throws `not_found`. */
    export: async (caller: string | null, campaign_id: string, state: string | undefined) => {
      await campaigns.findOwn(caller, campaign_id);
      return results(campaign_id, state);
    },
  };
}

function view(row: RecipientRow, attempts: AttemptRow[]) {
  const { id, external_id, phone_number, time_zone, region, reason, decision_id, next_at, created_at, finished_at } =
    row;
  return {
    id,
    external_id,
    phone_number,
    time_zone,
    region,
    state: row.state as RecipientState,
    reason,
    attempts: attempts.map(({ attempt, call_id, decision_id: decision, outcome, started_at, ended_at }) => ({
      attempt,
      call_id,
      decision_id: decision,
      outcome: outcome as Outcome | null,
      started_at,
      ended_at,
    })),
    decision_id,
    next_at,
    created_at,
    finished_at,
  };
}
