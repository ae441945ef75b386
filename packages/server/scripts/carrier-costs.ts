// Imports the carrier's bill without a running service, into the database named by the environment.
import { parseArgs } from 'node:util';
import { createAudit } from '../src/access/audit/audit.ts';
import { createCarrierCosts } from '../src/billing/carrier-costs/carrier-costs.ts';
import { type Config, loadConfig } from '../src/config.ts';
import { openDatabaseClock } from '../src/db/clock.ts';
import { DirectoryLockedError } from '../src/db/lock.ts';
import { openDatabase } from '../src/db/open.ts';
import { DAY_MS } from '../src/lib/clock.ts';
import { timeIds } from '../src/lib/ids.ts';
import { ProviderError } from '../src/providers/provider-error.ts';
import { createTwilioCarrier } from '../src/providers/twilio/twilio.ts';
import { runCommand, UsageError } from './support/command.ts';

const USAGE = `What Twilio billed for the phone line, into the ledger of the service: DATABASE_URL, or the embedded one in DATA_DIR.

npm run carrier-costs -- import MONTH         the calls of a month, such as 2026-01
npm run carrier-costs -- import START [END]   those of some days, such as 2026-01-31

Adds an adjusting entry for each call that was billed otherwise than it was booked, and shows the differences. It can be
interrupted and repeated: each record is booked once, and one that is not billed yet by a later import. Rules: docs/costs.md.
While a service runs on the embedded database, use its POST /api/costs/carrier-import instead.`;

const ACTOR = { actor: 'command', user_id: null, ip: null };

/** The days to import, in order; null for help. Throws `UsageError`, or an error of `parseArgs`. */
function readCommand(): string[] | null {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  const [name, first, second] = positionals;
  if (values.help || name === 'help') return null;
  if (name !== 'import') throw new UsageError(name ? `There is no command "${name}".` : 'Which command?');
  if (!first) throw new UsageError('import needs a month or a day.');
  const isMonth = /^\d{4}-\d\d$/.test(first) && second === undefined;
  const start = dayOf(isMonth ? `${first}-01` : first);
  const end = isMonth ? lastOf(start) : second ? dayOf(second) : start;
  if (end < start) throw new UsageError('START must not be after END.');
  const count = (end.getTime() - start.getTime()) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(start.getTime() + index * DAY_MS).toISOString().slice(0, 10),
  );
}

function dayOf(text: string): Date {
  const day = new Date(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return day;
  throw new UsageError(`"${text}" must be a day, as in 2026-01-31, or a month, as in 2026-01.`);
}

function lastOf(first: Date): Date {
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
}

type Imported = Awaited<ReturnType<ReturnType<typeof createCarrierCosts>['importDay']>>;

function show({ date, currency, calls, unmatched_records, unmatched_lines, ...day }: Imported): void {
  const { records, imported, pending, other_currency, booked, billed, difference } = day;
  console.log(`${date}: ${records} records, ${imported} imported; booked ${booked}, billed ${billed} ${currency}`);
  for (const call of calls)
    console.log(`  ${call.session_id} ${call.carrier_call_sid}: ${call.booked} -> ${call.billed} (${call.difference})`);
  if (calls.length > 0) console.log(`  difference ${difference}`);
  if (pending > 0) console.log(`  ${pending} records are not billed yet: import the day again later`);
  if (other_currency > 0) console.log(`  ${other_currency} records are in another currency, and were not booked`);
  if (unmatched_records.count > 0)
    console.log(
      `  ${unmatched_records.count} records of calls that are not in the ledger, ${unmatched_records.billed}:`,
    );
  for (const { carrier_call_sid, started_at, duration_s, cost } of unmatched_records.items)
    console.log(`    ${carrier_call_sid} ${started_at.toISOString()} ${duration_s} s ${cost ?? 'not billed yet'}`);
  if (unmatched_lines.count > 0)
    console.log(`  ${unmatched_lines.count} lines in the ledger without a record, ${unmatched_lines.booked}:`);
  for (const { session_id, ended_at, direction, booked } of unmatched_lines.items)
    console.log(`    ${session_id} ${direction ?? 'of unknown direction'} until ${ended_at.toISOString()} ${booked}`);
}

async function importDays(config: Config, days: string[]): Promise<void> {
  if (!config.twilio) throw new UsageError('Set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_TRUNK_SID.');
  const database = await openDatabase({ ...config.database, onIdleError: () => {}, isPatient: true });
  const clock = await openDatabaseClock(database.db);
  timeIds(() => clock.now().getTime());
  try {
    const base = { db: database.db, clock };
    const carrier = createTwilioCarrier(config.twilio);
    const { importDay } = createCarrierCosts({
      ...base,
      audit: createAudit(base),
      carrier,
      currency: config.currency,
    });
    for (const day of days) show(await importDay(day, ACTOR));
  } finally {
    await clock.stop();
    await database.close();
  }
}

async function run(): Promise<void> {
  const days = readCommand();
  if (days === null) return console.log(USAGE);
  await importDays(loadConfig({ ...process.env, HOST: '127.0.0.1' }), days);
}

/** The errors that have a remedy, in words. */
function explain(error: Error): string | undefined {
  if (error instanceof DirectoryLockedError)
    return `${error.message}\nIf that process is the service: use POST /api/costs/carrier-import.`;
  if (error instanceof ProviderError)
    return `${error.message}\n${error.cause}\nWhat was imported stays: import again later.`;
  return undefined;
}

runCommand(USAGE, run, explain);
