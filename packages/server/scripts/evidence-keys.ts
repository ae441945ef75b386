// Manages the keys that sign evidence, in the database named by the environment.
import { parseArgs } from 'node:util';
import { createAudit } from '../src/access/audit/audit.ts';
import { createEvidenceKeys } from '../src/calling/evidence/keys.ts';
import { loadConfig } from '../src/config.ts';
import { DirectoryLockedError } from '../src/db/lock.ts';
import { openDatabase } from '../src/db/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createSeal } from '../src/lib/seal.ts';
import { runCommand, UsageError } from './support/command.ts';

const USAGE = `The keys that sign evidence, in the database of the service: DATABASE_URL, or the embedded one in DATA_DIR.

npm run evidence-keys -- list      lists the public keys, newest first: the newest signs
npm run evidence-keys -- rotate    makes a new key, encrypted with SECRETS_KEY, which signs from now on

What earlier keys have signed stays valid: /.well-known/switchboard-evidence.json has all of them.
While a service runs on the embedded database, stop it first.`;

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  const [command] = positionals;
  if (values.help || command === 'help') return console.log(USAGE);
  if (command !== 'list' && command !== 'rotate')
    throw new UsageError(command ? `There is no command "${command}".` : 'Which command?');
  const config = loadConfig({ ...process.env, HOST: '127.0.0.1' });
  const database = await openDatabase({ ...config.database, onIdleError: () => {} });
  try {
    const base = { db: database.db, clock: systemClock };
    const evidence = createEvidenceKeys({
      ...base,
      audit: createAudit(base),
      seal: createSeal(config.secretsKeys),
    });
    if (command === 'rotate') await evidence.rotate();
    for (const { kid, x, created_at } of (await evidence.published()).keys)
      console.log(`${kid}  made ${created_at.toISOString()}  public key ${x}`);
  } finally {
    await database.close();
  }
}

/** The error that has a remedy, in words. */
function explain(error: Error): string | undefined {
  return error instanceof DirectoryLockedError ? `${error.message}\nStop the service first.` : undefined;
}

runCommand(USAGE, run, explain);
