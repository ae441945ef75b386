// Manages the price book without a running service, in the database named by the environment.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createAudit } from '../src/access/audit/audit.ts';
import { loadConfig } from '../src/config.ts';
import { openDatabaseClock } from '../src/db/clock.ts';
import { DirectoryLockedError } from '../src/db/lock.ts';
import { openDatabase } from '../src/db/open.ts';
import { createApplyPrices } from '../src/ledger/prices/apply.ts';
import type { NewPrice } from '../src/ledger/prices/entries.ts';
import { InvalidPriceFile, readPriceFile } from '../src/ledger/prices/file.ts';
import { createPrices } from '../src/ledger/prices/prices.ts';
import { PRICE_COLUMNS } from '../src/ledger/prices/schema.ts';
import { csvHeader, csvRecord } from '../src/lib/csv.ts';
import { timeIds } from '../src/lib/ids.ts';
import { runCommand, UsageError } from './support/command.ts';

const USAGE = `The price book in the database of the service: DATABASE_URL, or the embedded one in DATA_DIR.

npm run prices -- import FILE                      records the prices of a file, CSV or JSON, all or none
npm run -s prices -- export [--json] [--history]   writes the prices that hold, or all that ever did, as CSV or JSON
npm run prices -- apply [START [END]]              prices events that were logged without a price, of days such as 2026-01-31

A file that was imported already changes nothing. Files, columns and rules: docs/costs.md.
While a service runs on the embedded database, use its PUT and GET /api/prices and POST /api/prices/apply instead.`;

const ACTOR = { actor: 'command', user_id: null, ip: null };
/** Events between two progress lines. */
const PAGE_SIZE = 5_000;
/** Maximum arguments of each command. */
const MOST_WORDS: Record<string, number> = { import: 1, export: 0, apply: 2 };

type Command =
  | { name: 'import'; file: string }
  | { name: 'export'; json: boolean; history: boolean }
  | { name: 'apply'; from: string | null; to: string | null };

/** The command line, or null for help. Throws `UsageError`, or an error of `parseArgs`. */
function readCommand(): Command | null {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, history: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const [name, first, second] = positionals;
  if (values.help || name === 'help') return null;
  const surplus = positionals[1 + (MOST_WORDS[name ?? ''] ?? positionals.length)];
  if (surplus !== undefined) throw new UsageError(`${name} does not take "${surplus}" as well.`);
  if (name === 'export') return { name, json: values.json === true, history: values.history === true };
  if (name === 'import') {
    if (!first) throw new UsageError('import needs a file.');
    return { name, file: first };
  }
  if (name !== 'apply') throw new UsageError(name ? `There is no command "${name}".` : 'Which command?');
  for (const day of [first, second])
    if (day !== undefined && !isDay(day)) throw new UsageError(`"${day}" must be a day, as in 2026-01-31.`);
  if (first && second && second < first) throw new UsageError('START must not be after END.');
  return { name, from: first ?? null, to: second ?? null };
}

/** Whether the text is a valid date, `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const date = /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : new Date(Number.NaN);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

type Base = Parameters<typeof createPrices>[0];

async function importPrices(base: Base, entries: NewPrice[]): Promise<void> {
  const { added, replaced, unchanged } = await createPrices(base).put(entries, ACTOR);
  console.log(`${added} added, ${replaced} replaced, ${unchanged} in the book already`);
}

async function exportPrices(base: Base, { json, history }: { json: boolean; history: boolean }): Promise<void> {
  if (!json) process.stdout.write(csvHeader(PRICE_COLUMNS));
  const entries: object[] = [];
  await createPrices(base).exportRows({ provider: null, event_type: null, history }, async (page) => {
    if (json) entries.push(...page);
    else process.stdout.write(page.map((price) => csvRecord(PRICE_COLUMNS, price)).join(''));
  });
  if (json) console.log(JSON.stringify({ entries }, null, 2));
}

async function apply(base: Base, days: { from: string | null; to: string | null }): Promise<void> {
  const applyPrices = createApplyPrices(base);
  const counts = { priced: 0, unpriced: 0, detached: 0 };
  const missing = new Map<string, number>();
  for (let after: string | null = null; ; ) {
    const applied = await applyPrices(days, after, PAGE_SIZE, ACTOR);
    counts.priced += applied.priced;
    counts.unpriced += applied.unpriced;
    counts.detached = applied.detached;
    for (const { events, ...kind } of applied.missing) {
      const name = Object.values(kind).filter(Boolean).join(' ');
      missing.set(name, (missing.get(name) ?? 0) + events);
    }
    if (applied.priced > 0) console.log(`${applied.priced} events priced, ${applied.total_cost} in all`);
    if (applied.next === null) break;
    after = applied.next;
  }
  console.log(`${counts.priced} priced, ${counts.unpriced} without a price in the book`);
  for (const [name, events] of missing) console.log(`  no price for ${name}: ${events} events`);
  if (counts.detached > 0) console.log(`${counts.detached} unpriced events are in detached months, and were skipped`);
}

async function run(): Promise<void> {
  const command = readCommand();
  if (command === null) return console.log(USAGE);
  const entries = command.name === 'import' ? readPriceFile(await readFile(command.file)) : [];
  const config = loadConfig({ ...process.env, HOST: '127.0.0.1' });
  const database = await openDatabase({ ...config.database, onIdleError: () => {}, isPatient: true });
  const clock = await openDatabaseClock(database.db);
  timeIds(() => clock.now().getTime());
  try {
    const base = { db: database.db, clock };
    const deps = { ...base, audit: createAudit(base) };
    if (command.name === 'import') await importPrices(deps, entries);
    else if (command.name === 'export') await exportPrices(deps, command);
    else await apply(deps, command);
  } finally {
    await clock.stop();
    await database.close();
  }
}

/** The errors that have a remedy, in words. */
function explain(error: Error): string | undefined {
  if (error instanceof DirectoryLockedError)
    return `${error.message}\nIf that process is the service: use PUT and GET /api/prices, and POST /api/prices/apply.`;
  if (error instanceof InvalidPriceFile) return `Nothing was recorded:\n${error.message}`;
  if ('code' in error && error.code === 'ENOENT') return `There is no file ${(error as NodeJS.ErrnoException).path}.`;
  return undefined;
}

runCommand(USAGE, run, explain);
