import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { claim, endedCall, saveExtractor, served } from '../support/analyses.ts';
import { send } from '../support/tests.ts';

test('a backfill stops while the budget is spent, keeps its place, and goes on once there is more', async () => {
  const clock = createTestClock();
  const service = await served({ clock });
  await saveExtractor(service, 'visit');
  const agent_id = await createAgent(service, { config: {} });
  const calls: string[] = [];
  for (let call = 0; call < 3; call++) calls.push((await endedCall(service, agent_id)).call_id);
  const used = { agent_id, provider: 'openai', event_type: 'llm_tokens', session_id: calls[0], user_id: USER };
  const event = { ...used, quantity: 1, unit_cost: '5', total_cost: '5' };
  assert.equal((await send(service, 'POST', '/api/usage/events', event)).status, 201);
  // Also a budget that refuses no calls.
  const limit = async (monthly_limit: string) => {
    const { status } = await send(service, 'PUT', `/api/budgets/${USER}`, { monthly_limit }, null);
    assert.equal(status, 200);
  };
  const wanted = { extractor: 'visit', filter: {}, estimate: false };
  const start = () => send(service, 'POST', '/api/analyses/backfill', wanted);
  const reaches = (id: string, state: string) =>
    eventually(
      async () => {
        clock.advance(61_000);
        await service.app.reconcile();
        return (await send(service, 'GET', `/api/analyses/backfills/${id}`)).body;
      },
      (backfill) => backfill.state === state,
    );
  await limit('5');
  const { backfill_id } = (await start()).body;
  assert.equal((await reaches(backfill_id, 'out_of_budget')).queued, 0);
  // As one that has come to the second call when the budget was spent.
  const { db } = service.database;
  await db
    .updateTable('analysis_backfills')
    .set({ after_session: calls[1] ?? null })
    .execute();
  assert.deepEqual(await claim(service, { wait_s: 0 }), []);
  await limit('5.01');
  const { queued } = await reaches(backfill_id, 'running');
  assert.equal(queued, 1);
  const tasks = await claim(service, { capacity: 9 });
  assert.deepEqual(
    tasks.map(({ payload }) => payload.call_id),
    [calls[0]],
  );
  // One that waits can be canceled.
  await limit('5');
  const second = (await start()).body.backfill_id;
  await reaches(second, 'out_of_budget');
  const canceled = await send(service, 'POST', `/api/analyses/backfills/${second}/cancel`);
  assert.deepEqual([canceled.status, canceled.body.state, canceled.body.queued], [200, 'canceled', 0]);
  await service.close();
});
