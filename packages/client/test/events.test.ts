import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { readEvents, type StreamedEvent } from '../src/event-stream.ts';
import { type CallEvent, createSwitchboard, type SwitchboardOptions } from '../src/index.ts';
import { failure } from './support/requests.ts';

const service = await startService();
const base = { baseUrl: service.url, userId: 'user-1' };
const sb = createSwitchboard(base);
const agent = await sb.agents.create({ name: 'Front desk' });

/** No stream may keep a test waiting forever. */
const inTime = () => ({ signal: AbortSignal.timeout(50_000) });

const startCall = () => sb.calls.start({ agent_id: agent.id, phone_number: '+15005550100' });

/** Talks and hangs up as soon as the call is answered, and gives what its stream says. */
async function follow(options: Partial<SwitchboardOptions>): Promise<CallEvent[]> {
  const { call_id, room_name } = await startCall();
  const events: CallEvent[] = [];
  for await (const event of createSwitchboard({ ...base, ...options }).calls.events(call_id, inTime())) {
    events.push(event);
    if (event.event === 'call' && event.data.call_status === 'ANSWERED') {
      for (const content of ['one', 'two', 'three']) await sb.sessions.addTranscript(room_name, { content });
      await sb.calls.end(call_id);
    }
  }
  return events;
}

function assertWhole(events: CallEvent[]): void {
  const seen = events.map((one) =>
    one.event === 'call' ? one.data.call_status : one.event === 'transcript' && one.data.content,
  );
  assert.deepEqual(seen, ['RINGING', 'ANSWERED', 'one', 'two', 'three', 'COMPLETED']);
  assert.deepEqual(
    events.map(({ id }) => id),
    [1, 2, 3, 4, 5, 6],
  );
}

test('the events of a call come from its beginning to its end, and then the loop ends', async () => {
  const events = await follow({});
  assertWhole(events);
  const last = events.at(-1);
  assert.ok(last?.event === 'call' && last.data.ended_at && last.data.at);
});

test('a stream that breaks off after every few bytes is resumed: no event is lost, none comes twice', async () => {
  let streams = 0;
  const events = await follow({
    fetch: async (request) => {
      const response = await fetch(request);
      if (!response.body || !request.url.endsWith('/events')) return response;
      // Long enough for one event, and for a part of the next.
      let left = 560;
      streams++;
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk.slice(0, left));
          left -= chunk.length;
          if (left <= 0) controller.error(new TypeError('terminated'));
        },
      });
      return new Response(response.body.pipeThrough(cut), response);
    },
  });
  assertWhole(events);
  assert.ok(streams >= 4, `${streams} streams`);
});

test('a service that is away for a moment is waited for', async () => {
  let asked = 0;
  const events = await follow({
    fetch: async (request) => {
      asked++;
      if (asked === 1) throw new TypeError('fetch failed');
      if (asked === 2) return new Response('', { status: 503 });
      return fetch(request);
    },
  });
  assertWhole(events);
});

test('each stream is opened after a pause: that of the stream, and no earlier Retry-After', async () => {
  const asked: number[] = [];
  const streams = ['retry: 100\n\n', 'retry: 200\n\nid: 1\n\n', 'id: 2\n\n'];
  const server = await serveHttp((_request, response) => {
    asked.push(performance.now());
    if (asked.length === 1)
      return response.writeHead(503, { 'retry-after': '2' }).end('{"code":"overloaded","detail":"x"}');
    const stream = streams.shift();
    if (stream === undefined) return response.writeHead(204).end();
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
  });
  for await (const _ of createSwitchboard({ baseUrl: server.url }).calls.events('x')) assert.fail('no event has data');
  await server.close();
  const [first = 0, second = 0, ...later] = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  assert.equal(later.length, 2);
  assert.ok(first >= 1_990, `${first} ms after the 503`);
  assert.ok(second < 1_900, `${second} ms after a stream without events`);
  for (const pause of later) assert.ok(pause >= 95, `${pause} ms after a stream with one`);
});

test('a listener resumes from the event it names, and with a token needs no key', async () => {
  const { call_id } = await startCall();
  for await (const event of sb.calls.events(call_id, inTime())) if (event.id === 2) break;
  await sb.calls.end(call_id);
  const { token } = await sb.calls.createStreamToken(call_id);
  const page = createSwitchboard({ baseUrl: service.url });
  const events: number[] = [];
  for await (const { id } of page.calls.events(call_id, { ...inTime(), token, lastEventId: 1 })) events.push(id);
  assert.deepEqual(events, [2, 3]);
});

test('a refusal ends the loop with its error, and the caller’s signal with its reason', async () => {
  const next = (callId: string, signal?: AbortSignal) => sb.calls.events(callId, signal ? { signal } : {}).next();
  assert.equal((await failure(next('no-such-call'))).code, 'not_found');
  const { call_id } = await startCall();
  const leaving = new AbortController();
  const reason = new Error('the page was left');
  const events = sb.calls.events(call_id, { signal: leaving.signal });
  await events.next();
  setTimeout(() => leaving.abort(reason), 50);
  await assert.rejects(async () => {
    for await (const _ of events);
  }, reason);
  await sb.calls.end(call_id);
});

test('something else at the address is not taken for a stream', async () => {
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  });
  const error = await failure(createSwitchboard({ baseUrl: server.url }).calls.events('x').next());
  assert.equal(error.code, 'unexpected_response');
  await server.close();
});

test('a stream is read alike wherever its chunks and lines end', async () => {
  const text = 'retry: 5\n\n:\n\nid: 1\nevent: call\ndata: {"a":\ndata: 1}\n\nid: 2\n\ndata:x\n\nid: 3\ndata: cut';
  const expected = [{ retryMs: 5 }, {}, { id: '1', event: 'call', data: '{"a":\n1}' }, { id: '2' }, { data: 'x' }];
  for (const end of ['\n', '\r\n', '\r'])
    for (let size = 1; size < text.length; size += 3) {
      const whole = text.replaceAll('\n', end);
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
        whole.slice(i * size, (i + 1) * size),
      );
      const events: StreamedEvent[] = [];
      for await (const event of readEvents(
        (async function* () {
          yield* chunks;
        })(),
      ))
        events.push(event);
      assert.deepEqual(events, expected, `${JSON.stringify(end)} ${size}`);
    }
});
