/** Tests of agents whose conversations a real worker holds, without a media server: they need none. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
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
  const { service, start, ended } = await startTests();
  await startChatWorker(t, service.url, model, await makeChatSpool(t));
  const run = async (llm: object, text: string) => ended(await start(llm, text));

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

test('a worker that is killed in a scenario leaves nothing behind, and another one holds it: one result', {
  timeout: 180_000,
}, async (t) => {
  const asked = Promise.withResolvers<ServerResponse>();
  let answers = 0;
  const model = await serve(t, (body, response) => {
    // The first one waits for ever.
    if (answers++ === 0) asked.resolve(response);
    else think(body, response);
  });
  const { service, start, ended } = await startTests();
  const spool = await makeChatSpool(t);
  const worker = await startChatWorker(t, service.url, model, spool);
  const id = await start({ provider: 'openai', model: 'stand-in', base_url: model }, LIBRARY);
  const gone = once(await asked.promise, 'close');
  worker.kill('SIGKILL');
  await gone;
  await startChatWorker(t, service.url, model, spool);
  const past = new Date(0);
  await service.database.db
    .updateTable('work')
    .set({ leased_until: past, due_at: past })
    .where('kind', '=', 'scenario')
    .execute();
  const { status, result } = await ended(id);
  assert.deepEqual([status, result.passed, result.conversations.length], ['passed', 2, 1]);
  assert.equal(answers, 3, 'the conversation that was cut off, and two more');
  await service.close();
});

/** A service whose tests wait for a worker, and what starts a test of a new agent and waits for its end. */
async function startTests() {
  const { runScenario: _, ...media } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  const service = await startService({ media });
  const send = async (method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await service.request(method, path, { user: USER, ...(body && { body }) });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const start = async (llm: object, text: string): Promise<string> => {
    const config = { instructions: 'The library opens at ten on Sundays.', llm };
    const agent_id = await createAgent(service, { config });
    const { id: scenario } = await send('POST', '/api/scenarios', { text });
    const asked = { agent_id, agent_version: 1, scenarios: [scenario], runs: 2 };
    const { id, is_simulated } = await send('POST', '/api/test-runs', asked);
    assert.equal(is_simulated, false);
    return id;
  };
  const ended = async (id: string) => {
    const { status } = await eventually(
      () => send('GET', `/api/test-runs/${id}`),
      ({ ended_at }) => ended_at !== null,
      120_000,
    );
    const { items } = await send('GET', `/api/test-runs/${id}/results`);
    return { status, result: items[0] };
  };
  return { service, start, ended };
}

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
