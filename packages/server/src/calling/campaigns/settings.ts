import type { Db } from '../../db/tables.ts';
import type { PurposeName } from '../policies/policies.ts';
import type { Abandonment } from './abandonment.ts';
import type { Blocked, Circuit, Pacing } from './pacing.ts';
import { type REACHING, RECIPIENT_STATES } from './state-schema.ts';
import type { Retries } from './states.ts';
import { type CampaignRow, type Count, countsOf } from './store.ts';

/** Settings of a campaign, besides those with columns of their own. */
export interface Settings {
  from_numbers: string[];
  pacing: Pacing;
  retries: Retries;
  reached_by: (typeof REACHING)[number][];
  /** Null: whatever the disposition of a call is. */
  reached_dispositions: string[] | null;
  purpose: PurposeName;
  /** The name of a policy; null: as the agent's configuration says. */
  policy: string | null;
  circuit: Circuit | null;
}

/** Campaigns of earlier releases have no dispositions. */
export const settingsOf = ({ settings }: Pick<CampaignRow, 'settings'>): Settings => ({
  reached_dispositions: null,
  ...(JSON.parse(settings) as Omit<Settings, 'reached_dispositions'>),
});

/** Campaigns as they are shown, with their counts. */
export async function viewsOf(db: Db, rows: CampaignRow[]) {
  const counts = await countsOf(
    db,
    rows.map(({ id }) => id),
  );
  const of = Map.groupBy(counts, ({ campaign_id }) => campaign_id);
  return rows.map((row) => view(row, of.get(row.id) ?? []));
}

export function view(row: CampaignRow, counts: Count[]) {
  const { id, name, agent_id, agent_version, state, budget, spent, blocked, blocked_until } = row;
  return {
    id,
    name,
    agent_id,
    agent_version,
    state,
    blocked: blocked === null ? null : { reason: blocked as Blocked, until: blocked_until },
    abandonment: row.abandonment === null ? null : abandonmentIn(row.abandonment),
    ...settingsOf(row),
    budget: budget === null ? null : plain(budget),
    spent: plain(spent),
    expires_at: row.expires_at,
    recipients: recipientsIn(counts),
    created_at: row.created_at,
    started_at: row.started_at,
    ended_at: row.ended_at,
  };
}

/** Recipients by state, and all of them. */
export function recipientsIn(counts: Count[]) {
  const states = namedIn(counts, 'recipients', RECIPIENT_STATES);
  return { total: Object.values(states).reduce((sum, count) => sum + count, 0), ...states };
}

export function namedIn<const T extends readonly string[]>(counts: Count[], kind: Count['kind'], names: T) {
  const countOf = (wanted: string) => counts.find((one) => one.kind === kind && one.name === wanted)?.count ?? 0;
  return Object.fromEntries(names.map((name) => [name, countOf(name)])) as Record<T[number], number>;
}

function abandonmentIn(text: string) {
  const kept = JSON.parse(text) as Abandonment;
  return { ...kept, rate: kept.answered === 0 ? 0 : kept.abandoned / kept.answered };
}

/** A decimal without needless zeros. */
const plain = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);
