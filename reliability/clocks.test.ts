// Two processes on one PostgreSQL whose machines' clocks are wrong: the time they share is the database's.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { type Json, read, readPages, send, sendPatiently } from '@switchboard/testkit/client.ts';
import { listen, type StreamEvent } from '@switchboard/testkit/event-stream.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { query, startPostgres } from '@switchboard/testkit/postgres.ts';
import { verifyRollups } from '@switchboard/testkit/rollups.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { LOAD_SETTINGS } from './support/load.ts';
import { wrongClock } from './support/wrong-clock.ts';

const USER = 'user-1';
const LINES = 30;
const ERASED = 30;
const EVENTS = 10_000;
const BOOKED = 20;
const KILLS = 4;
const WITHIN_MS = 60_000;
/** The same with the lease of a process that was killed, which others wait for: a minute. */
const LEASED_MS = 180_000;

const postgres = await startPostgres(await freePort());
const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-clocks-'));
const running: ServiceProcess[] = [];
after(async () => {
  for (const service of running) await service.end('SIGKILL');
  await postgres.remove();
  rmSync(dir, { recursive: true });
  writeSection(
    10,
    'clocks',
    `## Clocks that differ and jump

Two processes on one PostgreSQL, the clock of one 5 s behind and of the other 5 s ahead: ${LINES} transcripts of one call, each sent to the
other process than the one before, are listed and streamed in their order; ${ERASED} users are erased by two requests each while usage of
theirs is logged, and the reports agree with the ledger. So they do after an erasure was killed, and while a clock jumps by months. ${BOOKED} booked
calls are each placed and reported once while ${KILLS} processes are killed, in turns, and started again with their clocks.`,
  );
});

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startProcess({ ...LOAD_SETTINGS, ...env });
  running.push(service);
  return service;
}

async function startApart(name: string, clocks: string[], env: Record<string, string> = {}) {
  const DATABASE_URL = await postgres.createDatabase(name);
  const services = await Promise.all(clocks.map((by) => start({ DATABASE_URL, ...env, ...wrongClock({ by }) })));
  return { DATABASE_URL, services: services as [ServiceProcess, ServiceProcess] };
}

async function post({ url }: ServiceProcess, path: string, body: object, user = USER): Promise<Json> {
  const answer = await sendPatiently(url, { method: 'POST', path, user, key: randomUUID(), body });
  assert.ok(answer.status < 300, `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const createAgent = async (service: ServiceProcess, user = USER): Promise<string> =>
  (await post(service, '/api/agents/', { name: 'Front desk', user_id: user }, user)).id;

function usageOf(user_id: string, agent_id: string, index: number) {
  const what = { session_id: `session-${index % 7}`, provider: 'openai', event_type: 'llm_tokens' };
  return { user_id, agent_id, ...what, quantity: 1, unit_cost: '0.01', total_cost: '0.01' };
}

test('a call, its timeline, transcripts and stream are the same on replicas with clocks 10 s apart', async () => {
  const { services } = await startApart('calls', ['-5s', '+5s']);
  const [behind, ahead] = services;
  const agent_id = await createAgent(ahead);
  const call = { agent_id, phone_number: '+15005550100' };
  const { call_id, room_name } = await post(ahead, '/api/calls/outbound', call);
  const detail = () => read(behind.url, `/api/calls/${call_id}`);
  await eventually(detail, ({ call_status }) => call_status === 'ANSWERED', WITHIN_MS);
  const lines = Array.from({ length: LINES }, (_, index) => `line ${index}`);
  for (const [index, content] of lines.entries())
    await post(services[index % 2] as ServiceProcess, `/api/sessions/by-room/${room_name}/transcripts`, { content });
  await post(behind, `/api/calls/${call_id}/end`, {});

  for (const { url } of services) {
    const listed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await read(url, `/api/sessions/${call_id}/transcripts?limit=7${cursor && `&cursor=${cursor}`}`);
      listed.push(...page.items.map((item: Json) => item.content));
      cursor = page.next_cursor;
    }
    assert.deepEqual(listed, lines);
  }
  const { timeline, created_at, started_at, ended_at, duration } = await detail();
  assert.deepEqual(
    timeline.map(({ call_status }: Json) => call_status),
    ['RINGING', 'ANSWERED', 'COMPLETED'],
  );
  const times = [created_at, started_at, ended_at].map((time) => Date.parse(time));
  assert.deepEqual(times, times.toSorted());
  assert.equal(Math.round(duration * 1000), Date.parse(ended_at) - Date.parse(started_at));

  const seen: StreamEvent[] = [];
  for (let turn = 0; seen.length < LINES + 3; turn++) {
    const from: Record<string, string> = seen.length > 0 ? { 'last-event-id': String(seen.at(-1)?.id) } : {};
    const stream = await listen(`${services[turn % 2]?.url}/api/calls/${call_id}/events`, from);
    const events = await stream.until((some) => some.length >= 4);
    stream.leave();
    assert.ok(events.length > 0, 'the stream goes on');
    seen.push(...events.slice(0, 4));
  }
  assert.deepEqual(
    seen.map(({ id }) => id),
    Array.from({ length: LINES + 3 }, (_, index) => index + 1),
  );
});

test('a replica with a clock a day ahead resets no daily limit, and one behind grants no extra calls per second', async () => {
  const env = { CALLS_PER_DAY: '3', CALLS_BURST: '10000' };
  const { services } = await startApart('midnight', ['-5s', '+1d'], env);
  const agent_id = await createAgent(services[0]);
  const statuses: number[] = [];
  for (let index = 0; index < 80; index++) {
    const body = { agent_id, phone_number: '+15005550001' };
    const { url } = services[index % 2] as ServiceProcess;
    statuses.push((await send(url, { method: 'POST', path: '/api/calls/outbound', user: USER, body })).status);
  }
  // The sandbox allows ten times the configured limit.
  assert.equal(statuses.filter((status) => status === 201).length, 30);
});

test('concurrent erasures on both replicas while usage is logged leave reports that match the ledger', async () => {
  const { DATABASE_URL, services } = await startApart('erased', ['-5s', '+5s']);
  let logged = 0;
  for (let round = 0; round < ERASED; round++) {
    const user = `user-${round}`;
    const agent_id = await createAgent(services[0], user);
    let erasing = true;
    const logging = Array.from({ length: 6 }, async (_, client) => {
      for (let index = 0; erasing || index < 5; index++, logged++)
        await post(
          services[(client + index) % 2] as ServiceProcess,
          '/api/usage/events',
          usageOf(user, agent_id, index),
          user,
        );
    });
    const requests = [0, 1, 0].map(async (replica) => {
      const { url } = services[replica] as ServiceProcess;
      const { status, body } = await send(url, { method: 'DELETE', path: `/api/users/${user}` });
      assert.equal(status, 200, JSON.stringify(body));
    });
    await Promise.all(requests).finally(() => {
      erasing = false;
    });
    await Promise.all(logging);
  }
  verifyRollups({ DATABASE_URL });
  const sums = `select (select sum(total_cost) from usage_events)::text as ledger, (select sum(total_cost) from usage_rollups)::text as reports`;
  const cents = (logged / 100).toFixed(2);
  assert.deepEqual(await query(DATABASE_URL, sums), [{ ledger: cents, reports: cents }]);
  assert.deepEqual(await query(DATABASE_URL, `select from erasures where user_id is not null`), []);
  const waiting = () => query(DATABASE_URL, `select from work where kind = 'erasure'`);
  await eventually(waiting, ({ length }) => length === 0, WITHIN_MS);
});

test('an erasure whose process is killed leaves reports that match the ledger, and the other replica resumes it', async () => {
  const { DATABASE_URL, services } = await startApart('killed', ['-5s', '+5s']);
  const [first, second] = services;
  const agent_id = await createAgent(first);
  for (let sent = 0; sent < EVENTS; sent += 1000) {
    const events = Array.from({ length: 1000 }, (_, index) => usageOf(USER, agent_id, index));
    await post(first, '/api/usage/events/batch', { events });
  }
  const erasing = send(first.url, { method: 'DELETE', path: `/api/users/${USER}` });
  const moved = () =>
    query(DATABASE_URL, `select count(*)::int as events from usage_events where user_id <> '${USER}'`);
  await eventually(moved, ([row]) => row?.events > 0, WITHIN_MS);
  await first.end('SIGKILL');
  await erasing;
  verifyRollups({ DATABASE_URL });
  // The process that died may have finished; otherwise its lease, of a minute, is made to expire at once.
  const over = () => query(DATABASE_URL, `select from erasures where finished_at is not null`);
  await query(
    DATABASE_URL,
    `update work set leased_until = now(), due_at = requested_at from erasures where kind = 'erasure'`,
  );
  await eventually(over, ({ length }) => length === 1, WITHIN_MS);
  assert.equal((await read(second.url, '/api/costs/summary', USER)).total_cost, '0');
  assert.equal((await moved())[0]?.events, EVENTS);
  verifyRollups({ DATABASE_URL });
});

test('booked calls are each placed and reported once on replicas with clocks 10 s apart that are killed', async () => {
  const clocks = ['-5s', '+5s'];
  const limits = { CALL_REPORT_DELAY_S: '0', RECONCILE_INTERVAL_MS: '500' };
  const { DATABASE_URL, services } = await startApart('booked', clocks, limits);
  const [first] = services;
  const agent_id = await createAgent(first);
  await post(first, '/api/webhook-endpoints', { url: 'http://127.0.0.1:9/', events: ['call.report'] });
  for (let index = 0; index < BOOKED; index++) {
    // It answers, and hangs up after a second.
    const call = { agent_id, phone_number: '+15005550005' };
    await post(first, '/api/calls/outbound', { ...call, at: new Date(Date.now() + 4_000 + index * 200).toISOString() });
  }
  const count = async (what: string): Promise<number> =>
    (await query(DATABASE_URL, `select count(*)::int as n from ${what}`))[0]?.n;
  const isPlaced = "scheduled_calls where status = 'PLACED'";
  for (let kill = 0; kill < KILLS; kill++) {
    await eventually(
      () => count(isPlaced),
      (placed) => placed >= (kill * BOOKED) / KILLS,
      LEASED_MS,
    );
    await services[kill % 2]?.end('SIGKILL');
    services[kill % 2] = await start({ DATABASE_URL, ...limits, ...wrongClock({ by: clocks[kill % 2] as string }) });
  }
  const done = async () => [
    await count(isPlaced),
    await count("sessions where status in ('COMPLETED', 'FAILED')"),
    await count("callbacks where type = 'call.report'"),
  ];
  const once = [BOOKED, BOOKED, BOOKED];
  await eventually(done, (counts) => counts.every((one, index) => one >= (once[index] ?? 0)), LEASED_MS);
  assert.deepEqual(await done(), once);
  assert.equal(
    await count("(select distinct session_id from callbacks where type = 'call.report') as reported"),
    BOOKED,
  );
});

test('a clock that jumps by months while usage is logged dates no event, and the reports match the ledger', async () => {
  const DATABASE_URL = await postgres.createDatabase('jumping');
  const from = path.join(dir, 'clock');
  writeFileSync(from, '+0s\n');
  const service = await start({ DATABASE_URL, ...wrongClock({ from }) });
  const agent_id = await createAgent(service);
  const [{ now: begun } = {}] = await query(DATABASE_URL, 'select now()');
  for (const jump of ['+400d', '-90d', '+5s', '-5s', '+1d', '-400d', '+0s']) {
    writeFileSync(from, `${jump}\n`);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => post(service, '/api/usage/events', usageOf(USER, agent_id, index))),
    );
  }
  const events = await query(
    DATABASE_URL,
    'select tableoid::regclass::text as partition, created_at from usage_events',
  );
  assert.equal(events.length, 140);
  assert.deepEqual(
    events.filter(({ partition }) => partition === 'usage_events_other'),
    [],
  );
  const [{ now: ended } = {}] = await query(DATABASE_URL, 'select now()');
  const tolerance = 1_000;
  for (const { created_at } of events)
    assert.ok(created_at >= begun.getTime() - tolerance && created_at <= ended.getTime() + tolerance, created_at);
  verifyRollups({ DATABASE_URL });
  // A process that starts while its clock is wrong.
  await service.end('SIGTERM');
  writeFileSync(from, '+400d\n');
  const again = await start({ DATABASE_URL, ...wrongClock({ from }) });
  await post(again, '/api/usage/events', usageOf(USER, agent_id, 0));
  assert.deepEqual(await query(DATABASE_URL, 'select from usage_events_other'), []);
  assert.match(again.output(), /clock differs from the database's/);
  const listed = await readPages(again.url, '/api/sessions/', USER);
  assert.deepEqual(listed, []);
  verifyRollups({ DATABASE_URL });
});
