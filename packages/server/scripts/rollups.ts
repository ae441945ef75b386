// Verifies the rollups of reports against the ledger and the calls, or rebuilds them, while the service may run.
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/open.ts';
import { createCallRollups } from '../src/features/stats/rebuild.ts';
import { createRollups } from '../src/features/usage/rollups.ts';
import { runCommand } from './support/command.ts';

const USAGE = `npm run rollups -- verify    compares them with the sums of the events, to the last digit, and with the calls; exit code 1 if they differ
npm run rollups -- rebuild   rebuilds them from the events and the calls`;
const BAR = 40;

function progress(done: number, total: number): void {
  if (!process.stderr.isTTY && done < total) return;
  const full = Math.round((BAR * done) / total);
  process.stderr.write(`\r[${'#'.repeat(full)}${' '.repeat(BAR - full)}] ${done} of ${total} days`);
  if (done >= total) process.stderr.write('\n');
}

async function run(command: string | undefined): Promise<void> {
  if (command !== 'verify' && command !== 'rebuild') throw new Error(USAGE);
  // The embedded database allows one process: stop the service first.
  const config = loadConfig({ ...process.env, HOST: '127.0.0.1' });
  const database = await openDatabase({ ...config.database, onIdleError: () => {}, isPatient: true });
  try {
    const rollups = createRollups(database.db);
    const calls = createCallRollups(database.db);
    if (command === 'rebuild') {
      await rollups.rebuild(progress);
      return await calls.rebuild();
    }
    const { users, days, wrong } = await rollups.verify(progress);
    wrong.push(...(await calls.verify()));
    for (const one of wrong) console.log(`wrong: ${one}`);
    console.log(
      `${users} users, ${days} days: ${wrong.length === 0 ? 'all as the events and the calls say' : `${wrong.length} wrong`}`,
    );
    if (wrong.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

runCommand(
  USAGE,
  () => run(process.argv[2]),
  () => undefined,
);
