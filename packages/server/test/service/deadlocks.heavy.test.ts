// Two processes write to the same sessions, agents, users and days at the same time, and no transaction waits for
// another that waits for it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { createCallRollups } from '../../src/conversations/stats/rebuild.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { createSandboxCarrier } from '../../src/providers/sandbox/carrier.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { briefOn, longOn } from '../support/contended/operations.ts';
import { neverDone, recorded } from '../support/contended/recorded.ts';
import { type Operation, of, openWorld, type World } from '../support/contended/world.ts';
import { findStored } from '../support/stored-text.ts';

const ENV = {
  CALLS_CONCURRENT: '100000',
  CALLS_BURST: '100000',
  CALLS_PER_SECOND: '10000',
  CALLS_PER_DAY: '1000000',
  // So that workers have analyses to make.
  CALL_REPORT_DELAY_S: '0',
};
/** On the embedded database, with its one connection, only a transaction that waits for a query outside it can fail. */
const hasManyConnections = process.env.TEST_DATABASE_URL !== undefined;
/** Concurrent requests of each operation of a pair, over both processes: each kind meets each other kind once. */
const EACH = hasManyConnections ? 2 : 1;
const CORRECTIONS = hasManyConnections ? 400 : 100;

/** Operations that write and are not in a pair, by the reason. */
const NOT_IN_A_PAIR: Record<string, string> = {
  'it writes nothing, but for an entry of the audit log':
    'validateAgentConfig checkDial previewCampaign draftScenario createStreamToken createEventsToken createRecordingLink createRoomToken',
  'it needs authentication: the command for keys, which does the same, is in a pair': 'createApiKey revokeApiKey',
  'its result is for its caller alone': 'runDoctor checkProvider checkFunction',
  'it writes the row of a sign-in, which nothing else locks': 'signIn signOut signOutEverywhere',
};

const database = await openTestDatabase();
after(() => database.close());
// One phone network: a call that one process has placed is transferred by the other. Its workers claim their tasks.
const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 5 });
const { answerChat: _, analyseCall: __, runScenario: ___, ...media } = sandbox;
const bill: World['bill'] = [];
const carrier = createSandboxCarrier(undefined, bill);
const started = [
  await startService({ database, media, carrier, env: ENV }),
  await startService({ database, media, carrier, env: ENV }),
] as const;
const replicas = started.map(recorded);
const [first] = started;
const prices = ['telephony_minutes', 'media_minutes'].map((event_type) => {
  return { provider: 'sandbox', event_type, price: '1', billing_increment: '1/1', valid_from: '2020-01-01' };
});
await first.request('PUT', '/api/prices', { body: { entries: prices } });
const world = await openWorld(first, USER, { outbound: 600, inbound: 600, ended: 60 }, bill);

/** Those of transactions with each other; a pause is that of a busy machine. */
const conflicts = () => {
  const { deadlock, serialization_failure } = database.conflicts();
  return deadlock.repeated + serialization_failure.repeated;
};

/** Carries operations out so many times at once, over both processes; returns the answers that are refusals. */
async function meet(operations: (Operation | undefined)[], each: number) {
  const answers = await Promise.all(
    Array.from({ length: each }, (_, at) =>
      Promise.all(operations.map((operation, which) => operation?.(of(replicas, at + which), at))),
    ),
  );
  return answers.flat().filter((answer) => answer && answer.status >= 300);
}

const [BRIEF, LONG] = [briefOn(world), longOn(world)];
const ALL = { ...LONG, ...BRIEF };
const names = Object.keys(ALL);
for (const [index, one] of names.entries())
  test(`${one}, while others do the same, or anything else`, async () => {
    for (const other of names.slice(index)) {
      const before = conflicts();
      const refused = await meet([ALL[one], ALL[other]], one in LONG ? 1 : EACH);
      assert.deepEqual(refused, [], `${one} and ${other}`);
      assert.equal(conflicts() - before, 0, `${one} and ${other} met in a deadlock`);
    }
  });

const DOOMED = 'doomed';
const doomed: string[] = [];
const erase = (user: string) => (service: Service) => service.request('DELETE', `/api/users/${user}`);
for (const name of names)
  test(`${name}, of a user who is erased meanwhile`, async () => {
    const user = `${DOOMED}-${newId()}`;
    doomed.push(user);
    const own = await openWorld(first, user, { outbound: 2, inbound: 2, ended: 2 }, bill);
    const before = conflicts();
    // The second one while the operation goes on; refusals are no failures.
    const eraseSoon: Operation = (service, index) =>
      sleep(index * Math.random() * 100).then(() => erase(user)(service));
    await meet([{ ...longOn(own), ...briefOn(own) }[name], eraseSoon], EACH);
    assert.equal(conflicts() - before, 0, 'met in a deadlock');
  });

test('every operation that writes was carried out in a pair, or needs none', () =>
  assert.deepEqual(neverDone().sort(), Object.values(NOT_IN_A_PAIR).join(' ').split(' ').sort()));

for (const clients of [4, 16])
  test(`corrections of 60 ended calls, ${clients} at a time, each get an answer without a deadlock`, async () => {
    const { ended } = world;
    const before = conflicts();
    const statuses = new Map<number, number>();
    let next = 0;
    async function client(): Promise<void> {
      while (next < CORRECTIONS) {
        const index = next++;
        const id = of(ended, index);
        // Another one each time, and each next to another one.
        const answered_by = of(['human', 'ivr', 'voicemail'], index + Math.floor(index / ended.length));
        const duration = 10 ** (index % 3);
        const service = of(started, index);
        const { status } =
          index % 5 === 0
            ? await service.request('PATCH', `/api/sessions/${id}`, { body: { duration, metadata: { duration } } })
            : await service.request('POST', `/api/calls/${id}/outcome`, { user: USER, body: { answered_by } });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    await Promise.all(Array.from({ length: clients }, client));
    assert.deepEqual([...statuses], [[200, CORRECTIONS]]);
    assert.equal(conflicts() - before, 0);
    assert.deepEqual(await createCallRollups(database.db).verify(), []);
  });

test('nothing is left of users who were written to while they were erased', async () => {
  // Refusals are counted in memory, and are in the audit log by then.
  for (const service of started) await service.close();
  const last = await startService({ database, carrier, env: ENV });
  for (const user of doomed)
    await eventually(
      () => erase(user)(last),
      ({ status }) => status === 200,
    );
  assert.deepEqual(await findStored(database.db, [DOOMED]), []);
});
