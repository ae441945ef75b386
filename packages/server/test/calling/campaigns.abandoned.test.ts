/** Calls that people answer and no agent takes: a campaign stops when there are more than its policy allows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';
import { versionsOf } from '../support/versions.ts';

/** Requests about policies, and the counts of the days before. */
async function prepared() {
  const { media, numbers } = countingMedia('+15005552001', '+15005552002');
  const service = await startService({ env: { ...LIMITS, AGENT_JOIN_TIMEOUT_S: '1' }, media });
  const requests = await outreach(service);
  const put = (name: string, rules: object) => requests.ok('PUT', `/api/dial-policies/${name}`, rules);
  const earlier = (campaign_id: string, days_ago: number, answered: number, abandoned: number) =>
    service.database.db
      .insertInto('campaign_days')
      .values({ campaign_id, day: new Date(Date.now() - days_ago * 86_400_000).toISOString(), answered, abandoned })
      .execute();
  return { service, numbers, put, earlier, ...requests };
}

test('a campaign whose calls no agent takes dials nobody more, and says why, until its policy allows as many', async () => {
  const { service, numbers, put, create, add, act, ok, becomes } = await prepared();
  // Longer than the service waits for an agent, before it hangs up.
  await put('careful', { max_abandoned_rate: 0.1, abandoned_after_s: 30 });
  const id = await create({ policy: 'careful', retries: { attempts: 1 } });
  const people = [1, 2, 3, 4, 5].map((n) => ({
    phone_number: `+1500555200${n}`,
    ...(n < 3 && { metadata: { sandbox: 'agent_never_joins' } }),
  }));
  await add(id, people);
  await act(id, 'start');
  await eventually(
    async () => {
      await service.app.reconcile();
      return ok('GET', `/api/campaigns/${id}/stats`);
    },
    ({ attempts }) => attempts.abandoned === 2 && attempts.answered === 3,
    60_000,
  );
  await add(id, [{ phone_number: '+15005552006' }]);
  const stopped = await becomes(id, ({ blocked }) => blocked !== null);
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(stopped.blocked, {
    reason: 'policy',
    until: new Date(Date.parse(today) + 30 * 86_400_000).toISOString(),
  });
  const figures = { answered: 5, abandoned: 2, days: 30 };
  assert.deepEqual(stopped.abandonment, { ...figures, rate: 0.4, max_rate: 0.1, is_exceeded: true });
  assert.equal(numbers().length, 5);
  await put('careful', { max_abandoned_rate: 0.4, abandoned_after_s: 1 });
  const done = await becomes(id, ({ state }) => state === 'completed');
  assert.equal(numbers().at(-1), '+15005552006');
  assert.deepEqual([done.blocked, done.abandonment?.answered, done.abandonment?.is_exceeded], [null, 6, false]);
  await service.close();
});

test('the policy is that of the campaign, of its agent, or the default; other days, and policies without a rate, stop nothing', async () => {
  const { service, put, create, add, act, becomes, earlier } = await prepared();
  await put('careful', { max_abandoned_rate: 0.1, abandoned_days: 7 });
  await put('careless', { min_gap_s: 1 });
  const of = (policy: string) => createAgent(service, { config: { compliance: { policy } } });
  const [careful, careless] = [await of('careful'), await of('careless')];
  let called = 10;
  async function outcome(fields: object, days_ago: number): Promise<string> {
    const id = await create(fields);
    await earlier(id, days_ago, 10, 2);
    await add(id, [{ phone_number: `+15005552${called++}0` }]);
    await act(id, 'start');
    const { state, blocked } = await becomes(id, (one) => one.state === 'completed' || one.blocked !== null);
    if (blocked) await act(id, 'cancel');
    return blocked?.reason ?? state;
  }
  assert.equal(await outcome({ policy: 'careful' }, 6), 'policy');
  assert.equal(await outcome({ policy: 'careful' }, 7), 'completed', 'these days are over');
  assert.equal(await outcome({ agent_id: careful }, 0), 'policy');
  assert.equal(await outcome({ agent_id: careful, agent_version: 1 }, 0), 'policy');
  assert.equal(await outcome({ agent_id: careless }, 0), 'completed');
  assert.equal(await outcome({ agent_id: careful, policy: 'careless' }, 0), 'completed', 'its own comes first');
  assert.equal(await outcome({}, 0), 'completed', 'no policy');
  await put('careful', { max_abandoned_rate: 0.1, abandoned_days: 7, is_default: true });
  assert.equal(await outcome({}, 0), 'policy');
  assert.equal(await outcome({ agent_id: careless }, 0), 'completed');
  // The second version of its agent, which half of its calls get, names another policy than the first.
  await put('careless', { max_abandoned_rate: 0.9 });
  const split = await createAgent(service, { config: { compliance: { policy: 'careless' } } });
  const { made, release } = versionsOf(service, split, USER);
  assert.equal(await made({ compliance: { policy: 'careful' } }), 2);
  assert.equal((await release([1, 50], [2, 50])).status, 200);
  assert.equal(await outcome({ agent_id: split }, 0), 'policy', 'the strictest of them');
  assert.equal(await outcome({ agent_id: split, agent_version: 1 }, 0), 'completed', 'only the first');
  const { body } = await service.request('PUT', '/api/dial-policies/odd', {
    user: USER,
    body: { max_abandoned_rate: 0.1, abandoned_after_s: 0, abandoned_days: 31 },
  });
  assert.deepEqual(
    body.detail.map(({ loc }: { loc: string[] }) => loc.at(-1)),
    ['abandoned_after_s', 'abandoned_days'],
  );
  await service.close();
});
