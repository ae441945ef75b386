// Verifies the hash chain of the audit log, in the database named by the environment.
import { parseArgs } from 'node:util';
import { type Anchor, verifyChain } from '../src/access/audit/verify.ts';
import { loadConfig } from '../src/config.ts';
import { DirectoryLockedError } from '../src/db/lock.ts';
import { openDatabase } from '../src/db/open.ts';
import { runCommand, UsageError } from './support/command.ts';

const USAGE = `The audit log in the database of the service: DATABASE_URL, or the embedded one in DATA_DIR.

npm run audit -- verify                    recomputes the hash chain; fails if an entry was removed or changed
npm run audit -- verify --head SEQ:HASH    fails also if an entry that was noted earlier is not part of the chain

Note the head that it shows outside of the database, from time to time: whoever can write to the database can compute
all hashes anew, but not so that they lead to a noted one.

While a service runs on the embedded database, stop it first, or verify a backup.`;

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { head: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  const [command] = positionals;
  if (values.help || command === 'help') return console.log(USAGE);
  if (command !== 'verify') throw new UsageError(command ? `There is no command "${command}".` : 'Which command?');
  const anchor = values.head === undefined ? null : readAnchor(values.head);
  const { database: where } = loadConfig({ ...process.env, HOST: '127.0.0.1' });
  const database = await openDatabase({ ...where, onIdleError: () => {} });
  try {
    const { problems, entries, erased, unsealed, first_seq, last } = await verifyChain(database.db, anchor);
    if (first_seq > 0) console.log(`The retention has deleted the entries up to ${first_seq}.`);
    console.log(`${entries} entries, ${erased} of them of erased users; ${unsealed} not sealed yet.`);
    console.log(`Head: ${last.seq}:${last.hash}`);
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) process.exitCode = 1;
    else console.log('Nothing was removed or changed.');
  } finally {
    await database.close();
  }
}

function readAnchor(text: string): Anchor {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new UsageError('--head needs a head as verify shows it, SEQ:HASH.');
  return { seq: Number(seq), hash };
}

/** The error that has a remedy, in words. */
function explain(error: Error): string | undefined {
  if (error instanceof DirectoryLockedError)
    return `${error.message}\nIf that process is the service: stop it, or verify a backup.`;
  return undefined;
}

runCommand(USAGE, run, explain);
