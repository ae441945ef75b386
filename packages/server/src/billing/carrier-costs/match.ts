import type { CarrierCall } from '../../providers/carrier.ts';
import type { BilledLine } from './store.ts';

/** Tolerated difference in time between a record and a line: both sides learn of an answer and an end late. */
const TOLERANCE_MS = 120_000;

/**
 * Matches each record with its line: by id, or else by number, direction and time. One line per record; of several
 * matches the nearest. Deterministic.
 */
export function matchRecords(records: CarrierCall[], lines: BilledLine[]): Map<CarrierCall, BilledLine> {
  const byNumber = new Map<string, BilledLine[]>();
  for (const line of lines)
    for (const number of new Set(line.called)) {
      if (!number.startsWith(`+${line.model ?? ''}`)) continue;
      const known = byNumber.get(number);
      if (known) known.push(line);
      else byNumber.set(number, [line]);
    }
  const candidates = records.flatMap((record) =>
    (byNumber.get(record.to) ?? [])
      .filter((line) => isPossible(record, line))
      .map((line) => ({ record, line, apart: apart(record, line) })),
  );
  candidates.sort(
    (a, b) =>
      a.apart - b.apart ||
      compare(a.record.carrier_call_sid, b.record.carrier_call_sid) ||
      compare(a.line.event_id, b.line.event_id),
  );
  const pairs = pairsById(records, lines);
  const taken = new Set<BilledLine>(pairs.values());
  for (const { record, line } of candidates) {
    if (pairs.has(record) || taken.has(line)) continue;
    pairs.set(record, line);
    taken.add(line);
  }
  return pairs;
}

function pairsById(records: CarrierCall[], lines: BilledLine[]): Map<CarrierCall, BilledLine> {
  const byId = new Map(lines.map((line) => [line.carrier_call_sid, line]));
  return new Map(
    records.flatMap((record) => {
      const line = byId.get(record.carrier_call_sid);
      return line ? [[record, line] as const] : [];
    }),
  );
}

function isPossible(record: CarrierCall, line: BilledLine): boolean {
  if (record.direction !== null && record.direction !== line.direction) return false;
  // A caller with a hidden number appears as anonymous.
  const isCallerKnown = line.direction === 'INBOUND' && line.caller !== null && record.from.startsWith('+');
  if (isCallerKnown && record.from !== line.caller) return false;
  return (
    record.started_at.getTime() <= line.ended_at.getTime() + TOLERANCE_MS &&
    record.ended_at.getTime() >= line.started_at.getTime() - TOLERANCE_MS
  );
}

/** Milliseconds between the two beginnings plus the two ends. */
function apart(record: CarrierCall, line: BilledLine): number {
  const between = (a: Date, b: Date) => Math.abs(a.getTime() - b.getTime());
  return between(record.started_at, line.started_at) + between(record.ended_at, line.ended_at);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
