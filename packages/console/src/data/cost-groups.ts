import { decimal, type LedgerEvent } from '@switchboard/client';

/** A line, and whether it is unpriced: it was logged without a price, and no other line has priced it since. */
export type CostLine = LedgerEvent & { hasNoPrice: boolean };

/** Lines of one provider, kind of usage and model, added up exactly. */
export interface CostGroup {
  provider: string;
  event_type: string;
  model: string | null;
  lines: number;
  quantity: string;
  total_cost: string;
  unpriced: number;
}

export type CostSum = Pick<CostGroup, 'event_type' | 'total_cost'>;

/** The largest cost first. */
export function sortSums(byKind: Record<string, string>): CostSum[] {
  const sums = Object.entries(byKind).map(([event_type, total_cost]) => ({ event_type, total_cost }));
  return sums.sort((a, b) => decimal.compare(b.total_cost, a.total_cost));
}

/** The lines of these ledger events. */
export function toLines(events: LedgerEvent[]): CostLine[] {
  const adjusted = new Set(events.map(({ adjusts }) => adjusts));
  return events.map((event) => ({ ...event, hasNoPrice: event.is_unpriced && !adjusted.has(event.id) }));
}

/** The largest cost first. A line that prices an earlier one adds its cost, and no quantity. */
export function groupLines(lines: CostLine[]): CostGroup[] {
  const groups = Map.groupBy(lines, ({ provider, event_type, model }) => JSON.stringify([provider, event_type, model]));
  const sums = [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const { provider, event_type, model } = first;
    const used = all.filter(({ adjusts }) => adjusts === null);
    return {
      provider,
      event_type,
      model,
      lines: all.length,
      quantity: decimal.sum(used.map(({ quantity }) => quantity)),
      total_cost: decimal.sum(all.map(({ total_cost }) => total_cost)),
      unpriced: all.filter(({ hasNoPrice }) => hasNoPrice).length,
    };
  });
  return sums.sort((a, b) => decimal.compare(b.total_cost, a.total_cost));
}
