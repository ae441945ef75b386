import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../packages/testkit/ports.ts';
import { isRegistered } from '../health.ts';
import { createMetrics } from '../metrics.ts';
import { createObserver, receiveObservations } from '../observations.ts';
import { completion, events, startStandIn } from './stand-in.ts';

test('a worker that is not registered returns 503, and stops on SIGTERM', {
  timeout: 60_000,
}, async (t) => {
  const { worker, url } = await startWorker(t);
  assert.equal(await statusOf(`${url}/`), 503);
  assert.equal(await statusOf(`${url}/elsewhere`), 404);
  const exit = once(worker, 'exit');
  worker.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
});

test('what a chat has used is booked although the worker is asked to end before that is on its disk', {
  timeout: 60_000,
}, async (t) => {
  const spoolOf = Promise.withResolvers<string>();
  let away: Promise<void> | undefined;
  const model = await startStandIn({
    http: async (_asked, response) => {
      // From now on nothing can be written. Once: a model that is slow to answer is asked again.
      away ??= spoolOf.promise.then((spool) => rename(spool, `${spool}.away`));
      await away;
      const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
      events(response, completion([{ content: 'Hello.' }], usage), '[DONE]');
    },
  });
  t.after(model.close);
  const base_url = `${model.origin}/v1`;
  const config = { instructions: 'Be kind.', llm: { provider: 'openai', model: 'm', base_url } };
  const turn = { chat_id: 'c', user_id: 'u', agent_id: 'a', agent_version: 1, agent_name: 'A', metadata: {} };
  const payload = { ...turn, config, variables: {}, messages: [{ speaker: 'USER', content: 'Hi.' }] };
  const tasks = [{ task_id: 't', kind: 'chat_turn', attempt: 1, lease_token: 7, payload }];
  const completed = Promise.withResolvers<void>();
  const service = await startStandIn({
    http: ({ path: asked, body }, response) => {
      const isChat = asked.endsWith('/claim') && body.kind === 'chat_turn';
      const other = { tasks: [], lease_expires_at: '2099-01-15T09:30:30.000Z', events: body?.events };
      const data = isChat ? { tasks: tasks.splice(0) } : other;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(data));
      if (asked.endsWith('/complete')) completed.resolve();
    },
  });
  t.after(service.close);
  const { worker, spool } = await startWorker(t, service.origin, { MODEL_BASE_URLS: base_url });
  spoolOf.resolve(spool);
  const exit = once(worker, 'exit');
  await completed.promise;
  worker.kill('SIGTERM');
  // Everything else of the end takes two seconds, and a disk has three more.
  await sleep(2_800);
  await rename(`${spool}.away`, spool);
  assert.deepEqual(await exit, [0, null]);
  const booked = service.asked.flatMap(({ body }) => body?.events ?? []);
  assert.deepEqual(
    booked.filter(({ event_type }) => event_type).map(({ session_id }) => session_id),
    ['c', 'c'],
  );
});

test('a worker that is not registered offers campaigns no calls', { timeout: 60_000 }, async (t) => {
  const service = await startStandIn({
    http: (_asked, response) => response.setHeader('content-type', 'application/json').end('{"tasks":[]}'),
  });
  t.after(service.close);
  await startWorker(t, service.origin);
  const offers = () => service.asked.flatMap(({ body }) => (body?.calls ? [body.calls.max] : []));
  while (offers().length < 2) await sleep(50);
  assert.deepEqual(offers().slice(0, 2), [0, 0]);
  const library = await startStandIn({});
  t.after(library.close);
  assert.equal(await isRegistered(Number(new URL(library.origin).port)), false);
  const healthy = createHttpServer((_, response) => response.end('OK')).listen(0, '127.0.0.1');
  t.after(() => healthy.close());
  await once(healthy, 'listening');
  // A busy machine may take longer than the time that it gives.
  while (!(await isRegistered((healthy.address() as AddressInfo).port))) await sleep(50);
});

test('the status page counts refused reports, and a command sends them again', {
  timeout: 60_000,
}, async (t) => {
  const { url, spool, env } = await startWorker(t);
  const outbox = async () => JSON.parse(await pageOf(`${url}/worker`)).outbox;
  assert.deepEqual(await outbox(), { waiting: 0, failing: 0, refused: 0, uncertain: 0 });
  const item = { operation: 'endSessionByRoom', args: ['a-room'] };
  const file = `call-1.000000000007.${crypto.randomUUID()}.json`;
  await writeFile(path.join(spool, 'refused', file), JSON.stringify(item));
  assert.deepEqual(await outbox(), { waiting: 0, failing: 0, refused: 1, uncertain: 0 });
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['outbox.ts', ...args], { cwd: WORKER_DIR, env, encoding: 'utf8' });
  assert.match(run().stdout, /: 0 to be sent \(0 that Switchboard fails at\), 1 in refused\/, 0 in uncertain\/$/m);
  assert.match(run('resend').stdout, /^1 put back, to be sent again$/m);
  // Nothing accepts it.
  assert.deepEqual(await outbox(), { waiting: 1, failing: 0, refused: 0, uncertain: 0 });
  assert.equal(run('remove').status, 2);
});

test('a worker exports its metrics, which are those of the alerts, the dashboard and the documentation', {
  timeout: 60_000,
}, async (t) => {
  const { url, spool } = await startWorker(t);
  const scrape = () => pageOf(`${url}/metrics`);
  const idle = await scrape();
  for (const line of [
    'worker_calls 0',
    'worker_calls_max 10',
    'worker_registered 0',
    'worker_dispatches_total{outcome="refused"} 0',
    'worker_chat_turns_total{outcome="answered"} 0',
    'worker_outbox_reports{state="waiting"} 0',
    'worker_outbox_oldest_seconds 0',
  ])
    assert.ok(idle.includes(`${line}\n`), line);
  const report = { operation: 'endSessionByRoom', args: ['a-room'] };
  const file = path.join(spool, `call-1.000000000007.${crypto.randomUUID()}.json`);
  // Named when it is old: the delivery renames a report at once, to try it.
  await writeFile(`${file}.part`, JSON.stringify(report));
  await utimes(`${file}.part`, new Date(), new Date(Date.now() - 90_000));
  await rename(`${file}.part`, file);
  const isBehind = (text: string) =>
    /^worker_outbox_reports\{state="waiting"\} 1$/m.test(text) &&
    Number(/^worker_outbox_oldest_seconds (\S+)$/m.exec(text)?.[1]) >= 90;
  // A report that is renamed meanwhile counts in the next scrape.
  while (!isBehind(await scrape())) await sleep(50);

  const read = (name: string) => readFileSync(path.join(WORKER_DIR, '..', name), 'utf8');
  const rules = read('deploy/worker-alerts.yaml');
  const [asked, page] = [rules + read('deploy/grafana-worker-dashboard.json'), read('docs/operations.md')];
  const names = new Set([...asked.matchAll(/\b(worker_\w+?)(?:_bucket|_count|_sum)?\{/g)].map(([, name = '']) => name));
  assert.ok(names.size >= 8, [...names].join());
  for (const name of names) {
    assert.match(idle, new RegExp(`^# TYPE ${name} `, 'm'), name);
    assert.ok(page.includes(`\`${name}\``), `${name} is not documented`);
  }
  for (const [, alert = ''] of rules.matchAll(/- alert: (\w+)/g)) assert.ok(page.includes(`\`${alert}\``), alert);
});

test("what a call's process observes becomes a metric of the worker's process", async () => {
  const metrics = createMetrics(10);
  await receiveObservations(metrics.observe);
  const observe = createObserver();
  observe({ type: 'turn', transcript_ms: 210, first_token_ms: null, first_audio_ms: 900 });
  observe({ type: 'failed_over', kind: 'llm', from: 'openai/a', to: 'groq/b', reason: 'rate_limit' });
  assert.match(await metrics.render(STATE), /^worker_reports_lost_total 0$/m);
  observe({ type: 'report_lost' });
  observe({ type: 'model_error', kind: 'llm', provider: 'openai', reason: 'timeout', is_retried: true });
  const render = () => metrics.render(STATE);
  const error = 'worker_model_errors_total{kind="llm",provider="openai",reason="timeout",is_retried="true"} 1';
  const failedOver = 'worker_failed_over_total{kind="llm",from="openai/a",to="groq/b",reason="rate_limit"} 1';
  while (!(await render()).includes(error) || !(await render()).includes(failedOver)) await sleep(10);
  const text = await render();
  assert.match(text, /^worker_turn_latency_seconds_count\{stage="first_audio"\} 1$/m);
  assert.match(text, /^worker_turn_latency_seconds_sum\{stage="first_audio"\} 0\.9$/m);
  assert.doesNotMatch(text, /stage="first_token"/);
  assert.match(text, /^worker_reports_lost_total 1$/m);
});

const outbox = { waiting: 0, failing: 0, refused: 0, uncertain: 0 };
const STATE = { calls: 0, isRegistered: true, outbox, oldestReportMs: 0 };

const WORKER_DIR = path.resolve(import.meta.dirname, '..');

async function statusOf(url: string): Promise<number | null> {
  return fetch(url).then(
    ({ status }) => status,
    () => null,
  );
}

/** A page of a worker. Its library, which it asks for some of it, may take too long on a busy machine: 503. */
async function pageOf(url: string): Promise<string> {
  for (;;) {
    const response = await fetch(url);
    const text = await response.text();
    if (response.ok) return text;
    await sleep(50);
  }
}

/** A worker without a media server, and without Switchboard. */
async function startWorker(t: TestContext, switchboardUrl?: string, more: Record<string, string> = {}) {
  const spool = await mkdtemp(path.join(tmpdir(), 'switchboard-health-'));
  const [port = 0, nobody = 0] = await freePorts(2);
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LIVEKIT_URL: `ws://127.0.0.1:${nobody}`,
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'secret',
    LIVEKIT_AGENT_NAME: 'nobody',
    SWITCHBOARD_URL: switchboardUrl ?? `http://127.0.0.1:${nobody}`,
    WORKER_PORT: String(port),
    SPOOL_DIR: spool,
    WORKER_DRAIN_S: '0',
    LOG_LEVEL: 'fatal',
    ...more,
  };
  const worker = spawn(process.execPath, ['worker.ts'], {
    cwd: WORKER_DIR,
    stdio: 'ignore',
    env,
  });
  const gone = once(worker, 'exit');
  t.after(async () => {
    worker.kill('SIGKILL');
    // It writes into its spool to the end.
    await gone;
    await rm(spool, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  while ((await statusOf(`${url}/worker`)) !== 200) {
    assert.equal(worker.exitCode, null, 'the worker has ended');
    await sleep(50);
  }
  return { worker, url, spool, env };
}
