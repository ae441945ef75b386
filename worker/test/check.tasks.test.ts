// Checks of models as tasks: whoever waits for one is told its result, also when the worker cannot give it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { initializeLogger } from '@livekit/agents';
import { createSwitchboard } from '@switchboard/client';
import { serveChecks } from '../check/checks.ts';
import { until } from './chat-service.ts';
import { startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const EVER = Number.POSITIVE_INFINITY;

/** A worker that claims a check of `payload` from a service that answers the first `times` results with `status`. */
async function start(
  t: TestContext,
  payload: object,
  { status = 200, times = EVER, baseUrls = new Map<string, string>() } = {},
) {
  let left = times;
  const waiting = [{ task_id: 't1', kind: 'provider_check', lease_token: 7, payload }];
  const service = await startStandIn({
    http: ({ path }, response) => {
      const tasks = path.endsWith('/claim') ? waiting.splice(0) : [];
      const code = path.endsWith('/complete') && left-- > 0 ? status : 200;
      setTimeout(
        () => response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ tasks })),
        20,
      );
    },
  });
  const { tasks } = createSwitchboard({ baseUrl: service.origin, retryDelayMs: 1 });
  const functions = { secret: null, allowPrivate: false };
  const settings = { models: { keys: {}, azureEndpoint: null, baseUrls }, functions, port: 8081 };
  const checks = serveChecks({ tasks, settings, log: { error: () => {}, warn: () => {} } });
  t.after(async () => {
    await checks.stop(0);
    service.close();
  });
  const sent = (end: string) => service.asked.filter(({ path }) => path.endsWith(end)).map(({ body }) => body);
  return { checks, sent };
}

const LOCAL = { kind: 'llm', provider: 'local' };

test('a worker claims checks, and completes each with its name', { timeout: 60_000 }, async (t) => {
  const { sent } = await start(t, LOCAL);
  await until(() => sent('/complete').length > 0);
  assert.deepEqual(sent('/claim')[0]?.kind, 'provider_check');
  assert.partialDeepStrictEqual(sent('/complete')[0], { lease_token: 7, result: { outcome: 'ok', reason: null } });
  assert.match(sent('/complete')[0]?.result.worker, /^.+:8081$/);
});

test('a result that the service does not take becomes a failure that it does take', { timeout: 60_000 }, async (t) => {
  const { sent } = await start(t, LOCAL, { status: 422 });
  await until(() => sent('/fail').length > 0);
  const [{ detail, ...failure }] = sent('/fail');
  assert.partialDeepStrictEqual(failure, { lease_token: 7, retryable: false });
  assert.match(detail, /:8081 does not fit/);
});

test('a result that does not get through becomes a failure', { timeout: 60_000 }, async (t) => {
  const { sent } = await start(t, LOCAL, { status: 503 });
  await until(() => sent('/fail').length > 0);
  assert.match(sent('/fail')[0]?.error, /./);
});

test('a result is reported again until a service that restarts is back', { timeout: 60_000 }, async (t) => {
  const { sent } = await start(t, LOCAL, { status: 503, times: 7 });
  await until(() => sent('/complete').length === 8);
  assert.deepEqual(sent('/fail'), []);
});

test('a worker that stops says so to whoever waits for a check', { timeout: 60_000 }, async (t) => {
  const silent = await startStandIn({});
  t.after(silent.close);
  const base_url = `${silent.origin}/v1`;
  const { checks, sent } = await start(t, { kind: 'llm', base_url }, { baseUrls: new Map([[base_url, 'key']]) });
  await until(() => silent.asked.length > 0);
  await checks.stop(0);
  assert.partialDeepStrictEqual(sent('/complete')[0]?.result, { outcome: 'failed', detail: 'The worker stops.' });
});
