// Generates openapi.json, the pages on configuration, errors and roles, and the picture of the wings from the code.
// With --check, fails if they are out of date.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/open.ts';
import type { Operation } from '../src/http/access.ts';
import { systemClock } from '../src/lib/clock.ts';
import { ERRORS } from '../src/lib/errors.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { ROLES } from '../src/lib/principal.ts';
import { createSandboxCarrier } from '../src/providers/sandbox/carrier.ts';
import { createSandboxMedia } from '../src/providers/sandbox/media.ts';
import { createFolderStorage } from '../src/providers/storage/folder.ts';
import { SETTINGS } from '../src/settings.ts';
import { drawHouse } from './support/house.ts';
import { ROLES_PAGE } from './support/roles-page.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** The API description, and the roles of its operations. */
async function describeApi(): Promise<{ api: string; roles: string }> {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
  const config = loadConfig({ DATA_DIR });
  const log = pino({ level: 'silent' });
  const database = await openDatabase({ ...config.database, onIdleError: () => {} });
  const media = createSandboxMedia({ clock: systemClock, ringMs: 0 });
  const deps = {
    config,
    database,
    media,
    carrier: createSandboxCarrier(),
    storage: createFolderStorage(config.recordings.dir),
    clock: systemClock,
    log,
    metrics: createMetrics(),
  };
  const { server } = await buildApp(deps);
  await server.ready();
  const document = server.swagger();
  const roles = describeRoles(server.operations);
  await server.close();
  await database.close();
  await rm(DATA_DIR, { recursive: true });
  return { api: `${JSON.stringify(document, null, 2)}\n`, roles };
}

function describeRoles(operations: readonly Operation[]): string {
  const rows = operations.map(({ method, path, roles, isUnbound, tag, restriction }) => {
    const marks = ROLES.map((role) => (roles.includes(role) ? 'yes' : ''));
    const unbound = isUnbound ? ['not with a key that is bound to a user'] : [];
    const notes = [...unbound, ...(restriction ? [restriction] : [])].join('; ');
    return `| \`${method} ${path}\` | ${[tag, ...marks, notes].join(' | ')} |`;
  });
  return `${ROLES_PAGE}
| Operation | scope | ${ROLES.join(' | ')} | Restriction |
| --- |${' --- |'.repeat(ROLES.length + 2)}
${rows.sort().join('\n')}
`;
}

interface Setting {
  type: string;
  default?: unknown;
  description: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
}

function describeSettings(): string {
  const rows = Object.entries(SETTINGS.properties as unknown as Record<string, Setting>).map(([name, setting]) => {
    const value = setting.enum
      ? setting.enum.join(', ')
      : setting.type === 'integer'
        ? `${setting.minimum} to ${setting.maximum}`
        : setting.type;
    return `| \`${name}\` | ${value} | ${setting.default === undefined ? '' : `\`${setting.default}\``} | ${setting.description} |`;
  });
  return [
    '# Configuration',
    '',
    'Every variable the service reads from its environment. Generated from `packages/server/src/settings.ts` by `npm run generate`; do not edit.',
    'An empty variable counts as unset. All mistakes are reported at once when the service starts.',
    '',
    '| Variable | Value | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function describeErrors(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, [status, message, remedy]]) => `| ${status} | \`${code}\` | ${message} | ${remedy} |`,
  );
  return [
    '# Errors',
    '',
    'Every `code` an error response can have, and what to do about it. Generated from `packages/server/src/lib/errors.ts` by `npm run generate`; do not edit.',
    '',
    'An error response is `{"detail": "…", "code": "…"}`, on 5xx with the `request_id` of the log; its `detail` may be more specific than the message here. A request',
    'whose fields are invalid is a 422 with a list instead: `{"detail": [{"loc": ["body", "phone_number"], "msg": "…", "type": "…"}]}`.',
    '429 and 503 come with `Retry-After` where the time is known.',
    '',
    '| Status | Code | Message | Remedy |',
    '| --- | --- | --- | --- |',
    ...rows.sort(),
    '',
  ].join('\n');
}

const { api, roles } = await describeApi();
const files = {
  'packages/server/openapi.json': api,
  'docs/roles.md': roles,
  'docs/configuration.md': describeSettings(),
  'docs/errors.md': describeErrors(),
  'docs/house.svg': drawHouse(await readFile(path.join(root, 'ARCHITECTURE.md'), 'utf8')),
};
const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const file = path.join(root, name);
  if (!process.argv.includes('--check')) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) stale.push(name);
}
if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run npm run generate.`);
  process.exitCode = 1;
}
