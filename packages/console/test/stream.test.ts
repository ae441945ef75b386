import assert from 'node:assert/strict';
import { on, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock, type TestContext, test } from 'node:test';
import { createSwitchboard, type Switchboard } from '@switchboard/client';
import { openStream } from '../src/data/stream.ts';

/** How much faster time passes for a stream whose proxy answers in its place. */
const SPEED = 20;

/** Puts parts of a browser in place that Node.js has not, with a visible tab. */
function openTab(t: TestContext) {
  const tab = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const parts = { document: tab, requestAnimationFrame: setImmediate, cancelAnimationFrame: clearImmediate };
  Object.assign(globalThis, parts);
  t.after(() => Object.keys(parts).forEach((name) => void Reflect.deleteProperty(globalThis, name)));
  return tab;
}

test('a tab that is opened in the background closes its stream after a minute, and opens it again once it is seen', (t) => {
  const tab = Object.assign(openTab(t), { visibilityState: 'hidden' });
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const opened: AbortSignal[] = [];
  const follow = ({ signal }: { signal: AbortSignal }) => {
    opened.push(signal);
    return on(tab, 'event', { signal });
  };
  const stream = openStream(() => ({ events: { follow } }) as unknown as Switchboard);
  const areOpen = () => opened.map(({ aborted }) => !aborted);
  mock.timers.tick(59_999);
  assert.deepEqual(areOpen(), [true]);
  mock.timers.tick(1);
  assert.deepEqual(areOpen(), [false]);
  tab.visibilityState = 'visible';
  tab.dispatchEvent(new Event('visibilitychange'));
  mock.timers.tick(60_000);
  assert.deepEqual(areOpen(), [false, true]);
  stream.close();
  assert.deepEqual(areOpen(), [false, false]);
});

/**
 * The states of a stream until it is live or refused; its requests get these answers: status, type and text. Once in a
 * test: of two replacements of the timer the first would stay.
 */
async function statesOf(t: TestContext, answers: [number, string, string][]): Promise<string[]> {
  openTab(t);
  // The service is asked again after seconds.
  const { setTimeout: later } = globalThis;
  const sooner = (run: () => void, ms = 0, ...given: []) => later(run, ms / SPEED, ...given);
  t.mock.method(globalThis, 'setTimeout', sooner);
  const server = createServer((_, response) => {
    const [status, type, text] = answers.shift() ?? assert.fail('nobody should ask again');
    response.writeHead(status, { 'content-type': type }).write(text);
    // The stream goes on.
    if (type !== STREAM) response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stream = openStream((fetch) => createSwitchboard({ baseUrl, fetch, maxRetries: 0 }));
  t.after(async () => {
    stream.close();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  const states: string[] = [];
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  stream.onConnection(() => {
    states.push(stream.connection());
    if (['live', 'refused'].includes(stream.connection())) settle();
  });
  await settled;
  return states;
}

const STREAM = 'text/event-stream';
const UNAVAILABLE = '<html><body>The application is not available.</body></html>';

test('live updates outlast a proxy that answers in place of the service', async (t) => {
  const answers: Parameters<typeof statesOf>[1] = [
    [404, 'text/plain', '404 page not found'],
    [403, 'text/html', UNAVAILABLE],
    [200, 'text/html', UNAVAILABLE],
  ];
  assert.deepEqual(await statesOf(t, [...answers, [200, STREAM, ': hello\n\n']]), ['reconnecting', 'live']);
});

test('live updates end if the service refuses', async (t) => {
  const refusal = JSON.stringify({ detail: 'may not', code: 'forbidden' });
  assert.deepEqual(await statesOf(t, [[403, 'application/json', refusal]]), ['refused']);
});
