// The table of docs/privacy.md, against a database in which somebody has talked.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { SETTINGS } from '../../src/settings.ts';
import { storedRows } from '../support/privacy-page.ts';
import { findStored, tablesOf } from '../support/stored-text.ts';
import { tidy } from '../support/tidy.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const rows = storedRows();
const named = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
const tables = rows.flatMap(({ where, ...row }) =>
  named(where)
    .filter((name) => /^[a-z_]+$/.test(name))
    .map((table) => ({ table, ...row })),
);

const DAY_MS = 24 * 3_600_000;
const WORDS = ['zebulon', 'a-variable', 'a-metadatum'];
const PHONE = '+15005550100';

async function talk(service: Service, clock: ReturnType<typeof createTestClock>): Promise<void> {
  const receiver = await startReceiver();
  const agent_id = await createAgent(service);
  const data = { variables: { one: 'a-variable' }, metadata: { one: 'a-metadatum' } };
  const { call_id, room_name } = await placeCall(service, PHONE, { agent_id, callback_url: receiver.url, ...data });
  await reaches(service, call_id, 'ANSWERED');
  const said = { body: { content: 'zebulon' } };
  await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, said);
  await service.request('POST', `/api/calls/${call_id}/end`);
  await eventually(
    async () => {
      clock.advance(61_000);
      await service.app.reconcile();
      // One that waits for its delivery is not deleted by its age.
      const pending = await service.database.db
        .selectFrom('callbacks')
        .where('status', '=', 'pending')
        .select('id')
        .execute();
      return { pending, found: await findStored(service.database.db, ['zebulon']) };
    },
    ({ pending, found }) =>
      pending.length === 0 && found.includes('callbacks: zebulon') && found.includes('call_words: zebulon'),
  );
}

test('the page lists every table, and no other', async () => {
  const service = await startService();
  const stored = await tablesOf(service.database.db);
  assert.ok(stored.length > 50);
  assert.deepEqual(tables.map(({ table }) => table).sort(), stored);
});

test('every setting and place that the page names exists', () => {
  const worker = readFileSync(path.join(root, 'worker/settings.ts'), 'utf8');
  const agent = readFileSync(path.join(root, 'packages/server/src/conversations/agents/privacy-schema.ts'), 'utf8');
  const names = rows.flatMap(({ where, holds, kept }) => named(`${where} ${holds} ${kept}`));
  const settings = names.map((name) => name.split('=')[0] ?? '').filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name));
  assert.ok(settings.length > 8);
  for (const name of settings) assert.ok(Object.hasOwn(SETTINGS.properties, name) || worker.includes(name), name);
  const days = names.filter((name) => name.startsWith('privacy.keep.'));
  assert.equal(days.length, 3);
  for (const name of days) assert.ok(agent.includes(`${name.split('.')[2]}: `), name);
  for (const row of rows)
    assert.ok(
      Object.values(row).every((cell) => cell !== ''),
      JSON.stringify(row),
    );
});

test('what is past its retention is nowhere but where the page says that it is kept until erasure', async () => {
  const clock = createTestClock();
  const env = Object.fromEntries(
    Object.keys(SETTINGS.properties)
      .filter((name) => name.endsWith('_RETENTION_DAYS'))
      .map((name) => [name, '1']),
  );
  const service = await startService({ clock, env });
  await talk(service, clock);
  clock.advance(100 * DAY_MS);
  await tidy(service);
  const left = (await findStored(service.database.db, WORDS)).map((found) => found.split(':')[0] ?? '');
  const kept = tables.filter((one) => one.kept.startsWith('until erasure')).map(({ table }) => table);
  assert.ok(left.includes('sessions'));
  assert.deepEqual(
    left.filter((table) => !kept.includes(table)),
    [],
  );
});

test('an erased user, with its words, data and numbers, is in no table', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  await talk(service, clock);
  const everything = [...WORDS, PHONE, USER];
  assert.ok((await findStored(service.database.db, everything)).length > 10);
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  assert.deepEqual(await findStored(service.database.db, everything), []);
});
