// Answers that are not from the service, and keys that cannot be had: no report is lost or refused by them.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSwitchboard } from '../src/index.ts';
import { sendItem } from '../src/outbox/send.ts';
import { setUpOutbox } from './support/outbox.ts';
import { quantities, usageEvent } from './support/requests.ts';

const service = await startService();
const sb = createSwitchboard({ baseUrl: service.url });

test('a report is kept until the service itself has answered: a proxy that says 200 does not count', async (t) => {
  const foreign = ['', '{"status":"ok"}', 'null', '[]', '{"events":[]}', '{"events":null}'];
  const waiting: number[] = [];
  const { outbox, session, start, empty, seen, errors } = await setUpOutbox(t, service, async (request) => {
    waiting.push(await outbox.waiting());
    const body = foreign.shift();
    return body === undefined ? fetch(request) : new Response(body, { status: 200 });
  });
  await outbox.lane('call-1').usage(usageEvent(session, '1'));
  start();
  await empty();
  assert.deepEqual(waiting, [1, 1, 1, 1, 1, 1, 1]);
  assert.equal(new Set(seen.map(({ key }) => key)).size, 1);
  assert.deepEqual(await quantities(sb, session), ['1']);
  assert.deepEqual(errors, []);
});

interface Schema {
  $ref?: string;
  required?: string[];
}
interface Described {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
const file = path.resolve(import.meta.dirname, '../../server/openapi.json');
const { paths, components } = JSON.parse(await readFile(file, 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};
const described = Object.values(paths).flatMap((methods) => Object.values(methods));

const OPERATIONS = `reportTurns reportFailedOver reportCallOutcome reportRecording addRecordingSegment endSessionByRoom
  logUsageEvents logUsageEvent addTranscript`;

for (const operation of OPERATIONS.split(/\s+/))
  test(`an answer to ${operation} is told from that of a proxy, and a wrong id is refused`, async () => {
    const { responses = {} } = described.find(({ operationId }) => operationId === operation) ?? {};
    const { schema } = (responses[200] ?? responses[201])?.content?.['application/json'] ?? {};
    const { required = [] } = components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? {};
    const ours = Object.fromEntries(required.map((name) => [name, name === 'events' ? [{}, {}] : null]));
    const send = (answer: object, args = ['a', 'b']) => {
      const client = createSwitchboard({ baseUrl: 'http://127.0.0.1:1', fetch: async () => Response.json(answer) });
      const body = operation === 'endSessionByRoom' ? undefined : { events: [{}, {}] };
      return sendItem(client, { operation, args, body }, 'key', new AbortController().signal);
    };
    assert.equal((await send(ours)).kind, 'delivered');
    for (const foreign of [{}, { status: 'ok', id: '1' }, []]) {
      const { kind, points, hasArrived } = await send(foreign);
      assert.deepEqual({ kind, points, hasArrived }, { kind: 'failed', points: 1, hasArrived: true });
    }
    if (/logUsage/.test(operation)) return;
    assert.equal((await send(ours, ['', ''])).kind, 'refused');
  });

test('while the function of the key fails reports are kept, and then sent in order', async (t) => {
  const { outbox, session, errors, files, empty } = await setUpOutbox(t, service);
  let [isAway, asked] = [true, 0];
  const apiKey = async () => {
    asked++;
    if (isAway) throw new TypeError('fetch failed');
    return '';
  };
  const log = { warn: () => {}, error: (_: object, text: string) => errors.push(text) };
  const client = createSwitchboard({ baseUrl: service.url, apiKey });
  const deliver = () => outbox.deliver({ client, log, pollMs: 5, firstPauseMs: 1, longestPauseMs: 5 });
  for (const content of ['one', 'two', 'three']) await outbox.lane('call-1').transcript(session.room_name, { content });
  await outbox.lane('call-1').usage(usageEvent(session, '1'));
  const first = deliver();
  await eventually(
    async () => asked,
    (count) => count > 80,
  );
  assert.deepEqual(await outbox.counts(), { waiting: 4, failing: 0, refused: 0, uncertain: 0 });
  await first.stop(0);
  assert.deepEqual(
    (await files()).filter((name) => /\.\d{13}\.json$/.test(name)),
    [],
    'nothing was sent, so nothing may have arrived',
  );
  isAway = false;
  const second = deliver();
  await empty();
  await second.stop(0);
  const contents = (await sb.sessions.transcripts(session.id).toArray()).map(({ content }) => content);
  assert.deepEqual(contents, ['one', 'two', 'three']);
  assert.deepEqual(await quantities(sb, session), ['1']);
  assert.deepEqual(errors, []);
});

test('a delivery ends although the function of the key never does', async (t) => {
  const { outbox, session } = await setUpOutbox(t, service);
  let asked = 0;
  const apiKey = () => {
    asked++;
    return new Promise<never>(() => {});
  };
  for (let number = 0; number < 6; number++)
    await outbox.lane(`call-${number}`).transcript(session.room_name, { content: 'x' });
  const log = { warn: () => {}, error: () => {} };
  const delivery = outbox.deliver({ client: createSwitchboard({ baseUrl: service.url, apiKey }), log, pollMs: 5 });
  await eventually(
    async () => asked,
    (count) => count === 4,
  );
  const stopped = delivery.stop(100).then(() => 'stopped');
  assert.equal(await Promise.race([stopped, sleep(10_000, 'hangs', { ref: false })]), 'stopped');
  assert.equal(await outbox.waiting(), 6);
});

test('reports that wait behind others for a service that hangs have not been sent, and say so', async (t) => {
  const { outbox, session, start, seen, files } = await setUpOutbox(t, service, ({ signal }) => hang(signal));
  for (let number = 0; number < 9; number++)
    await outbox.lane(`call-${number}`).transcript(session.room_name, { content: 'x' });
  start();
  await eventually(
    async () => seen.length,
    (count) => count === 4,
  );
  // Every lane has been looked at more than once.
  await sleep(200);
  assert.equal((await files()).filter((name) => /\.\d{13}\.json$/.test(name)).length, seen.length);
});

const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
