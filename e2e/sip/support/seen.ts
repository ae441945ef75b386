import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';

/** The outcome of a scenario, as seen from both sides. */
export interface Seen {
  group: string;
  scenario: string;
  /** The final state in the API; null if there is no call. */
  call_status: string | null;
  end_reason: string | null;
  sip_status_code: number | null;
  /** The requests that the phone received: `INVITE, CANCEL`. */
  phone: string;
}

/** The outcomes of one test file: scenarios with the number of times, and figures by name. */
export interface Record {
  rows: (Seen & { times: number })[];
  figures: { name: string; value: string }[];
}

const record: Record = { rows: [], figures: [] };

/** Counts runs with the expected outcome. Any other fails its test. */
export function recordScenario(seen: Seen, times = 1): void {
  const same = record.rows.find((row) => isSame(row, seen));
  if (same) same.times += times;
  else record.rows.push({ ...seen, times });
}

function isSame(a: Seen, b: Seen): boolean {
  return (['group', 'scenario', 'call_status', 'end_reason', 'sip_status_code', 'phone'] as const).every(
    (key) => a[key] === b[key],
  );
}

export function recordFigure(name: string, value: string | number): void {
  record.figures.push({ name, value: String(value) });
}

after(() => {
  const dir = process.env.SIP_SEEN;
  const name = path.basename(process.argv[1] ?? '', '.test.ts');
  if (dir) writeFileSync(path.join(dir, `${name}.json`), JSON.stringify(record));
});
