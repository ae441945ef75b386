import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { retryAfterOf } from '../src/errors.ts';
import { createSwitchboard, type SwitchboardOptions } from '../src/index.ts';
import { failure, openSession, quantities, usageEvent } from './support/requests.ts';

test('Retry-After is in seconds or a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const ms = (value?: string) => retryAfterOf({ headers: new Headers(value ? { 'retry-after': value } : {}) }, now);
  assert.deepEqual(
    [ms('3'), ms('Thu, 01 Jan 2026 00:00:05 GMT'), ms('Thu, 01 Jan 2025 00:00:00 GMT')],
    [3000, 5000, 0],
  );
  assert.deepEqual([ms(), ms('soon')], [null, null]);
});

const service = await startService();

type Fault = (request: Request) => Promise<Response>;

/** A client in front of the service whose first attempts fail like this, one after another. */
function faulty(faults: Fault[], options: Partial<SwitchboardOptions> = {}) {
  const seen: { method: string; key: string | null; at: number }[] = [];
  const sb = createSwitchboard({
    baseUrl: service.url,
    userId: 'user-1',
    retryDelayMs: 5,
    ...options,
    fetch: (request) => {
      const fault = faults[seen.length];
      seen.push({ method: request.method, key: request.headers.get('idempotency-key'), at: performance.now() });
      return fault ? fault(request) : fetch(request);
    },
  });
  return { sb, seen };
}

const answer =
  (status: number, code?: string, headers: Record<string, string> = {}): Fault =>
  async () =>
    new Response(code ? JSON.stringify({ detail: 'x', code }) : '<html>', { status, headers });
const answered: Fault = async () => Response.json([]);
/** The service does it, and its answer is lost. */
const loseAnswer: Fault = async (request) => {
  await fetch(request);
  throw new TypeError('fetch failed', { cause: new Error('other side closed') });
};
/** The answer breaks off in the middle. */
const breakOff: Fault = async (request) => {
  const { status, headers, body } = await fetch(request);
  const reader = body?.getReader();
  const pull = async (controller: ReadableStreamDefaultController) => {
    const { value } = (await reader?.read()) ?? {};
    if (value) controller.enqueue(value.slice(0, 5));
    controller.error(new TypeError('terminated'));
  };
  return new Response(new ReadableStream({ pull }), { status, headers });
};

test('a request whose response is lost is retried with the same key, and the event is booked once', async () => {
  const session = await openSession(createSwitchboard({ baseUrl: service.url }), 'once');
  const { sb, seen } = faulty([loseAnswer, breakOff, answer(503, 'overloaded')]);
  await sb.usage.log(usageEvent(session, '1'));
  assert.equal(seen.length, 4);
  assert.equal(new Set(seen.map(({ key }) => key)).size, 1);
  assert.deepEqual(await quantities(sb, session), ['1']);
});

test('a request that is not safe to repeat is not repeated', async () => {
  const { sb, seen } = faulty([loseAnswer, answer(503, 'overloaded')]);
  assert.equal((await failure(sb.agents.create({ name: 'One' }))).code, 'network_error');
  assert.equal((await failure(sb.agents.create({ name: 'None' }))).code, 'overloaded');
  assert.equal(seen.length, 2);
  assert.equal((await sb.agents.list()).length, 1);
});

test('a draft whose answer was lost is put again; with `ifMatch` that looks as if somebody else had saved', async () => {
  const first = faulty([loseAnswer], { userId: 'editor' });
  const owner = createSwitchboard({ baseUrl: service.url, userId: 'editor' });
  const { id } = await owner.agents.create({ name: 'Desk' });
  const { config } = await owner.drafts.get(id);
  const { name, revision: next } = await first.sb.drafts.put(id, { name: 'Desk 1', config });
  assert.deepEqual([name, first.seen.length], ['Desk 1', 2]);
  const again = faulty([loseAnswer], { userId: 'editor' });
  const request = again.sb.drafts.put(id, { name: 'Desk 2', config }, { ifMatch: next });
  assert.equal((await failure(request)).code, 'changed_meanwhile');
  assert.equal(again.seen.length, 2);
  assert.equal((await owner.drafts.get(id)).name, 'Desk 2');
});

test('a refusal that was not carried out is repeated whatever the method, after the pause it asks for', async () => {
  const { sb, seen } = faulty([answer(429, 'too_many_requests', { 'retry-after': '1' })]);
  await sb.forUser('patient').agents.create({ name: 'One' });
  assert.ok((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0) >= 990);
  assert.equal((await sb.forUser('patient').agents.list()).length, 1);
});

test('a pause of more than a minute is left to the caller', async () => {
  const { sb, seen } = faulty([answer(429, 'too_many_calls', { 'retry-after': '3600' })]);
  const error = await failure(sb.agents.list());
  assert.deepEqual([error.code, error.retryAfterMs, seen.length], ['too_many_calls', 3_600_000, 1]);
});

test('repetitions end after so many, and a refusal that stays is not repeated', async () => {
  const many = faulty(Array(10).fill(answer(502)));
  assert.equal((await failure(many.sb.agents.list())).code, 'unexpected_response');
  assert.equal(many.seen.length, 4);
  assert.equal((await failure(many.sb.agents.list({ maxRetries: 0 }))).status, 502);
  assert.equal(many.seen.length, 5);
  for (const [status, code] of [
    [502, 'provider_refused'],
    [503, 'database_full'],
    [503, 'turn_unanswered'],
    [404, 'not_found'],
    [409, 'session_over'],
  ] as const) {
    const { sb, seen } = faulty([answer(status, code)]);
    assert.equal((await failure(sb.agents.list())).code, code);
    assert.equal(seen.length, 1);
  }
});

test('an attempt that takes too long is a timeout, and retried if that is safe', async () => {
  const hang: Fault = (request) =>
    new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
  // The second attempt is answered at once: a busy service may take longer than the timeout.
  const { sb, seen } = faulty([hang, answered], { timeoutMs: 50 });
  await sb.agents.list();
  assert.equal(seen.length, 2);
  const again = faulty([hang]);
  assert.equal((await failure(again.sb.agents.create({ name: 'x' }, { timeoutMs: 20 }))).code, 'timeout');
});

test('the caller’s signal ends a request, and the pause before a repetition', async () => {
  const reason = new Error('the user has left');
  const { sb } = faulty([answer(429, 'too_many_requests', { 'retry-after': '30' })]);
  const leaving = new AbortController();
  const asked = sb.agents.list({ signal: leaving.signal });
  setTimeout(() => leaving.abort(reason), 30);
  await assert.rejects(asked, reason);
  await assert.rejects(sb.agents.list({ signal: AbortSignal.abort(reason) }), reason);
});

test('an unreachable service, a redirect and a response that is not JSON are distinguished', async () => {
  const away = createSwitchboard({ baseUrl: `http://127.0.0.1:${await freePort()}`, maxRetries: 0 });
  const error = await failure(away.agents.list());
  assert.equal(error.code, 'network_error');
  assert.match(error.message, /GET http:\/\/127\.0\.0\.1:\d+\/api\/agents\/: fetch failed: connect ECONNREFUSED/);
  const html: Fault = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
  const { sb } = faulty([html]);
  assert.equal((await failure(sb.agents.list())).code, 'unexpected_response');
  const nothing: Fault = async () => new Response('');
  assert.equal((await failure(faulty([nothing]).sb.agents.list())).code, 'unexpected_response');
  const redirect: Fault = (request) => fetch(new Request(`${service.url}/`, request));
  assert.equal((await failure(faulty([redirect], { maxRetries: 0 }).sb.agents.list())).code, 'network_error');
});

test('a function of the key that fails or hangs fails the attempt, which is retried if that is safe', async () => {
  const cause = new Error('the identity provider is away');
  const keys = [() => Promise.reject(cause), () => new Promise<never>(() => {}), () => ''];
  const options = { timeoutMs: 200, apiKey: () => keys.shift()?.() ?? Promise.reject(cause) };
  const { sb, seen } = faulty([answered], options);
  await sb.agents.list();
  assert.equal(seen.length, 1);
  const error = await failure(sb.agents.create({ name: 'One' }));
  assert.deepEqual([error.code, seen.length], ['network_error', 1]);
  assert.match(error.message, /POST .*: the apiKey function failed, or took too long: the identity provider is away$/);
  const hanging = createSwitchboard({ baseUrl: service.url, apiKey: () => new Promise(() => {}) });
  assert.equal((await failure(hanging.agents.list({ timeoutMs: 20, maxRetries: 0 }))).code, 'timeout');
  const reason = new Error('the user has left');
  await assert.rejects(hanging.agents.list({ signal: AbortSignal.abort(reason) }), reason);
});
