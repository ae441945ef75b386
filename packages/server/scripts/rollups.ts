// Compares the rollups that the reports read with the ledger, or makes them anew. The service may run meanwhile.
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/open.ts';
import { createRollups } from '../src/features/usage/rollups.ts';

const USAGE = `npm run rollups -- verify    compares them with the sum of the events, to the last digit; ends with 1 when they differ
npm run rollups -- rebuild   makes them anew from the events`;
const BAR = 40;

function progress(done: number, total: number): void {
  if (!process.stderr.isTTY && done < total) return;
  const full = Math.round((BAR * done) / total);
  process.stderr.write(`\r[${'#'.repeat(full)}${' '.repeat(BAR - full)}] ${done} of ${total} days`);
  if (done >= total) process.stderr.write('\n');
}

async function run(command: string | undefined): Promise<void> {
  if (command !== 'verify' && command !== 'rebuild') throw new Error(USAGE);
  // The embedded database takes one process: stop the service first there.
  const config = loadConfig({ ...process.env, HOST: '127.0.0.1' });
  const database = await openDatabase({ ...config.database, onIdleError: () => {}, isPatient: true });
  try {
    const rollups = createRollups(database.db);
    if (command === 'rebuild') return await rollups.rebuild(progress);
    const { users, days, wrong } = await rollups.verify(progress);
    for (const one of wrong) console.log(`wrong: ${one}`);
    console.log(
      `${users} users, ${days} days: ${wrong.length === 0 ? 'all as the events say' : `${wrong.length} wrong`}`,
    );
    if (wrong.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

run(process.argv[2]).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
