import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import { LIMITS, outreach } from '../support/campaigns.ts';

const CSV = { 'content-type': 'text/csv' };
const NDJSON = { 'content-type': 'application/x-ndjson' };
const service = await startService({ env: LIMITS });
const { agent_id, send, ok, create, add, act, recipients, get } = await outreach(service);

const path = (id: string) => `/api/campaigns/${id}/recipients`;

test('a file of CSV: other columns are variables, refused lines are reported, and the rest is taken', async () => {
  const id = await create();
  const file = [
    'phone_number,external_id,name,time_zone,metadata.crm,region',
    '+15005550100,c-1,"Ada, first",Europe/Berlin,X1,DE',
    '0500,c-2,Ben,,,',
    '+15005550102,c-3,Cem,Mars/Base,,',
    '+15005550103,c-4,Dora,,,,surplus',
    '+15005550104,c-1,Again,,,',
    '',
    "'+15005550105,c-6,Emil,,,US-TX",
  ].join('\r\n');
  const answer = await ok('POST', path(id), file, CSV);
  assert.deepEqual([answer.added, answer.known, answer.refused], [2, 1, 3]);
  assert.deepEqual(
    answer.refusals.map(({ line, field }: { line: number; field: string | null }) => [line, field]),
    [
      [3, 'phone_number'],
      [4, 'time_zone'],
      [5, null],
    ],
  );
  const [ada, emil] = await recipients(id);
  assert.deepEqual([ada.external_id, ada.time_zone, ada.region, ada.state], ['c-1', 'Europe/Berlin', 'DE', 'waiting']);
  assert.deepEqual([emil.phone_number, emil.region], ['+15005550105', 'US-TX']);
  const shown = await ok('GET', `${path(id)}/${ada.id}`);
  assert.deepEqual([shown.variables, shown.metadata], [{ name: 'Ada, first' }, { crm: 'X1' }]);
  assert.equal((await ok('POST', path(id), 'name\nAda', CSV)).refusals[0].line, 1);
  const broken = await ok('POST', path(id), 'phone_number\n+15005550110\n"+150055', CSV);
  assert.deepEqual([broken.added, broken.refused], [1, 1]);
});

test('consents come with recipients, for the purpose of the campaign, once each', async () => {
  const id = await create({ purpose: 'service' });
  const given = {
    kind: 'written',
    text: 'Yes, call me.',
    obtained_at: '2026-01-15T09:30:00.000Z',
    channel: 'web form',
  };
  const list = [
    { phone_number: '+15005550120', consent: { ...given, evidence_url: 'https://example.com/c' } },
    { phone_number: '+15005550121', consent: { ...given, obtained_at: '2999-01-01T00:00:00Z' } },
    { phone_number: '+15005550122', consent: { kind: 'written' } },
  ];
  const answer = await ok('POST', path(id), { recipients: list });
  assert.deepEqual([answer.added, answer.refused], [1, 2]);
  assert.deepEqual(
    answer.refusals.map(({ field }: { field: string }) => field),
    ['consent.obtained_at', 'consent'],
  );
  const { kind, text, obtained_at, channel } = given;
  const file = `phone_number,consent.kind,consent.text,consent.obtained_at,consent.channel,name
+15005550120,${kind},${text.replace(',', '')},${obtained_at},${channel},
+15005550123,${kind},"${text}",${obtained_at},${channel},Ada`;
  assert.deepEqual((await ok('POST', path(id), file, CSV)).added, 1);
  const entries = await service.database.db
    .selectFrom('audit_log')
    .select('detail')
    .where('action', '=', 'consent.added')
    .execute();
  assert.deepEqual(
    entries.map(({ detail }) => detail),
    ['1', '1'],
  );
  // Columns of that name that are no field of a consent.
  const odd = 'phone_number,consent.date,consent.,metadata.\n+15005550124,2026-01-15,x,y';
  assert.equal((await ok('POST', path(id), odd, CSV)).added, 1);
  const added = (await recipients(id)).at(-1);
  const { variables } = await ok('GET', `${path(id)}/${added.id}`);
  assert.deepEqual(variables, { 'consent.date': '2026-01-15', 'consent.': 'x', 'metadata.': 'y' });
  const consents = async (number: string) =>
    (await ok('GET', `/api/consents?phone_number=${encodeURIComponent(number)}`)).items;
  const first = await consents('+15005550120');
  assert.equal(first.length, 1);
  const { id: _, created_at: __, ...shown } = first[0];
  assert.deepEqual(shown, {
    ...given,
    evidence_url: 'https://example.com/c',
    phone_number: '+15005550120',
    purpose: 'service',
    revoked_at: null,
  });
  assert.equal((await consents('+15005550123'))[0].text, 'Yes, call me.');
  assert.deepEqual(await consents('+15005550121'), []);
});

test('a quote in the middle of a cell is one, and one that is never closed ends the file with its line', async () => {
  const id = await create();
  const send = async (file: string) => {
    const { added, refusals } = await ok('POST', path(id), file, CSV);
    return [added, refusals.map(({ line, msg }: { line: number; msg: string }) => `${line} ${msg}`)];
  };
  const file = 'phone_number,name\n+15005550130,Ada\n+15005550131,A"d"a';
  assert.deepEqual(await send(file), [2, []]);
  const names = [];
  for (const { id: recipient } of await recipients(id))
    names.push((await ok('GET', `${path(id)}/${recipient}`)).variables.name);
  assert.deepEqual(names.sort(), ['A"d"a', 'Ada']);
  assert.deepEqual(await send('{"phone_number": 1}'), [0, ['1 There should be a column "phone_number"']]);
  for (const [number, cell] of [
    [33, '"Ada'],
    [35, '"Ada" B'],
  ] as const) {
    const open = `phone_number,name\n+150055501${number},Ada\n+150055501${number + 1},${cell}`;
    const problem = '3 Quotes should surround a whole cell; the file is not read any further';
    assert.deepEqual(await send(open), [1, [problem]]);
  }
});

test('a file of JSON lines of a few thousand is taken in batches, and a second time changes nothing', async () => {
  const id = await create();
  const lines = Array.from({ length: 3_200 }, (_, n) => JSON.stringify({ phone_number: `+1500555${1000 + n}` }));
  lines[7] = '{"phone_number"';
  lines[9] = JSON.stringify({ phone_number: '+15005550100', variables: { name: 'x'.repeat(70_000) } });
  lines[11] = JSON.stringify({ phone_number: '+15005550100', nickname: 'x' });
  const file = `${lines.join('\n')}\n`;
  const first = await ok('POST', path(id), file, NDJSON);
  assert.deepEqual([first.added, first.known, first.refused], [3_197, 0, 3]);
  assert.deepEqual(
    first.refusals.map(({ line }: { line: number }) => line),
    [8, 10, 12],
  );
  const again = await ok('POST', path(id), file, NDJSON);
  assert.deepEqual([again.added, again.known, again.refused], [0, 3_197, 3]);
  assert.equal((await get(id)).recipients.waiting, 3_197);
  const page = await ok('GET', `${path(id)}?state=waiting&limit=100`);
  assert.equal(page.items.length, 100);
  assert.deepEqual((await ok('GET', `${path(id)}?state=reached`)).items, []);
  const exported = await ok('GET', path(id), undefined, { accept: 'text/csv' });
  assert.equal(exported.trim().split('\r\n').length, 3_198);
});

test('what has arrived of a file that breaks off is taken, and sending it again adds the rest', async () => {
  const id = await create();
  const lines = Array.from({ length: 2_500 }, (_, n) => JSON.stringify({ phone_number: `+1500556${1000 + n}` }));
  const url = new URL(path(id), service.url);
  const headers = { ...NDJSON, 'x-user-id': USER, 'transfer-encoding': 'chunked' };
  const sending = httpRequest(url, { method: 'POST', headers });
  sending.on('error', () => {});
  sending.write(`${lines.slice(0, 1_800).join('\n')}\n{"phone_nu`);
  const waiting = async () => (await get(id)).recipients.waiting as number;
  await eventually(waiting, (count) => count >= 1_000);
  sending.destroy();
  // The last thousand is not full, and was not taken.
  const before = await waiting();
  assert.ok(before >= 1_000 && before <= 1_800, `${before}`);
  const answer = await ok('POST', path(id), lines.join('\n'), NDJSON);
  assert.deepEqual([answer.added + answer.known, answer.refused], [2_500, 0]);
  assert.equal(await waiting(), 2_500);
});

test('another agent of a campaign has other versions', async () => {
  const id = await create({ agent_version: 1 });
  const other = await createAgent(service, { user_id: USER });
  const change = (fields: object) => send('PATCH', `/api/campaigns/${id}`, fields);
  assert.equal((await change({ agent_id, name: 'the same' })).body.agent_version, 1);
  const changed = (await change({ agent_id: other })).body;
  assert.deepEqual([changed.agent_id, changed.agent_version], [other, null]);
});

test('a campaign refuses what it cannot do, and what is beyond its limits', async () => {
  const made = (fields: object) => send('POST', '/api/campaigns', { name: 'x', agent_id, ...fields });
  for (const [fields, field] of [
    [{ pacing: { max_concurrent: 1_001 } }, 'max_concurrent'],
    [{ pacing: { per_minute: 60_001 } }, 'per_minute'],
    [{ retries: { attempts: 11 } }, 'attempts'],
    [{ from_numbers: Array.from({ length: 101 }, (_, n) => `+1500555${1000 + n}`) }, 'from_numbers'],
    [{ from_numbers: ['+15005550010'] }, 'from_numbers'],
    [{ retries: { on: ['voicemail'] }, reached_by: ['voicemail'] }, 'on'],
    [{ retries: { on: ['answered'] } }, 'on'],
    [{ reached_dispositions: [] }, 'reached_dispositions'],
    [{ reached_dispositions: Array.from({ length: 51 }, (_, n) => `d${n}`) }, 'reached_dispositions'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ budget: '-1' }, 'budget'],
    [{ agent_version: 99 }, 'agent_version'],
    [{ nickname: 'x' }, 'nickname'],
  ] as const) {
    const answer = await made(fields);
    assert.equal(answer.status, 422, JSON.stringify(fields));
    assert.ok(JSON.stringify(answer.body).includes(field), JSON.stringify(answer.body));
  }
  assertRefused(await made({ agent_id: '01980000-0000-7000-8000-000000000000' }), 404, 'not_found');
  const others = await createAgent(service, { user_id: 'user-2' });
  assertRefused(await made({ agent_id: others }), 404, 'not_found');
  const id = await create();
  const many = Array.from({ length: 1_001 }, (_, n) => ({ phone_number: `+1500555${1000 + n}` }));
  assert.equal((await send('POST', path(id), { recipients: many })).status, 422);
  const wrong = await add(
    id,
    Array.from({ length: 150 }, () => ({ phone_number: 'x' })),
  );
  assert.deepEqual([wrong.refused, wrong.refusals.length], [150, 100]);
  const { db } = service.database;
  await sql`insert into campaign_counts values (${id}::uuid, 'recipients', 'canceled', 999999)`.execute(db);
  assert.equal((await add(id, many.slice(0, 1))).added, 1);
  assertRefused(await send('POST', path(id), { recipients: many.slice(0, 2) }), 409, 'too_many_recipients');
  assertRefused(await send('POST', path(id), 'x', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
  assertRefused(await send('POST', '/api/campaigns', 'x', NDJSON), 415, 'unsupported_media_type');
  await sql`
    insert into campaigns (id, user_id, name, agent_id, state, settings, created_at, updated_at)
    select gen_random_uuid(), ${USER}, 'x', ${agent_id}::uuid, 'draft', '{}', now(), now() from generate_series(1, 1000)`.execute(
    db,
  );
  assertRefused(await made({}), 409, 'too_many_campaigns');
});

test('what a campaign dials with is changed at rest, and its state only goes where it may', async () => {
  await sql`delete from campaigns where settings = '{}'`.execute(service.database.db);
  const id = await create({ budget: '10.50' });
  await add(id, [{ phone_number: '+15005550100' }]);
  const patch = (fields: object) => send('PATCH', `/api/campaigns/${id}`, fields);
  const changed = await patch({ pacing: { per_minute: 6 }, retries: { attempts: 2 }, name: 'Later' });
  assert.deepEqual(
    [changed.body.name, changed.body.pacing.per_minute, changed.body.pacing.max_concurrent, changed.body.budget],
    ['Later', 6, 1_000, '10.5'],
  );
  for (const action of ['pause', 'resume'])
    assertRefused(await send('POST', `/api/campaigns/${id}/${action}`), 409, 'campaign_state');
  assert.equal((await send('POST', `/api/campaigns/${id}/start`, undefined, { 'x-user-id': 'user-2' })).status, 404);
  await patch({ expires_at: new Date(Date.now() + 3_600_000).toISOString(), policy: 'none' });
  assert.equal((await act(id, 'start')).state, 'running');
  assert.equal((await act(id, 'start')).state, 'running');
  assertRefused(await patch({ purpose: 'service' }), 409, 'campaign_state');
  assert.equal((await patch({ budget: null })).body.budget, null);
  assertRefused(await send('DELETE', `/api/campaigns/${id}`), 409, 'campaign_state');
  assert.equal((await act(id, 'pause')).state, 'paused');
  assert.equal((await patch({ purpose: 'service' })).body.purpose, 'service');
  assert.equal((await act(id, 'cancel')).state, 'canceled');
  assertRefused(await send('POST', `/api/campaigns/${id}/resume`), 409, 'campaign_state');
  assertRefused(
    await send('POST', path(id), { recipients: [{ phone_number: '+15005550101' }] }),
    409,
    'campaign_state',
  );
  assert.equal((await send('DELETE', `/api/campaigns/${id}`)).status, 204);
  assert.equal((await send('GET', `/api/campaigns/${id}`)).status, 404);
  const left = async () => {
    await service.app.reconcile();
    const { rows } = await sql`select id from campaign_recipients where campaign_id = ${id}::uuid`.execute(
      service.database.db,
    );
    return rows.length;
  };
  await eventually(left, (count) => count === 0);
});
