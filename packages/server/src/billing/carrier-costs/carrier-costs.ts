import { lockPricing } from '../../ledger/prices/prices.ts';
import { insertUsageEvents } from '../../ledger/usage/usage.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Carrier, CarrierCall } from '../../providers/carrier.ts';
import { matchRecords } from './match.ts';
import {
  type BilledLine,
  compareRecords,
  type Due,
  deleteRecordsOf,
  findRecords,
  insertRecords,
  listLines,
  lockDue,
  type Pair,
  sumEach,
} from './store.ts';

export type CarrierCosts = ReturnType<typeof createCarrierCosts>;

/** Maximum calls, records and lines listed in a response, each. */
export const MAX_LISTED = 1_000;
/** Records per transaction. */
const RECORDS_AT_ONCE = 500;
/** A line may begin on another day than its record: a line begins with the answer, a record with the ringing. */
const MARGIN_MS = 10 * 60 * 1000;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  carrier: Pick<Carrier, 'name' | 'listCalls'>;
  /** ISO 4217, for all amounts. */
  currency: string;
}

/** Reconciles the ledger with the carrier's bill for the phone line. */
export function createCarrierCosts({ db, clock, audit, carrier, currency }: Deps) {
  /**
   * Imports the carrier's records of calls that began on a day (`YYYY-MM-DD`, UTC): adds an adjusting entry for each
   * line whose bill differs from the ledger. Idempotent and safe to interrupt or run concurrently. Records without a
   * price are left for a later import. Throws `ProviderError`.
   */
  async function importDay(date: string, actor: Actor) {
    const { records, lines, known, matches } = await matchDay(new Date(date));
    const pairs = records.flatMap((record) => pairOf(record, known.get(record.carrier_call_sid), matches.get(record)));
    let imported = 0;
    for (let done = 0; done < pairs.length; done += RECORDS_AT_ONCE)
      imported += await book(pairs.slice(done, done + RECORDS_AT_ONCE), actor);
    const taken = new Set(matches.values());
    return {
      date,
      currency,
      records: records.length,
      imported,
      pending: records.filter(({ cost }) => cost === null).length,
      other_currency: records.filter(isForeign).length,
      ...(await compareRecords(
        db,
        records.map(({ carrier_call_sid }) => carrier_call_sid),
        MAX_LISTED,
      )),
      ...(await unmatched(
        records.filter((record) => !known.has(record.carrier_call_sid) && !matches.has(record)),
        lines.filter((line) => !taken.has(line)),
      )),
    };
  }

  /** The day's records and lines, the records that were imported before, and the lines that the others match. */
  async function matchDay(from: Date) {
    const to = new Date(from.getTime() + DAY_MS);
    const around = await recordsOf(new Date(from.getTime() - MARGIN_MS), new Date(to.getTime() + MARGIN_MS));
    const isOfDay = ({ started_at }: { started_at: Date }) => started_at >= from && started_at < to;
    const known = await findRecords(db, around);
    const fresh = around.filter(({ carrier_call_sid }) => !known.has(carrier_call_sid));
    const lines = await listLines(
      db,
      carrier.name,
      new Date(from.getTime() - MARGIN_MS),
      new Date(to.getTime() + MARGIN_MS),
    );
    const matches = matchRecords(fresh, lines);
    return { records: around.filter(isOfDay), lines: lines.filter(isOfDay), known, matches };
  }

  async function recordsOf(from: Date, to: Date): Promise<CarrierCall[]> {
    const records: CarrierCall[] = [];
    for await (const page of carrier.listCalls(from, to)) records.push(...page);
    return records;
  }

  const isForeign = (record: CarrierCall) => record.cost !== null && record.currency !== currency;

  /** The pair to book for a record; none if it has no line, no price or another currency, or is booked already. */
  function pairOf(
    record: CarrierCall,
    known: { event_id: string; session_id: string; is_same: boolean } | undefined,
    match: BilledLine | undefined,
  ): Pair[] {
    const line = known ?? match;
    if (!line || record.cost === null || isForeign(record) || known?.is_same) return [];
    const { carrier_call_sid, started_at, duration_s, cost: billed } = record;
    const { event_id, session_id } = line;
    return [{ carrier_call_sid, event_id, session_id, billed, started_at, duration_s }];
  }

  /** Books pairs in one transaction, considering entries made since they were matched; returns their number. */
  function book(pairs: Pair[], actor: Actor): Promise<number> {
    return db.transaction().execute(async (trx) => {
      await lockPricing(trx);
      const due = await lockDue(trx, pairs);
      if (due.length === 0) return 0;
      const at = clock.now();
      const entries = due
        .filter(({ difference, is_open }) => is_open || /[1-9]/.test(difference))
        .map((one) => toEntry(one, at));
      if (entries.length > 0) await insertUsageEvents(trx, entries);
      await insertRecords(trx, due, at);
      await audit.record(trx, actor, 'carrier_costs.imported', `carrier/${carrier.name}`, {
        detail: `${due.length} records`,
      });
      return due.length;
    });
  }

  async function unmatched(records: CarrierCall[], lines: BilledLine[]) {
    const priced = records.filter((record) => !isForeign(record)).flatMap(({ cost }) => cost ?? []);
    const booked = lines.map((line) => line.booked);
    const [records_billed, lines_booked] = await sumEach(db, priced, booked);
    return {
      unmatched_records: {
        count: records.length,
        billed: records_billed,
        items: records.slice(0, MAX_LISTED).map(({ ended_at: _, direction: __, ...record }) => record),
      },
      unmatched_lines: {
        count: lines.length,
        booked: lines_booked,
        items: lines.slice(0, MAX_LISTED).map(({ session_id, event_id, direction, ended_at, booked }) => ({
          session_id,
          event_id,
          direction,
          ended_at,
          booked,
        })),
      },
    };
  }

  return { importDay, erase: deleteRecordsOf };
}

/** The entry that adds the difference between bill and ledger, on the day of the line. */
function toEntry(due: Due, created_at: Date) {
  const { session_id, user_id, agent_id, provider, event_type, model, direction } = due;
  return {
    id: newId(),
    session_id,
    user_id,
    agent_id,
    provider,
    event_type,
    model,
    direction,
    created_at,
    quantity: '0',
    unit_cost: '0',
    total_cost: due.difference,
    adjusts: due.event_id,
    used_on: due.day,
    is_pricing: due.is_open,
  };
}
