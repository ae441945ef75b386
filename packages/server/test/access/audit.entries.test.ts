import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { createAudit, MAX_REFUSAL_KINDS } from '../../src/access/audit/audit.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { problemsOf } from '../support/answers.ts';

interface Entry {
  action: string;
  target: string;
  outcome: string;
  detail: string | null;
  actor: string;
  actor_name: string | null;
  user_id: string | null;
  ip: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  count: number;
}

async function entries(service: Service, query = '', headers = {}): Promise<Entry[]> {
  await service.app.reconcile();
  const { status, body } = await service.request('GET', `/api/audit?limit=100&${query}`, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body.items;
}

test('a change has the values before and after, of the changed fields alone', async () => {
  const service = await startService();
  const config = { llm: { model: 'small', temperature: 1 }, instructions: 'x'.repeat(2000) };
  const id = await createAgent(service, { config });
  const changed = { ...config, llm: { model: 'large', temperature: 1 }, instructions: 'y'.repeat(3000) };
  await service.request('PATCH', `/api/agents/${id}`, { body: { config: changed, description: 'New' } });
  const url = 'https://example.com/calls';
  await service.request('PUT', `/api/agents/${id}/callback-url`, { body: { callback_url: url } });
  const budget = (monthly_limit: string) =>
    service.request('PUT', `/api/budgets/${USER}`, { body: { monthly_limit, refuse_calls: true } });
  await budget('50');
  await budget('80.50');
  await service.request('DELETE', `/api/agents/${id}`);
  const [deleted, second, first, callbacks, updated, created] = await entries(service);
  assert.equal(created?.before, null);
  assert.equal(created?.after?.name, 'Front desk');
  const { 'config.instructions': text, ...before } = updated?.before ?? {};
  assert.deepEqual(before, { description: null, 'config.llm.model': 'small' });
  assert.equal((text as { bytes: number }).bytes, 2002);
  assert.equal(updated?.after?.['config.llm.model'], 'large');
  assert.deepEqual([callbacks?.before, callbacks?.after], [{ callback_url: null }, { callback_url: url }]);
  assert.deepEqual([first?.before, first?.after?.monthly_limit, first?.user_id], [null, '50', USER]);
  assert.deepEqual([second?.before, second?.after], [{ monthly_limit: '50' }, { monthly_limit: '80.5' }]);
  assert.deepEqual([deleted?.before?.name, deleted?.after], ['Front desk', null]);
});

test('the credentials of a function are in no entry, only that they have changed', async () => {
  const service = await startService();
  const configOf = (authorization: string) => {
    const headers = { authorization, 'x-site': 'north' };
    const lookup = { name: 'look_up', description: 'Looks up.', url: 'https://example.com/f', headers };
    return { tools: { functions: [lookup] } };
  };
  const id = await createAgent(service, { config: configOf('Bearer one') });
  await service.request('PATCH', `/api/agents/${id}`, { body: { config: configOf('Bearer two') } });
  await service.request('PUT', `/api/agents/${id}/draft`, {
    body: { name: 'Draft', config: configOf('Bearer three') },
  });
  const [draft, updated, created] = await entries(service);
  for (const { before, after } of [draft, updated].map((entry) => entry ?? assert.fail())) {
    const headers = [before, after].map((side) => {
      const functions = side?.['config.tools.functions'] as Json[] | undefined;
      return functions?.[0]?.headers;
    });
    assert.deepEqual(headers, Array(2).fill({ authorization: '••••', 'x-site': 'north' }));
  }
  assert.match(JSON.stringify(created?.after), /••••/);
  assert.doesNotMatch(JSON.stringify([draft, updated, created]), /Bearer/);
});

test('an entry is bounded, however much a client changes', async () => {
  const service = await startService();
  const config = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`field-${n}`, 'z'.repeat(40)]));
  const id = await createAgent(service);
  assert.equal((await service.request('PATCH', `/api/agents/${id}`, { body: { config } })).status, 200);
  const [updated] = await entries(service, 'action=agent.updated');
  assert.equal(Object.keys(updated?.after ?? {}).length, 21);
  assert.equal(updated?.after?.['…'], '3000 fields');
});

test('a flood of refused requests becomes two entries a minute, which say how many there were', async () => {
  const clock = createTestClock();
  const service = await startService({ clock, env: { AUTH_MODE: 'required' } });
  const { key } = await keysOf(service.database).create({ name: 'root', role: 'service' });
  const headers = { authorization: `Bearer ${key}` };
  const refuse = (times: number) =>
    Promise.all(Array.from({ length: times }, () => service.request('GET', '/api/agents/', { user: 'user-9' })));
  await refuse(1);
  const refused = () => entries(service, 'action=request.refused', headers);
  assert.equal((await refused())[0]?.count, 1);
  await refuse(200);
  assert.equal((await refused()).length, 1);
  clock.advance(60_000);
  const [second] = await refused();
  const { actor, user_id, ip, target, outcome, detail, count } = second as Entry;
  assert.deepEqual(
    { actor, user_id, ip, target, outcome, detail, count },
    {
      actor: 'unauthenticated',
      user_id: null,
      ip: '127.0.0.1',
      target: 'GET /api/agents/',
      outcome: 'refused',
      detail: '401 unauthenticated',
      count: 200,
    },
  );
  await refuse(1);
  assert.equal((await refused()).length, 3);
});

test('refusals of more callers than are told apart share an entry', async () => {
  const service = await startService({ env: { TRUST_PROXY: '127.0.0.1', AUTH_MODE: 'required' } });
  const { key } = await keysOf(service.database).create({ name: 'root', role: 'service' });
  const addresses = Array.from({ length: MAX_REFUSAL_KINDS + 20 }, (_, n) => `192.0.2.${n}`);
  for (const address of addresses)
    await service.request('GET', '/api/keys', { headers: { 'x-forwarded-for': address } });
  const [others, ...kinds] = (
    await Promise.all([
      entries(service, 'actor=various', { authorization: `Bearer ${key}` }),
      entries(service, 'actor=unauthenticated', { authorization: `Bearer ${key}` }),
    ])
  ).flat();
  assert.deepEqual([others?.count, others?.ip, kinds.length], [20, null, MAX_REFUSAL_KINDS]);
});

test('what was counted of a user is written before its erasure, and has the pseudonym', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  const refuse = (user: string) => service.request('POST', `/api/keys/${newId()}/revoke`, { user });
  // The first is written at once, the next after a minute.
  await refuse('eve');
  await entries(service);
  for (const user of ['eve', 'adam']) await refuse(user);
  const { body } = await service.request('DELETE', '/api/users/eve');
  clock.advance(60_000);
  const refused = (await entries(service, 'outcome=refused')).map(({ user_id, ip, count }) => [user_id, ip, count]);
  const erased = [body.pseudonym, null, 1];
  assert.deepEqual(refused.sort(), [['adam', '127.0.0.1', 1], erased, erased]);
});

test('what is counted of a user during its erasure, and not written before its end, is forgotten', async () => {
  const { db } = await openTestDatabase();
  const audit = createAudit({ db, clock: systemClock });
  const event = { actor: 'token', action: 'key.revoked', target: 'x', outcome: 'refused', detail: null } as const;
  for (const [actor_user_id, user_id] of [
    ['eve', null],
    [null, 'eve'],
    ['adam', 'adam'],
  ] as const) {
    audit.refused({ ...event, actor_user_id, user_id, ip: null }, '');
    audit.hasRead({ ...event, actor_user_id, user_id, ip: null, action: 'transcripts.read' });
  }
  await db.transaction().execute((trx) => audit.pseudonymize(trx, 'eve', 'erased-eve'));
  await audit.flush();
  const written = await db.selectFrom('audit_log').select(['action', 'user_id']).orderBy('action').execute();
  assert.deepEqual(written, [
    { action: 'key.revoked', user_id: 'adam' },
    { action: 'transcripts.read', user_id: 'adam' },
  ]);
});

test('failed sign-ins, keys without permission and sign-outs are audited', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required' } });
  const keys = keysOf(service.database);
  const root = await keys.create({ name: 'root', role: 'service' });
  const worker = await keys.create({ name: 'Worker of Berlin', role: 'worker' });
  const headers = { authorization: `Bearer ${root.key}` };
  const session = (api_key: string) => service.request('POST', '/api/console/session', { body: { api_key } });
  assert.equal((await session('sb_wrong')).status, 401);
  const cookie = (await session(root.key)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const bearer = { authorization: `Bearer ${worker.key}` };
  assert.equal((await service.request('GET', '/api/settings', { headers: bearer })).status, 403);
  assert.equal((await service.request('POST', '/api/keys', { headers: bearer, body: {} })).status, 403);
  await service.request('DELETE', '/api/console/session', { headers: { cookie, origin: service.url } });
  const all = await entries(service, '', headers);
  const lines = all.map(({ action, actor_name, outcome, detail }) => [action, actor_name, outcome, detail].join(' '));
  for (const line of [
    'console.signed_in  refused 401 unauthenticated',
    'console.signed_in root succeeded service',
    'request.refused Worker of Berlin refused 403 role_not_allowed',
    'key.created Worker of Berlin refused 403 role_not_allowed',
    'console.signed_out root succeeded ',
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
});

test('transcripts that an operator’s key reads are audited once a minute for each call, those of their user are not', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required' } });
  const keys = keysOf(service.database);
  const [root, own, ...others] = [
    await keys.create({ name: 'root', role: 'service' }),
    await keys.create({ name: 'own', role: 'user', user_id: USER }),
    ...(await Promise.all(
      (['admin', 'supervisor', 'viewer'] as const).map((role) => keys.create({ name: role, role })),
    )),
  ];
  const headers = { authorization: `Bearer ${root.key}` };
  const { id } = (
    await service.request('POST', '/api/sessions/', { body: { user_id: USER, room_name: 'audited' }, headers })
  ).body;
  const read = (key: string) =>
    service.request('GET', `/api/sessions/${id}/transcripts`, { headers: { authorization: `Bearer ${key}` } });
  await read(own.key);
  for (let n = 0; n < 5; n++) assert.equal((await read(root.key)).status, 200);
  for (const { key } of others) assert.equal((await read(key)).status, 200);
  const found = await entries(service, 'action=transcripts.read', headers);
  assert.deepEqual(found.map(({ actor_name, target, count }) => [actor_name, target, count]).sort(), [
    ['admin', `session/${id}`, 1],
    ['root', `session/${id}`, 5],
    ['supervisor', `session/${id}`, 1],
    ['viewer', `session/${id}`, 1],
  ]);
});

test('an operation that fails has an entry with its status and code', async () => {
  const failure = new ProviderError('provider_unavailable', {
    provider: 'sandbox',
    operation: 'room',
    retryable: true,
  });
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const service = await startService({ media: { ...media, createRoom: () => Promise.reject(failure) } });
  const agent_id = await createAgent(service);
  assert.equal((await service.request('POST', '/api/calls/web', { user: USER, body: { agent_id } })).status, 503);
  const [failed] = await entries(service, 'outcome=failed');
  assert.deepEqual([failed?.action, failed?.detail], ['room_token.issued', '503 provider_unavailable']);
});

test('filters find entries by action, actor, target, user, outcome and dates', async () => {
  const service = await startService();
  const id = await createAgent(service);
  await service.request('PUT', '/api/budgets/other', { body: { monthly_limit: 1 } });
  await service.request('DELETE', '/api/agents/unknown');
  const found = async (query: string) => (await entries(service, query)).map(({ action }) => action);
  assert.deepEqual(await found('action=budget.changed'), ['budget.changed']);
  assert.deepEqual(await found(`target=agent/${id}`), ['agent.created']);
  assert.deepEqual(await found('user_id=other'), ['budget.changed']);
  assert.deepEqual(await found('actor=open&outcome=refused'), ['agent.deleted']);
  const today = new Date().toISOString().slice(0, 10);
  assert.equal((await found(`start_date=${today}&end_date=${today}`)).length, 3);
  assert.deepEqual(await found('start_date=2099-01-01'), []);
  assert.deepEqual(await found('end_date=2020-01-01'), []);
  for (const [query, problem] of [
    ['action=x', 'query.action enum'],
    ['target=', 'query.target string_too_short'],
    ['start_date=2026-02-01&end_date=2026-01-01', 'query.end_date date_before_start'],
    ['who=x', 'query.who extra_forbidden'],
  ])
    assert.deepEqual(problemsOf(await service.request('GET', `/api/audit?${query}`)), [problem]);
});

test('all entries that the filters find are exported as CSV and as NDJSON', async () => {
  const service = await startService();
  for (let n = 0; n < 3; n++) await createAgent(service);
  await service.app.reconcile();
  const get = (accept: string) =>
    fetch(`${service.url}/api/audit?action=agent.created&limit=1`, { headers: { accept } });
  const lines = (await (await get('application/x-ndjson')).text()).trimEnd().split('\n');
  const { items } = (await service.request('GET', '/api/audit?action=agent.created')).body;
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    items,
  );
  const file = await get('text/csv');
  assert.match(file.headers.get('content-disposition') ?? '', /audit-log\.csv/);
  const [header, ...records] = (await file.text()).trimEnd().split('\r\n');
  assert.match(header ?? '', /^id,at,actor,.*,before,after,count,seq,hash$/);
  assert.equal(records.length, 3);
  assert.ok(records.every((record) => record.includes('""name"":""Front desk""')));
});
