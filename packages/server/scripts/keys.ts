// Manages API keys without a running service, in the database named by the environment: above all the first key.
import { parseArgs } from 'node:util';
import { createAudit } from '../src/access/audit/audit.ts';
import { createKeys, type Keys } from '../src/access/keys/keys.ts';
import { loadConfig } from '../src/config.ts';
import { DirectoryLockedError } from '../src/db/lock.ts';
import { openDatabase } from '../src/db/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { AppError } from '../src/lib/errors.ts';
import { InvalidRequest } from '../src/lib/invalid.ts';
import { bindingOf, ROLES, SCOPES } from '../src/lib/principal.ts';
import { createRevocations } from '../src/lib/revocations.ts';
import { runCommand, UsageError } from './support/command.ts';

const USAGE = `API keys, made, listed and revoked in the database of the service: DATABASE_URL, or the embedded one in DATA_DIR.

npm run keys -- create --name NAME --role ROLE   makes a key and shows it, this once
    --user ID         binds the key to one user: required for user, optional for viewer, supervisor
                      and worker
    --scopes A,B      limits the key to these parts of the API: ${SCOPES.join(', ')}
    --expires DATE    a date or a time, like 2027-01-31
npm run keys -- list                             lists all keys, without the keys themselves
npm run keys -- revoke ID                        revokes a key for good

Roles:
  viewer      reads
  supervisor  reads, listens, hangs up and transfers
  user        what belongs to its one user
  worker      what an agent's worker needs: transcripts, usage events, the calls it serves
  service     everything, for any user that it names in x-user-id: for your own backend
  admin       the same, and keys of role admin: for operators

While a service with AUTH_MODE=required runs on the embedded database, use its POST /api/keys instead.`;

const ACTOR = { actor: 'command', user_id: null, ip: null };

type Input = Parameters<Keys['create']>[0];

type Command = { name: 'create'; input: Input } | { name: 'list' } | { name: 'revoke'; id: string };

/** The command line, or null for help. Throws `UsageError`, or an error of `parseArgs`. */
function readCommand(): Command | null {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      role: { type: 'string' },
      user: { type: 'string' },
      scopes: { type: 'string' },
      expires: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [command, id] = positionals;
  const { help, ...key } = values;
  if (help || command === 'help') return null;
  if (command === 'list') return { name: 'list' };
  if (command === 'revoke') {
    if (!id) throw new UsageError('revoke needs the id of a key: npm run keys -- list shows them.');
    return { name: 'revoke', id };
  }
  if (command !== 'create') throw new UsageError(command ? `There is no command "${command}".` : 'Which command?');
  return { name: 'create', input: readKey(key) };
}

/** The key to create. Throws `UsageError`. */
function readKey({ name, role, user, scopes, expires }: Record<string, string | undefined>): Input {
  if (!name) throw new UsageError('create needs --name, by which you will know the key again.');
  if (!isOneOf(ROLES, role))
    throw new UsageError(`--role must be one of ${ROLES.join(', ')}${role ? `, not "${role}"` : ''}.`);
  if (bindingOf(role) === 'always' && !user)
    throw new UsageError(`A key of role ${role} needs --user, the user it is bound to.`);
  if (bindingOf(role) === 'never' && user)
    throw new UsageError(
      `--user is for keys of role user, viewer, supervisor or worker; a ${role} key acts for any user.`,
    );
  if (expires !== undefined && Number.isNaN(Date.parse(expires)))
    throw new UsageError(`--expires must be a date like 2027-01-31, not "${expires}".`);
  const wanted = scopes?.split(',') ?? null;
  const unknown = wanted?.find((scope) => !isOneOf(SCOPES, scope));
  if (unknown !== undefined) throw new UsageError(`--scopes must be among ${SCOPES.join(', ')}, not "${unknown}".`);
  return {
    name,
    role,
    user_id: user ?? null,
    scopes: wanted?.filter((scope) => isOneOf(SCOPES, scope)) ?? null,
    expires_at: expires === undefined ? null : new Date(expires).toISOString(),
  };
}

function isOneOf<const T extends string>(values: readonly T[], text: string | undefined): text is T {
  return values.some((value) => value === text);
}

function lineOf(key: Awaited<ReturnType<Keys['list']>>['items'][number]): string {
  const lastUse = `last used ${key.last_used_at?.toISOString() ?? 'never'}`;
  const state = key.revoked_at
    ? [`revoked ${key.revoked_at.toISOString()}`]
    : [...(key.expires_at ? [`expires ${key.expires_at.toISOString()}`] : []), lastUse];
  const more = [
    ...(key.scopes ? [`limited to ${key.scopes.join(', ')}`] : []),
    ...(key.made_in_open_mode ? ['made in open mode, by anybody'] : []),
  ];
  return [key.id, key.role, key.user_id ?? '-', key.name, [...state, ...more].join(', ')].join('  ');
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
    const keys = createKeys({ ...base, audit: createAudit(base), revocations: createRevocations() });
    if (command.name === 'create') {
      const created = await keys.create(command.input, ACTOR, null);
      console.log(`${created.key}\n(id ${created.id}; the key is shown only once)`);
    } else if (command.name === 'list') {
      for (
        let page = await keys.list({ limit: 100, after: null });
        ;
        page = await keys.list({ limit: 100, after: page.items.at(-1)?.id ?? null })
      ) {
        for (const key of page.items) console.log(lineOf(key));
        if (page.next_cursor === null) break;
      }
    } else {
      await keys.revoke(command.id, ACTOR, null);
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
