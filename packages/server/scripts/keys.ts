// Manages API keys without a running service, in the database named by the environment: above all the first key.
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config.ts';
import { DirectoryLockedError } from '../src/db/lock.ts';
import { openDatabase } from '../src/db/open.ts';
import { createAudit } from '../src/features/audit/audit.ts';
import { createKeys } from '../src/features/keys/keys.ts';
import { systemClock } from '../src/lib/clock.ts';
import { AppError, InvalidRequest } from '../src/lib/errors.ts';
import { runCommand, UsageError } from './support/command.ts';

const USAGE = `API keys, made, listed and revoked in the database of the service: DATABASE_URL, or the embedded one in DATA_DIR.

npm run keys -- create --name NAME --role service|worker   makes a key and shows it, this once
npm run keys -- create --name NAME --role user --user ID   makes a key that is bound to one user
npm run keys -- list                                       lists all keys, without the keys themselves
npm run keys -- revoke ID                                  revokes a key for good

Roles:
  service  everything, for any user that it names in x-user-id: for your own backend
  worker   what an agent's worker needs: transcripts, usage events, the calls it serves
  user     what belongs to its one user

While a service runs on the embedded database, use its POST /api/keys instead.`;

const ACTOR = { actor: 'command', user_id: null, ip: null };

const ROLES = ['service', 'worker', 'user'] as const;

type Role = (typeof ROLES)[number];

type Command =
  | { name: 'create'; input: { name: string; role: Role; user_id: string | null } }
  | { name: 'list' }
  | { name: 'revoke'; id: string };

/** The command line, or null for help. Throws `UsageError`, or an error of `parseArgs`. */
function readCommand(): Command | null {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      role: { type: 'string' },
      user: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [command, id] = positionals;
  if (values.help || command === 'help') return null;
  if (command === 'list') return { name: 'list' };
  if (command === 'revoke') {
    if (!id) throw new UsageError('revoke needs the id of a key: npm run keys -- list shows them.');
    return { name: 'revoke', id };
  }
  if (command !== 'create') throw new UsageError(command ? `There is no command "${command}".` : 'Which command?');
  const { name, role, user } = values;
  if (!name) throw new UsageError('create needs --name, by which you will know the key again.');
  if (!isRole(role)) throw new UsageError(`--role must be one of ${ROLES.join(', ')}${role ? `, not "${role}"` : ''}.`);
  if (role === 'user' && !user) throw new UsageError('A key of role user needs --user, the user it is bound to.');
  if (role !== 'user' && user)
    throw new UsageError(`--user is for keys of role user; a ${role} key acts for any user.`);
  return { name: 'create', input: { name, role, user_id: user ?? null } };
}

function isRole(text: string | undefined): text is Role {
  return ROLES.some((role) => role === text);
}

async function run(): Promise<void> {
  const command = readCommand();
  if (command === null) return console.log(USAGE);
  const database = await openDatabase({
    ...loadConfig({ ...process.env, HOST: '127.0.0.1' }).database,
    onIdleError: () => {},
  });
  try {
    const base = { db: database.db, clock: systemClock };
    const keys = createKeys({ ...base, audit: createAudit(base) });
    if (command.name === 'create') {
      const created = await keys.create(command.input, ACTOR);
      console.log(`${created.key}\n(id ${created.id}; the key is shown only once)`);
    } else if (command.name === 'list') {
      for (
        let page = await keys.list({ limit: 100, after: null });
        ;
        page = await keys.list({ limit: 100, after: page.items.at(-1)?.id ?? null })
      ) {
        for (const key of page.items) {
          const state = key.revoked_at
            ? `revoked ${key.revoked_at.toISOString()}`
            : `${key.expires_at ? `expires ${key.expires_at.toISOString()}, ` : ''}last used ${key.last_used_at?.toISOString() ?? 'never'}`;
          console.log([key.id, key.role, key.user_id ?? '-', key.name, state].join('  '));
        }
        if (page.next_cursor === null) break;
      }
    } else {
      await keys.revoke(command.id, ACTOR);
      console.log('revoked');
    }
  } finally {
    await database.close();
  }
}

/** The errors that have a remedy, in words. */
function explain(error: Error): string | undefined {
  if (error instanceof DirectoryLockedError)
    return `${error.message}\nIf that process is the service: ask it for keys, POST /api/keys; revoke them by POST /api/keys/{id}/revoke.`;
  if (error instanceof InvalidRequest) return error.problems[0]?.msg ?? error.message;
  if (error instanceof AppError && error.code === 'not_found')
    return 'There is no key with this id: npm run keys -- list shows them.';
  return undefined;
}

runCommand(USAGE, run, explain);
