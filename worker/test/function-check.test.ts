// Tries of functions: what was sent and what came back, by the code by which calls use them.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { initializeLogger } from '@livekit/agents';
import { createSwitchboard, type FunctionCheckTask } from '@switchboard/client';
import { Webhook } from 'standardwebhooks';
import { serveFunctionChecks } from '../check/checks.ts';
import { tryFunction } from '../check/try-function.ts';
import { until } from './chat-service.ts';
import { startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const secret = `whsec_${Buffer.from('a secret of 32 bytes for testing').toString('base64')}`;
const settings = { secret, allowPrivate: true };
type Answer = Parameters<NonNullable<Parameters<typeof startStandIn>[0]['http']>>[1];

async function start(t: TestContext, answer: (response: Answer) => void) {
  const customer = await startStandIn({ http: (_, response) => answer(response) });
  t.after(customer.close);
  const task = (more: object = {}): FunctionCheckTask => ({
    function: { name: 'find', description: 'Finds.', url: `${customer.origin}/find`, timeout_s: 20, ...more },
    arguments: { day: 'Monday' },
    variables: { tenant: 'acme' },
    agent_id: 'a',
    user_id: 'u',
  });
  return { customer, task };
}

test('the request is that of a call, signed, and shown without its secrets', { timeout: 60_000 }, async (t) => {
  const { customer, task } = await start(t, (response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'set-cookie': 'a=1' }).end('At ten.'),
  );
  const tried = await tryFunction(task({ headers: { 'X-Api-Key': 'k-{{tenant}}', 'x-of': '{{tenant}}' } }), settings);
  assert.partialDeepStrictEqual(tried, { outcome: 'ok', reason: null, detail: null });
  assert.partialDeepStrictEqual(tried.response, { status: 200, body: 'At ten.', is_cut: false });
  assert.equal(typeof tried.latency_ms, 'number');
  const [{ body, headers }] = customer.asked as unknown as [{ body: object; headers: Record<string, string> }];
  assert.deepEqual(body, { name: 'find', arguments: { day: 'Monday' }, session_id: null, agent_id: 'a', user_id: 'u' });
  assert.equal(tried.request?.body, JSON.stringify(body));
  assert.doesNotThrow(() => new Webhook(secret).verify(JSON.stringify(body), headers));
  assert.deepEqual([headers['x-api-key'], headers['x-of']], ['k-acme', 'acme']);
  const shown = Object.fromEntries(tried.request?.headers.map(({ name, value }) => [name, value]) ?? []);
  const signature = shown['webhook-signature'];
  assert.deepEqual([shown['x-api-key'], signature, shown['x-of']], ['••••', '••••', 'acme']);
  assert.ok(!JSON.stringify(tried).includes('a=1'), 'a cookie is shown');
});

test('a long answer is cut where it is shown, and one that a model cannot use fails', {
  timeout: 60_000,
}, async (t) => {
  let length = 40_000;
  const { task } = await start(t, (response) => response.end('x'.repeat(length)));
  const { outcome, response } = await tryFunction(task(), settings);
  assert.deepEqual([outcome, response?.is_cut], ['ok', true]);
  assert.ok((response?.body.length ?? 0) < length);
  length = 100_000;
  assert.partialDeepStrictEqual(await tryFunction(task(), settings), { outcome: 'failed', reason: 'too_long' });
});

test('every failure has its reason, and the request where one was made', { timeout: 60_000 }, async (t) => {
  let isSilent = false;
  const { customer, task } = await start(t, (response) => !isSilent && response.writeHead(500).end('{"why": 1}'));
  const reason = async (of: FunctionCheckTask, by: Parameters<typeof tryFunction>[1] = settings) => {
    const { outcome, reason, request } = await tryFunction(of, by);
    assert.equal(outcome, 'failed');
    return [reason, request !== null];
  };
  const failed = await tryFunction(task(), settings);
  assert.partialDeepStrictEqual(failed, { outcome: 'failed', reason: 'status', detail: 'status 500' });
  assert.equal(failed.response?.body, '{"why": 1}');
  assert.deepEqual(await reason(task(), { secret: null, allowPrivate: true }), ['no_secret', false]);
  assert.deepEqual(await reason(task({ body: '{' })), ['wrong_config', false]);
  const before = customer.asked.length;
  assert.deepEqual(await reason(task(), { secret, allowPrivate: false }), ['not_public', true]);
  assert.deepEqual(await reason(task({ url: 'http://localhost:1/' }), { secret, allowPrivate: false }), [
    'not_public',
    true,
  ]);
  assert.equal(customer.asked.length, before, 'a private address was asked');
  assert.deepEqual(await reason(task({ url: 'http://127.0.0.1:1/' })), ['unreachable', true]);
  isSilent = true;
  assert.deepEqual(await reason(task({ timeout_s: 0.1 })), ['timeout', true]);
});

test('a worker claims tries of functions, says how many calls it takes, and completes each with its name', {
  timeout: 60_000,
}, async (t) => {
  const { task } = await start(t, (response) => response.end('"ok"'));
  const waiting = [{ task_id: 't1', kind: 'function_check', lease_token: 7, payload: task() }];
  const service = await startStandIn({
    http: ({ path }, response) => {
      const tasks = path.endsWith('/claim') ? waiting.splice(0) : [];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ tasks }));
    },
  });
  const { tasks } = createSwitchboard({ baseUrl: service.origin, retryDelayMs: 1 });
  const models = { keys: {}, azureEndpoint: null, baseUrls: new Map<string, string>() };
  const log = { error: () => {}, warn: () => {} };
  const checks = serveFunctionChecks({
    tasks,
    settings: { models, functions: settings, port: 8081 },
    maxCalls: async () => 12,
    log,
  });
  t.after(async () => {
    await checks.stop(0);
    service.close();
  });
  const sent = () => service.asked.filter(({ path }) => path.endsWith('/complete'));
  await until(() => sent().length > 0);
  assert.partialDeepStrictEqual(sent()[0]?.body, {
    lease_token: 7,
    result: { outcome: 'ok', response: { body: '"ok"' } },
  });
  const { worker } = sent()[0]?.body.result ?? {};
  assert.match(worker, /^.+:8081$/);
  assert.deepEqual(service.asked.find(({ path }) => path.endsWith('/claim'))?.body.calls, { worker, max: 12 });
});
