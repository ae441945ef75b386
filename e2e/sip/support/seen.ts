import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';

/** What was seen of a scenario, on both sides. */
interface Seen {
  group: string;
  scenario: string;
  /** `call_status` and, where it has one, `end_reason`, as the API says at the end. */
  call_status: string;
  end_reason: string | null;
  sip_status_code: number | null;
  /** What the phone saw of the bridge: `INVITE, CANCEL`. */
  phone: string;
}

/** Scenarios with how often they were tried and came out right. */
interface Record {
  rows: (Seen & { tries: number })[];
}

const record: Record = { rows: [] };

/** Counts a try that came out right. Those that did not have failed their test. */
export function sawRight(seen: Seen): void {
  const same = record.rows.find(
    (row) => row.scenario === seen.scenario && row.group === seen.group && row.phone === seen.phone,
  );
  if (same) same.tries++;
  else record.rows.push({ ...seen, tries: 1 });
}

after(() => {
  const dir = process.env.SIP_SEEN;
  if (!dir) return;
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, `${path.basename(process.argv[1] ?? '', '.test.ts')}.json`), JSON.stringify(record));
});
