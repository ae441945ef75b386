import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { query } from '@switchboard/testkit/postgres.ts';
import { wrongClock } from '../../reliability/support/wrong-clock.ts';
import { type Attempt, compare, type Pause, POLICY, peopleOf, recipientOf, roomsByCallId } from './support/campaign.ts';
import { recordFigure } from './support/seen.ts';
import { FULL, setUp } from './support/setup.ts';

const PEOPLE = FULL ? 500 : 40;
const KILLS = FULL ? 12 : 2;
/** Kills from one that comes during a pause to the next such one. */
const PAUSE_EVERY = 4;
const PAUSE_MS = 2_000;
const WITHIN_MS = FULL ? 1_800_000 : 300_000;
const ATTEMPTS = 2;
/** So few at the same time that people still wait at the first pause. */
const CONCURRENT = FULL ? 20 : 5;
/** Clients repeat their requests until a service that was killed is back at its address. */
const OTHER_PORT = '8001';

const { lab, service, startService, databaseUrl } = await setUp({
  RINGING_TIMEOUT_S: '4',
  RECONCILE_INTERVAL_MS: '1000',
});

/** The service that the media server reports to, and another one; their clocks are ten seconds apart. */
const start = [
  () => startService(wrongClock({ by: '-5s' })),
  () => startService({ PORT: OTHER_PORT, ...wrongClock({ by: '+5s' }) }),
];

test(`a campaign through the bridge keeps to its rules while either of two services is killed ${KILLS} times`, async () => {
  await service.end('SIGTERM');
  const running = await Promise.all(start.map((one) => one()));
  const either = () => running[randomInt(2)] ?? assert.fail();
  const send = async (method: 'get' | 'post' | 'put' | 'patch', path: string, body?: object) => {
    const { status, body: answer } = await either()[method](path, body);
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const kill = async () => {
    await sleep(1_000 + randomInt(4_000));
    const index = randomInt(2);
    await running[index]?.end('SIGKILL');
    running[index] = (await start[index]?.()) ?? assert.fail();
  };

  const people = peopleOf(PEOPLE);
  const numbersOf = (group: string) => people.filter((one) => one.group === group).map((one) => one.phone_number);
  const suppress = (group: string) =>
    send('post', '/api/suppressions', { entries: numbersOf(group).map((phone_number) => ({ phone_number })) });
  // An agent that never joins: joining a room takes a second of processor time, and nothing depends on it.
  const agent_id = await either().createAgent({ join_after_ms: 600_000 });
  await send('put', '/api/dial-policies/daytime', POLICY);
  const retries = { attempts: ATTEMPTS, on: ['busy', 'no_answer'], delays_s: [2] };
  const pacing = { max_concurrent: CONCURRENT, per_minute: 6_000, reserve_for_others: 0 };
  const made = { name: 'Renewals', agent_id, policy: 'daytime', purpose: 'marketing', retries, pacing };
  const { id } = await send('post', '/api/campaigns', made);
  const path = `/api/campaigns/${id}`;
  const { added, known } = await send('post', `${path}/recipients`, { recipients: people.map(recipientOf) });
  assert.equal(added + known, PEOPLE);
  await suppress('suppressed');
  await send('post', `${path}/start`);

  const objected = suppress('objecting').then(() => Date.now());
  const pauses: (Pause & { waiting: number })[] = [];
  const pause = async () => {
    const { state, recipients } = await send('post', `${path}/pause`);
    const from = Date.now();
    assert.equal(state, 'paused');
    const placed = new Set((await attemptsOf(id)).map(({ room_name }) => room_name));
    await kill();
    await sleep(PAUSE_MS);
    pauses.push({ from, to: Date.now(), placed, waiting: recipients.waiting });
    await send('post', `${path}/resume`);
  };
  await sleep(1_000 + randomInt(2_000));
  for (let kills = 0; kills < KILLS; kills++) await (kills % PAUSE_EVERY === 0 ? pause() : kill());
  assert.ok(
    pauses.some(({ waiting }) => waiting > 0),
    'somebody waited during a pause',
  );

  const campaign = () => send('get', path);
  const asleep = numbersOf('asleep').length;
  await eventually(campaign, ({ recipients }) => isOver(recipients) && recipients.deferred === asleep, WITHIN_MS);
  await send('patch', path, { expires_at: new Date(Date.now() + 2_000).toISOString() });
  const done = await eventually(campaign, ({ state }) => state === 'completed', WITHIN_MS);
  const rows = await everybody((page) => send('get', `${path}/recipients?limit=100${page}`));
  const [attempts, objectedAt] = [await attemptsOf(id), await objected];
  const seen = await seenByPhones();
  const most = { mostAttempts: ATTEMPTS, mostInterrupted: KILLS * CONCURRENT };
  const figures = compare({ people, rows, attempts, ...seen, pauses, objectedAt, ...most });
  const counted = Map.groupBy(rows, (row) => row.state);
  for (const [name, count] of Object.entries(done.recipients))
    assert.equal(name === 'total' ? rows.length : (counted.get(name)?.length ?? 0), count, `counter of ${name}`);
  for (const [name, value] of Object.entries(figures)) recordFigure(`campaign, ${KILLS} kills: ${name}`, value);
});

/** Whether only those are left whose hours do not come. */
const isOver = ({ waiting, dialling, connected }: Json) => waiting + dialling + connected === 0;

/** All recipients, with their attempts. */
async function everybody(get: (page: string) => Promise<Json>): Promise<Json[]> {
  const rows: Json[] = [];
  for (let page = ''; ; ) {
    const { items, next_cursor } = await get(page);
    rows.push(...items);
    if (next_cursor === null) return rows;
    page = `&cursor=${encodeURIComponent(next_cursor)}`;
  }
}

/** From the database: the answer to a question about it may get lost, and a pause does not wait. */
const attemptsOf = (id: string) =>
  query<Attempt>(
    databaseUrl,
    `select phone_number, room_name, outcome, attempt.started_at from campaign_attempts as attempt
     join campaign_recipients as recipient on recipient.id = recipient_id
     join sessions on sessions.id = call_id where attempt.campaign_id = '${id}'`,
  );

/** INVITEs and what followed, once the bridge has told the room of each. */
function seenByPhones() {
  return eventually(
    async () => ({ dialogues: await lab.dialogues(), rooms: roomsByCallId(lab.bridge.output()) }),
    ({ dialogues, rooms }) => dialogues.every(({ callId }) => rooms.has(callId)),
  );
}
