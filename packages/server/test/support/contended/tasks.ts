// Operations of workers on tasks, and of those who ask for the results.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '@switchboard/testkit/client.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { newId } from '../../../src/lib/ids.ts';
import { extractor, resultOf } from '../analyses.ts';
import { PASSED, scenario } from '../tests.ts';
import { asking, type Operation, of, type World } from './world.ts';

export const FAILED_OVER = { kind: 'llm', from: 'openai/a', to: 'groq/b', reason: 'timeout' };
const TOOL = { call_id: 'call_1', name: 'opening_hours', arguments: { day: 'Sunday' } };
export const CALL_TOOL = [
  { type: 'words', text: 'At ' },
  { type: 'tool_call', ...TOOL },
  { type: 'tool_result', call_id: TOOL.call_id, result: '10:00' },
  { type: 'failed_over', ...FAILED_OVER },
];
const USED = { provider: 'one', event_type: 'llm_tokens', quantity: 1, unit_cost: 1, total_cost: 1 };
const CASSETTE = { format: 'switchboard.cassette/1', scenario: 'one', settings: [], exchanges: [{ key: 'a' }] };

interface Asked {
  service: Service;
  ask: ReturnType<typeof asking>;
  kind: string;
}

interface Held {
  report: (events: object[]) => Promise<Json>;
  complete: (result: object) => Promise<Json>;
  fail: (retryable: boolean) => Promise<Json>;
}

/** Claims tasks of the user, and has each done as a worker does it; its first heartbeat comes at once. */
async function claimed({ service, ask, kind }: Asked, perform: (held: Held) => Promise<unknown>): Promise<void> {
  const { tasks = [] } = await ask(service, 'POST', '/api/worker/tasks/claim', { kind, capacity: 4 });
  await Promise.all(
    tasks.map(async ({ task_id, lease_token }: Json) => {
      const send = (what: string, body: object = {}) =>
        ask(service, 'POST', `/api/worker/tasks/${task_id}/${what}`, { lease_token, ...body });
      const fail = (retryable: boolean) => send('fail', { retryable, error: 'no model' });
      const report = (events: object[]) => send('events', { events });
      await send('heartbeat');
      await perform({ report, complete: (result) => send('complete', { result }), fail });
    }),
  );
}

/** Works until a promise is settled. */
export async function work(
  { until, ...asked }: Asked & { until: Promise<unknown> },
  perform: (held: Held) => Promise<unknown>,
): Promise<void> {
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await claimed(asked, perform);
    await Promise.race([sleep(20), over]);
  }
  await over;
}

export const onAnalyses = ({ user, agents, ended }: World): Record<string, Operation> => {
  const ask = asking(user);
  return {
    'analyse calls, and delete an extractor': async (service, index) => {
      const dropped = extractor(`dropped-${index}`);
      // Another version each time: a call is analysed once by each.
      await ask(service, 'POST', '/api/extractors', { ...extractor('asked'), instructions: newId() });
      const { id } = await ask(service, 'POST', '/api/extractors', dropped);
      const filter = { agent_id: of(agents, index) };
      const backfill = ask(service, 'POST', '/api/analyses/backfill', { extractor: 'asked', filter, estimate: false });
      const extractors = ['asked', dropped.name];
      await ask(service, 'POST', `/api/calls/${of(ended, index)}/analyses`, { extractors });
      const { backfill_id } = await backfill;
      const asked = { service, ask, kind: 'analysis' };
      const [used, result] = [[{ type: 'usage', used: [USED] }], resultOf({ friendly: true })];
      await Promise.all([
        claimed(asked, ({ report, complete }) => report(used).then(() => complete(result))),
        claimed(asked, ({ fail }) => fail(false)),
        ask(service, 'DELETE', `/api/extractors/${id}`),
        ask(service, 'POST', `/api/analyses/backfills/${backfill_id}/cancel`),
      ]);
      return null;
    },
  };
};

export const onTests = ({ user, agents, ended }: World): Record<string, Operation> => {
  const ask = asking(user);
  return {
    'test an agent, and replay a call': async (service, index) => {
      const { id } = await ask(service, 'POST', '/api/scenarios', { text: scenario(`opens ${index}`) });
      const suite = await ask(service, 'POST', '/api/suites', { name: `Desk ${index}`, scenarios: [id] });
      const how = { agent_version: 1, cassette: 'record' };
      const [run, replay] = await Promise.all([
        ask(service, 'POST', '/api/test-runs', { agent_id: of(agents, index), suite: suite.id, ...how }),
        ask(service, 'POST', `/api/calls/${of(ended, index)}/replay`, { agent_version: 1 }),
      ]);
      const asked = { service, ask, kind: 'scenario' };
      await Promise.all([
        claimed(asked, ({ complete }) => complete({ ...PASSED, cassette: CASSETTE })),
        ask(service, 'POST', `/api/test-runs/${replay.id}/cancel`),
      ]);
      await Promise.all([
        ask(service, 'POST', `/api/test-runs/${run.id}/cancel`),
        ask(service, 'DELETE', `/api/scenarios/${id}/cassette`),
      ]);
      await Promise.all([
        ask(service, 'DELETE', `/api/suites/${suite.id}`),
        ask(service, 'DELETE', `/api/scenarios/${id}`),
      ]);
      return null;
    },
  };
};
