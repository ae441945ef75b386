// Campaigns that dial nobody for a moment, and are not blocked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createCampaignTurns } from '../../src/calling/campaigns/turns.ts';
import { AGENT_IS_CHANGING } from '../../src/calling/outbound/placing.ts';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';

const person = (n: number) => `+1500555${1000 + n}`;
const people = (count: number) => Array.from({ length: count }, (_, n) => ({ phone_number: person(n) }));

test('open calls that may use up a budget block nothing until they have ended', async () => {
  const everybody = people(12).map(({ phone_number }) => phone_number);
  const { media, numbers } = countingMedia(...everybody);
  const service = await startService({ env: LIMITS, media });
  const { create, add, act, becomes, get, ok } = await outreach(service);
  await ok('POST', '/api/webhook-endpoints', { url: 'https://example.com/events', events: ['campaign.blocked'] });
  const id = await create({ budget: '5' });
  await add(id, people(12));
  await act(id, 'start');
  // Until ten have ended, ten are open at most.
  await becomes(id, ({ recipients }) => recipients.connected === 10);
  for (let turns = 0; turns < 3; turns++) await service.app.reconcile();
  assert.deepEqual([(await get(id)).blocked, numbers().length], [null, 10]);
  const events = service.database.db.selectFrom('callbacks').select('id').where('type', '=', 'campaign.blocked');
  assert.deepEqual(await events.execute(), []);
  await act(id, 'cancel');
  await service.close();
});

test('a campaign whose agent is being changed waits for a moment, and tells nobody', async () => {
  const clock = createTestClock();
  const database = await openTestDatabase();
  const service = await startService({ database, clock });
  const { create, add } = await outreach(service);
  const id = await create();
  await add(id, people(1));
  await service.close();
  const { db } = database;
  const running = { state: 'running' as const, turn_at: clock.now() };
  await db.updateTable('campaigns').set(running).where('id', '=', id).execute();
  const told: string[] = [];
  const use = { open: 0, concurrent: 10, tokens: 10, burst: 10, today: 0, per_day: 100, day_ends_at: clock.now() };
  const deps = {
    db,
    clock,
    hashes: async () => () => '',
    placeWithin: async (_trx: unknown, _user: string, inputs: unknown[]) => inputs.map(() => AGENT_IS_CHANGING),
    limits: { use: async () => use },
    serving: { calls: async () => null },
    callbacks: {
      enqueueForUser: async (_trx: unknown, type: string) => void told.push(type),
      enqueueEachForUser: async (_trx: unknown, type: string, _to: unknown, all: unknown[]) =>
        void told.push(...all.map(() => type)),
    },
    paceOfTrunks: () => 1,
  };
  const turn = createCampaignTurns(deps as unknown as Parameters<typeof createCampaignTurns>[0]);
  assert.deepEqual(await turn(), []);
  const { state, blocked, turn_at } = await db.selectFrom('campaigns').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual([state, blocked, told], ['running', null, []]);
  assert.equal(turn_at?.getTime(), clock.now().getTime() + 1_000);
  await database.close();
});
