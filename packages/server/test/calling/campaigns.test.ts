import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';

const [BUSY, SILENT] = ['+15005550001', '+15005550002'];

const person = (n: number) => `+1500555${String(1000 + n)}`;

test('a campaign calls everybody once, tries again those who are busy, and is completed', async () => {
  const { media, numbers } = countingMedia();
  const service = await startService({ env: LIMITS, media });
  const { create, add, act, becomes, recipients, ok } = await outreach(service);
  const id = await create({ retries: { attempts: 2, on: ['busy'], delays_s: [0] } });
  const people = [BUSY, SILENT, person(1), person(2)].map((phone_number, index) => ({
    phone_number,
    external_id: `c-${index}`,
    variables: { name: `N${index}` },
  }));
  const nothing = { added: 0, known: 0, consents_added: 0, refused: 0, refusals: [], stopped_at_line: null };
  assert.deepEqual(await add(id, people), { ...nothing, added: 4 });
  assert.deepEqual(await add(id, people), { ...nothing, known: 4 });
  assert.equal((await act(id, 'start')).state, 'running');
  const done = await becomes(id, ({ state }) => state === 'completed');
  assert.equal(done.recipients.reached, 2);
  assert.equal(done.recipients.exhausted, 2);
  assert.deepEqual(numbers().sort(), [BUSY, BUSY, SILENT, person(1), person(2)].sort());
  const [busy, silent, reached] = await recipients(id);
  assert.deepEqual([busy.state, busy.reason, busy.attempts.length], ['exhausted', 'busy', 2]);
  assert.deepEqual([silent.state, silent.reason, silent.attempts.length], ['exhausted', 'no_answer', 1]);
  assert.deepEqual([reached.state, reached.attempts[0].outcome], ['reached', 'answered']);
  const call = await ok('GET', `/api/calls/${reached.attempts[0].call_id}`);
  assert.deepEqual(call.variables, { name: 'N2' });
  const stats = await ok('GET', `/api/campaigns/${id}/stats`);
  assert.deepEqual(
    [stats.attempts.total, stats.attempts.busy, stats.attempts.answered, stats.attempts.no_answer],
    [5, 2, 2, 1],
  );
  // Recipients that are added later are called too.
  await add(id, [{ phone_number: person(3) }]);
  await becomes(id, ({ state }) => state === 'completed');
  assert.equal(numbers().length, 6);
  await service.close();
});

test('with dispositions, whoever answers is reached only by a call that is reported to have gone well', async () => {
  const { media, numbers } = countingMedia();
  const service = await startService({ env: LIMITS, media });
  const { create, add, act, becomes, recipients, ok } = await outreach(service);
  const retries = { attempts: 2, on: ['answered'], delays_s: [0] };
  const id = await create({ reached_dispositions: ['booked'], retries });
  assert.deepEqual((await ok('GET', `/api/campaigns/${id}`)).reached_dispositions, ['booked']);
  const [booked, wrong] = [person(1), person(2)];
  await add(id, [{ phone_number: booked }, { phone_number: wrong }]);
  await act(id, 'start');
  const reported = new Set<string>();
  // A worker may say so after the end: the calls wait for it.
  const report = async () => {
    for (const { phone_number, attempts } of await recipients(id))
      for (const { call_id } of attempts) {
        if (reported.has(call_id)) continue;
        reported.add(call_id);
        const disposition = phone_number === booked ? 'booked' : 'wrong_person';
        await ok('POST', `/api/calls/${call_id}/outcome`, { disposition });
      }
    return ok('GET', `/api/campaigns/${id}`);
  };
  await eventually(report, ({ state }) => state === 'completed', 100_000);
  const [first, second] = await recipients(id);
  assert.deepEqual([first.state, first.reason, first.attempts.length], ['reached', 'answered', 1]);
  assert.deepEqual([second.state, second.reason, second.attempts.length], ['exhausted', 'answered', 2]);
  assert.deepEqual(numbers().sort(), [booked, wrong, wrong]);
  await becomes(id, ({ state }) => state === 'completed');
  await service.close();
});

test('while its calls wait for a worker a campaign dials nobody, and goes on when they are over', async () => {
  const waiting = [person(1), person(2), person(3)];
  const { media, numbers } = countingMedia(...waiting);
  const service = await startService({ env: { ...LIMITS, AGENT_JOIN_TIMEOUT_S: '300' }, media });
  const { create, add, act, becomes, recipients, send } = await outreach(service);
  const id = await create();
  const metadata = { sandbox: 'agent_never_joins' };
  await add(
    id,
    waiting.map((phone_number) => ({ phone_number, metadata })),
  );
  await act(id, 'start');
  await becomes(id, (campaign) => campaign.recipients.connected === 3);
  // Longer ago than a free worker takes.
  const earlier = sql<Date>`started_at - interval '11 s'`;
  await service.database.db.updateTable('campaign_attempts').set({ started_at: earlier }).execute();
  await add(id, [{ phone_number: person(4) }]);
  const blocked = await becomes(id, (campaign) => campaign.blocked !== null);
  assert.deepEqual([blocked.blocked, numbers().length], [{ reason: 'capacity', until: null }, 3]);
  for (const { attempts } of (await recipients(id)).slice(0, 3))
    await send('POST', `/api/calls/${attempts[0].call_id}/end`);
  await becomes(id, ({ state }) => state === 'completed');
  assert.equal(numbers().at(-1), person(4));
  await service.close();
});

test('a call that a worker with a fast clock ends in an hour is tried again after the delay', async () => {
  const { media } = countingMedia(person(1));
  const service = await startService({ env: LIMITS, media });
  const { create, add, act, becomes, recipients, ok } = await outreach(service);
  const id = await create({ retries: { attempts: 2, on: ['voicemail'], delays_s: [60], spread: 0 } });
  await add(id, [{ phone_number: person(1) }]);
  await act(id, 'start');
  await becomes(id, (campaign) => campaign.recipients.connected === 1);
  const [{ call_id }] = (await recipients(id))[0].attempts;
  await ok('POST', `/api/calls/${call_id}/outcome`, { answered_by: 'voicemail' });
  await ok('PATCH', `/api/sessions/${call_id}`, { ended_at: new Date(Date.now() + 3_600_000).toISOString() });
  await becomes(id, (campaign) => campaign.recipients.waiting === 1);
  const [{ next_at }] = await recipients(id);
  assert.ok(new Date(next_at).getTime() < Date.now() + 61_000, next_at);
  await service.close();
});
