// Verifies the rollups of reports against the ledger, the calls and their analyses, or rebuilds them, while the
// service may run.
import { parseArgs } from 'node:util';
import { createAnalysisRollups } from '../src/calling/analyses/rebuild.ts';
import { loadConfig } from '../src/config.ts';
import { createCallRollups } from '../src/conversations/stats/rebuild.ts';
import { openDatabase } from '../src/db/open.ts';
import { createRollups } from '../src/ledger/usage/rollups.ts';
import { runCommand, UsageError } from './support/command.ts';

const USAGE = `npm run rollups -- verify    compares them with the sums of the events, to the last digit, with the calls and their analyses; exit code 1 if they differ
npm run rollups -- rebuild   rebuilds them from the events, the calls and their analyses`;
const BAR = 40;

function progress(done: number, total: number): void {
  if (!process.stderr.isTTY && done < total) return;
  const full = Math.round((BAR * done) / total);
  process.stderr.write(`\r[${'#'.repeat(full)}${' '.repeat(BAR - full)}] ${done} of ${total} days`);
  if (done >= total) process.stderr.write('\n');
}

/** The command, or null for help. Throws `UsageError`, or an error of `parseArgs`. */
function readCommand(): 'verify' | 'rebuild' | null {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  const [command, more] = positionals;
  if (values.help || command === 'help') return null;
  if (command !== 'verify' && command !== 'rebuild')
    throw new UsageError(command ? `There is no command "${command}".` : 'Which command?');
  if (more !== undefined) throw new UsageError(`${command} does not take "${more}" as well.`);
  return command;
}

async function run(): Promise<void> {
  const command = readCommand();
  if (command === null) return console.log(USAGE);
  // The embedded database allows one process: stop the service first.
  const config = loadConfig({ ...process.env, HOST: '127.0.0.1' });
  const database = await openDatabase({ ...config.database, onIdleError: () => {}, isPatient: true });
  try {
    const rollups = createRollups(database.db);
    const others = [createCallRollups(database.db), createAnalysisRollups(database.db)];
    if (command === 'rebuild') {
      await rollups.rebuild(progress);
      for (const one of others) await one.rebuild();
      return;
    }
    const { users, days, wrong } = await rollups.verify(progress);
    for (const one of others) wrong.push(...(await one.verify()));
    for (const one of wrong) console.log(`wrong: ${one}`);
    console.log(
      `${users} users, ${days} days: ${wrong.length === 0 ? 'all as the events, the calls and their analyses say' : `${wrong.length} wrong`}`,
    );
    if (wrong.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

runCommand(USAGE, run, () => undefined);
