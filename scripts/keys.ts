// API keys without a running service: the first one above all. Works on the database that the environment names.
import { parseArgs } from 'node:util';
import { createAudit } from '../src/audit/audit.ts';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { createKeys } from '../src/keys/keys.ts';
import { systemClock } from '../src/lib/clock.ts';
import { InvalidRequest } from '../src/lib/errors.ts';

const USAGE = `npm run keys -- create --name NAME --role service|worker|user [--user USER_ID]
npm run keys -- list
npm run keys -- revoke ID`;

const ACTOR = { actor: 'command', user_id: null, ip: null };

type Role = 'service' | 'worker' | 'user';

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, role: { type: 'string' }, user: { type: 'string' } },
  });
  const [command, id] = positionals;
  const { name, role, user } = values;
  const isCreate = command === 'create' && name && ['service', 'worker', 'user'].includes(role ?? '');
  if (!isCreate && command !== 'list' && !(command === 'revoke' && id)) throw new Error(USAGE);
  // A service that is running holds the embedded database; its own /api/keys is the way then.
  const database = await openDatabase({ ...loadConfig({ ...process.env, HOST: '127.0.0.1' }), onIdleError: () => {} });
  try {
    const base = { db: database.db, clock: systemClock };
    const keys = createKeys({ ...base, audit: createAudit(base) });
    if (isCreate) {
      const created = await keys.create({ name, role: role as Role, user_id: user ?? null }, ACTOR);
      console.log(`${created.key}\n(id ${created.id}; the key is shown this once)`);
    } else if (command === 'list') {
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
      await keys.revoke(id ?? '', ACTOR);
      console.log('revoked');
    }
  } finally {
    await database.close();
  }
}

run().catch((error: Error) => {
  console.error(error instanceof InvalidRequest ? error.problems[0]?.msg : error.message);
  process.exitCode = 1;
});
