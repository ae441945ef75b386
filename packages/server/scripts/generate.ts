// Generates openapi.json, docs/configuration.md and docs/errors.md from the code. With --check, fails if they are out
// of date.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { ERRORS } from '../src/lib/errors.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { createSandboxCarrier } from '../src/providers/carrier/sandbox.ts';
import { createSandboxMedia } from '../src/providers/media/sandbox.ts';
import { SETTINGS } from '../src/settings.ts';

const root = path.resolve(import.meta.dirname, '../../..');

async function describeApi(): Promise<string> {
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
    clock: systemClock,
    log,
    metrics: createMetrics(),
  };
  const { server } = await buildApp(deps);
  await server.ready();
  const document = server.swagger();
  await server.close();
  await database.close();
  await rm(DATA_DIR, { recursive: true });
  return `${JSON.stringify(document, null, 2)}\n`;
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

const files = {
  'packages/server/openapi.json': await describeApi(),
  'docs/configuration.md': describeSettings(),
  'docs/errors.md': describeErrors(),
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
