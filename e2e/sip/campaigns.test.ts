import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { wrongClock } from '../../reliability/support/wrong-clock.ts';
import type { Phone } from './support/phones.ts';
import { recordFigure } from './support/seen.ts';
import { FULL, setUp } from './support/setup.ts';
import { numberOf } from './support/switchboard.ts';
import { requestedAt } from './support/trace.ts';

const PEOPLE = FULL ? 500 : 40;
const KILLS = FULL ? 12 : 2;
const WITHIN_MS = FULL ? 1_800_000 : 300_000;
const ATTEMPTS = 2;
/** Phones in turn. One that is busy, or that nobody picks up, is called once more. */
const MANNERS: Phone[] = ['hangsUpAfterASecond', 486, 'hangsUpAfterASecond', 'ringsOut', 603];
/** Time that a call which was placed before an opt-out may take to the bridge, on a busy machine. */
const ON_ITS_WAY_MS = 10_000;
/** Clients repeat their requests until a service that was killed is back at its address. */
const OTHER_PORT = '8001';

const { lab, service, startService } = await setUp({ RINGING_TIMEOUT_S: '4', RECONCILE_INTERVAL_MS: '1000' });

/** The service that the media server reports to, and another one; their clocks are ten seconds apart. */
const start = [
  () => startService(wrongClock({ by: '-5s' })),
  () => startService({ PORT: OTHER_PORT, ...wrongClock({ by: '+5s' }) }),
];

test(`a campaign through the bridge, while one or the other of two services is killed ${KILLS} times`, async () => {
  await service.end('SIGTERM');
  const running = await Promise.all(start.map((one) => one()));
  const either = () => running[randomInt(2)] ?? assert.fail();
  const send = async (method: 'get' | 'post', path: string, body?: object) => {
    const { status, body: answer } = await either()[method](path, body);
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };

  const people = Array.from({ length: PEOPLE }, (_, n) => numberOf(MANNERS[n % MANNERS.length] ?? 'answers'));
  const [before, meanwhile] = [people.slice(0, PEOPLE / 20), people.slice(-PEOPLE / 10)];
  const suppress = (numbers: string[]) =>
    send('post', '/api/suppressions', { entries: numbers.map((phone_number) => ({ phone_number })) });
  // An agent that never joins: joining a room takes a second of processor time, and nothing depends on it.
  const agent_id = await either().createAgent({ join_after_ms: 600_000 });
  const retries = { attempts: ATTEMPTS, on: ['busy', 'no_answer'], delays_s: [2] };
  const pacing = { max_concurrent: 20, per_minute: 6_000, reserve_for_others: 0 };
  const { id } = await send('post', '/api/campaigns', { name: 'Renewals', agent_id, retries, pacing });
  const recipients = people.map((phone_number) => ({ phone_number, external_id: phone_number }));
  const { added, known } = await send('post', `/api/campaigns/${id}/recipients`, { recipients });
  assert.equal(added + known, PEOPLE);
  await suppress(before);
  await send('post', `/api/campaigns/${id}/start`);

  const stopped = suppress(meanwhile).then(() => Date.now());
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(1_000 + randomInt(4_000));
    const index = randomInt(2);
    await running[index]?.end('SIGKILL');
    running[index] = (await start[index]?.()) ?? assert.fail();
  }
  const state = () => send('get', `/api/campaigns/${id}`);
  const done = await eventually(state, (campaign) => campaign.state === 'completed', WITHIN_MS);
  const rows = await everybody((path) => send('get', path), id);
  const figures = await compare(rows, { people, before, meanwhile, stoppedAt: await stopped });
  const counted = Map.groupBy(rows, (row) => row.state);
  for (const [name, count] of Object.entries(done.recipients))
    assert.equal(name === 'total' ? rows.length : (counted.get(name)?.length ?? 0), count, `counter of ${name}`);
  for (const [name, value] of Object.entries(figures)) recordFigure(`campaign, ${KILLS} kills: ${name}`, value);
});

/** All recipients, with their attempts. */
async function everybody(get: (path: string) => Promise<Json>, id: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor = ''; ; ) {
    const { items, next_cursor } = await get(`/api/campaigns/${id}/recipients?limit=100${cursor}`);
    rows.push(...items);
    if (next_cursor === null) return rows;
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
  }
}

interface Called {
  people: string[];
  before: string[];
  meanwhile: string[];
  stoppedAt: number;
}

/** Compares what the service says with the INVITEs that the phones have seen. */
async function compare(rows: Json[], { people, before, meanwhile, stoppedAt }: Called) {
  assert.deepEqual(
    rows.map((row) => row.phone_number).sort(),
    people.toSorted(),
    'nobody is forgotten, or there twice',
  );
  const invites = Map.groupBy(await lab.dialogues(), ({ number }) => number);
  let [dialled, interrupted, attempted] = [0, 0, 0];
  for (const { phone_number, state, attempts } of rows) {
    const seen = invites.get(phone_number) ?? [];
    const lost = attempts.filter(({ outcome }: Json) => outcome === 'interrupted').length;
    assert.match(state, /^(reached|exhausted|suppressed)$/, phone_number);
    assert.ok(attempts.length <= ATTEMPTS, phone_number);
    assert.ok(
      seen.length <= attempts.length,
      `${phone_number} was dialled ${seen.length} times in ${attempts.length} attempts`,
    );
    assert.ok(seen.length >= attempts.length - lost, `${phone_number}: an attempt with an outcome was not dialled`);
    if (before.includes(phone_number)) assert.deepEqual([state, seen.length], ['suppressed', 0], phone_number);
    dialled += seen.length;
    interrupted += lost;
    attempted += attempts.length;
  }
  const late = meanwhile.flatMap((number) => invites.get(number) ?? []).map((one) => requestedAt(one, 'INVITE') ?? 0);
  assert.deepEqual(
    late.filter((at) => at > stoppedAt + ON_ITS_WAY_MS),
    [],
    'INVITEs after an opt-out',
  );
  return { people: rows.length, attempts: attempted, 'INVITEs that phones saw': dialled, interrupted };
}
