/** Tests of agents whose conversations a real worker holds, without a media server: they need none. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createSandboxMedia } from '../packages/server/src/providers/sandbox/media.ts';
import { chunksOf, makeChatSpool, serve, startChatWorker } from './support/chat-worker.ts';

const LIBRARY = `scenario: opens
caller: { script: [{ say: "When do you open on Sundays?" }] }
expect: [{ agent_says: ten }]`;
const CLAIM = `scenario: judged
caller: { persona: { goal: "Learn when the library opens." } }
expect: [{ agent_says: ten }, { judge: "names a time", votes: 3 }]`;

await installWorker();

test('a worker holds scenarios by the rules, and by a language model that plays the caller and judges too', {
  timeout: 180_000,
}, async (t) => {
  const model = await serve(t, think);
  const { runScenario: _, ...media } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  const service = await startService({ media });
  await startChatWorker(t, service.url, model, await makeChatSpool(t));
  const send = async (method: string, path: string, body?: Json) => {
    const answer = await service.request(method, path, { user: USER, ...(body && { body }) });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const run = async (llm: object, text: string) => {
    const config = { instructions: 'The library opens at ten on Sundays.', llm };
    const agent_id = await createAgent(service, { config });
    const { id: scenario } = await send('POST', '/api/scenarios', { text });
    const { id, is_simulated } = await send('POST', '/api/test-runs', {
      agent_id,
      agent_version: 1,
      scenarios: [scenario],
      runs: 2,
    });
    assert.equal(is_simulated, false);
    const ended = await eventually(
      () => send('GET', `/api/test-runs/${id}`),
      ({ ended_at }) => ended_at !== null,
      120_000,
    );
    const { items } = await send('GET', `/api/test-runs/${id}/results`);
    return { status: ended.status, result: items[0] };
  };

  const rules = await run({ provider: 'local' }, LIBRARY);
  assert.equal(rules.status, 'passed', JSON.stringify(rules.result));
  const [{ turns, times }] = rules.result.conversations;
  assert.deepEqual([times, turns[0].words], [2, 'The library opens at ten on Sundays.']);
  assert.equal(turns[0].decisions[0].model, 'local/rules');

  const judged = await run({ provider: 'openai', model: 'stand-in', base_url: model }, CLAIM);
  assert.equal(judged.status, 'passed', JSON.stringify(judged.result));
  const [conversation] = judged.result.conversations;
  assert.deepEqual([conversation.end_reason, conversation.checks[1].votes.length], ['caller_hung_up', 3]);

  const refused = await run({ provider: 'groq', model: 'nobody has a key' }, LIBRARY);
  assert.equal(refused.status, 'invalid');
  assert.match(refused.result.error, /GROQ_API_KEY/);
  await service.close();
});

/** Plays the caller, the judge, or the agent. */
function think({ tools = [] }: Json, response: ServerResponse): void {
  const names = tools.map((tool: Json) => tool.function.name);
  const call = (name: string, args: object) => ({
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  });
  const deltas = names.includes('decide')
    ? [call('decide', { reason: 'It says ten.', holds: true })]
    : names.includes('hang_up')
      ? [{ content: 'When do you open?' }, call('hang_up', {})]
      : [{ content: 'At ten.' }];
  const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
  const chunks = chunksOf(deltas, usage, names.length > 0 ? 'tool_calls' : 'stop');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(chunks.map((chunk) => `data: ${chunk}\n\n`).join(''));
}
