import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChats, until } from './chat-service.ts';
import { type Asked, completion, events, startStandIn } from './stand-in.ts';

const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 7,
  total_tokens: 107,
  prompt_tokens_details: { cached_tokens: 40 },
};
const words = (...texts: string[]) => texts.map((content) => ({ content }));
const calling = (name: string, args: object, id = 'call_1') => ({
  tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const options = { timeout: 20_000 };

test(
  'words arrive in order and completely, with the conversation as the context, and usage once',
  options,
  async (t) => {
    const spoken = Array.from({ length: 60 }, (_, index) => `word${index} `);
    const {
      add,
      model,
      sent,
      events: told,
      booked,
      outcomes,
    } = await startChats(t, async (_asked, response) => {
      const chunks = completion(words(...spoken, '\ud83d', '\ude00'), USAGE);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const chunk of chunks) {
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
        await sleep(3);
      }
      response.end('data: [DONE]\n\n');
    });
    add('When do you open?');
    await until(() => outcomes.length === 1);
    assert.deepEqual(outcomes, ['answered']);
    const text = `${spoken.join('')}😀`;
    assert.deepEqual(sent('/complete'), [{ lease_token: 7, result: { content: text } }]);
    const texts = told().filter(({ type }) => type === 'words');
    assert.equal(texts.map((one) => one.text).join(''), text);
    assert.ok(texts.length > 1, 'they come while the model answers');
    assert.deepEqual(
      told().filter(({ type }) => type === 'usage'),
      [{ type: 'usage', model: 'm', input_tokens: 100, output_tokens: 7 }],
    );
    assert.deepEqual(booked, ['m llm_input_tokens 60', 'm llm_cached_tokens 40', 'm llm_output_tokens 7']);
    assert.deepEqual(
      model.asked[0]?.body.messages.map(({ role, content }: { role: string; content: string }) => [role, content]),
      [
        ['system', 'Be kind to Ada.'],
        ['user', 'Hi.'],
        ['assistant', 'Hello.'],
        ['user', 'When do you open?'],
      ],
    );
  },
);

test('a function is called with its arguments, and the model answers with its result', options, async (t) => {
  const shop = await startStandIn({ http: (_asked, response) => void response.end('{"opens":"10:00"}') });
  t.after(shop.close);
  const {
    add,
    model,
    sent,
    events: told,
    booked,
  } = await startChats(t, ({ body }, response) => {
    const isAfter = body.messages.at(-1).role === 'tool';
    const first = [...words('One moment.'), calling('opening_hours', { day: 'Sunday' })];
    events(response, completion(isAfter ? words('At ten.') : first, USAGE, isAfter ? 'stop' : 'tool_calls'), '[DONE]');
  });
  const url = `${shop.origin}/hours`;
  add('On Sunday?', { tools: { functions: [{ name: 'opening_hours', description: 'Hours.', url }] } });
  await until(() => sent('/complete').length === 1);
  assert.deepEqual(sent('/complete')[0].result, { content: 'One moment. At ten.' });
  const { name, arguments: args, session_id } = shop.asked[0]?.body ?? {};
  assert.deepEqual({ name, args, session_id }, { name: 'opening_hours', args: { day: 'Sunday' }, session_id: 'c' });
  assert.deepEqual(
    told().filter(({ type }) => type !== 'usage'),
    [
      { type: 'words', text: 'One moment.' },
      { type: 'tool_call', call_id: 'call_1', name: 'opening_hours', arguments: { day: 'Sunday' } },
      { type: 'tool_result', call_id: 'call_1', result: '{"opens":"10:00"}', is_error: false },
      { type: 'words', text: ' At ten.' },
    ],
  );
  const [, , , , asked, result] = model.asked[1]?.body.messages ?? [];
  assert.deepEqual([asked.content, asked.tool_calls.length, result.role], ['One moment.', 1, 'tool']);
  assert.equal(booked.length, 6);
});

test('a tool of the phone says that a chat has none', options, async (t) => {
  const {
    add,
    sent,
    events: told,
  } = await startChats(t, ({ body }, response) => {
    const isAfter = body.messages.at(-1).role === 'tool';
    assert.deepEqual(
      body.tools.map((tool: { function: { name: string } }) => tool.function.name),
      ['hang_up'],
    );
    events(response, completion(isAfter ? words('Goodbye.') : [calling('hang_up', {})]), '[DONE]');
  });
  add('Bye.', { tools: { hang_up: true } });
  await until(() => sent('/complete').length === 1);
  const [, result] = told();
  assert.equal(result.is_error, true);
  assert.match(result.result, /not possible in a chat/);
});

test('the next model of a list answers for one that fails, under its own name', options, async (t) => {
  const {
    add,
    llm,
    sent,
    events: told,
    booked,
    observed,
  } = await startChats(t, ({ body }, response) => {
    if (body.model === 'down') return void response.writeHead(500).end();
    events(response, completion(words('At ten.'), USAGE), '[DONE]');
  });
  add('First?', { llm: [llm('down'), llm('up')] });
  await until(() => sent('/complete').length === 1);
  assert.deepEqual(sent('/complete')[0].result, { content: 'At ten.' });
  assert.deepEqual(booked, ['up llm_input_tokens 60', 'up llm_cached_tokens 40', 'up llm_output_tokens 7']);
  assert.ok(observed.some((one) => one.type === 'failed_over' && one.to === 'local/up'));
  const over = { kind: 'llm', from: 'local/down', to: 'local/up', reason: 'error' };
  assert.deepEqual(
    told().filter(({ type }) => type === 'failed_over'),
    [{ type: 'failed_over', ...over }],
  );
});

test('a model that fails fails the task, and says whether another attempt may succeed', options, async (t) => {
  const { add, sent, observed, outcomes } = await startChats(t, ({ body }, response) => {
    response.writeHead(body.messages.at(-1).content === 'key' ? 401 : 500).end('{"error":{"message":"no"}}');
  });
  add('key');
  await until(() => outcomes.length === 1);
  add('anything');
  await until(() => outcomes.length === 2);
  add('anything', { instructions: 7 });
  await until(() => outcomes.length === 3);
  assert.deepEqual(outcomes, ['failed', 'failed', 'failed']);
  assert.deepEqual(
    sent('/fail').map(({ retryable }) => retryable),
    [false, true, false],
  );
  assert.match(sent('/fail')[2].error, /instructions must be text/);
  assert.deepEqual(sent('/complete'), []);
  assert.ok(observed.some((one) => one.type === 'model_error' && one.kind === 'llm' && one.provider === 'local'));
});

test('the model gets the calls of earlier turns and their results, in order', options, async (t) => {
  const { add, model, sent } = await startChats(t, (_asked, response) =>
    events(response, completion(words('You are welcome.')), '[DONE]'),
  );
  const call = { call_id: 'call_1', name: 'hang_up', arguments: { day: 'Sunday' }, result: '"ten"', is_error: false };
  const dropped = { ...call, call_id: 'call_2', result: null };
  const earlier = ['At ten.', 'Still at ten.'].flatMap((content) => [
    { speaker: 'USER', content: 'On Sunday?' },
    { speaker: 'AGENT', content, tool_calls: [call, dropped] },
  ]);
  add('Thanks.', { tools: { hang_up: true } }, earlier);
  await until(() => sent('/complete').length === 1);
  const asked = model.asked[0]?.body.messages.map((one: Record<string, unknown>) => {
    const [called] = (one.tool_calls ?? []) as { id: string; function: object }[];
    return [one.role, called?.function ?? one.content, called?.id ?? one.tool_call_id];
  });
  const ids = asked.map(([, , id]: unknown[]) => id).filter(Boolean);
  assert.equal(new Set(ids).size, 2, 'two calls, each with its own id');
  const called = { name: 'hang_up', arguments: '{"day":"Sunday"}' };
  const turnOf = (content: string, id: string) => [
    ['user', 'On Sunday?', undefined],
    ['assistant', called, id],
    ['tool', '"ten"', id],
    ['assistant', content, undefined],
  ];
  assert.deepEqual(asked.slice(1), [
    ...turnOf('At ten.', ids[0]),
    ...turnOf('Still at ten.', ids[2]),
    ['user', 'Thanks.', undefined],
  ]);
});

test('a turn whose model has no key here fails at once, and the user is told why', options, async (t) => {
  const { add, sent, outcomes } = await startChats(t, () => assert.fail('no model is asked'));
  add('Hello?', { llm: { provider: 'openai', model: 'gpt-4.1-mini' } });
  await until(() => outcomes.length === 1);
  const detail = "llm needs a key: set OPENAI_API_KEY in the worker's environment";
  assert.deepEqual(sent('/fail'), [{ lease_token: 7, error: detail, retryable: false, detail }]);
  add('Hello?', { tools: { functions: [{ name: 'no name', description: 'x', url: 'http://127.0.0.1:1' }] } });
  await until(() => outcomes.length === 2);
  assert.match(sent('/fail')[1].detail, /is no name/);
});

test('a turn that has called a function is not tried again', options, async (t) => {
  const shop = await startStandIn({ http: (_asked, response) => void response.end('"booked"') });
  t.after(shop.close);
  const { add, sent, outcomes } = await startChats(t, ({ body }, response) => {
    if (body.messages.at(-1).role === 'tool') return void response.writeHead(500).end();
    events(response, completion([calling('book', {})], null, 'tool_calls'), '[DONE]');
  });
  add('Book it.', { tools: { functions: [{ name: 'book', description: 'Books.', url: `${shop.origin}/book` }] } });
  await until(() => outcomes.length === 1);
  assert.deepEqual([outcomes, sent('/fail')[0].retryable, shop.asked.length], [['failed'], false, 1]);
});

test('a turn that has called a function is not tried again if its answer does not get through', options, async (t) => {
  const shop = await startStandIn({ http: (_asked, response) => void response.end('"booked"') });
  t.after(shop.close);
  const refuse = (path: string) => (path.endsWith('/complete') ? { status: 503, code: 'unavailable' } : null);
  const answers = ({ body }: Asked, response: ServerResponse) => {
    const isAfter = body.messages.at(-1).role === 'tool';
    events(response, completion(isAfter ? words('Done.') : [calling('book', {})], null, 'tool_calls'), '[DONE]');
  };
  const { add, sent, outcomes } = await startChats(t, answers, { refuse });
  add('Book it.', { tools: { functions: [{ name: 'book', description: 'Books.', url: `${shop.origin}/book` }] } });
  await until(() => outcomes.length === 1);
  assert.deepEqual([outcomes, sent('/fail')[0].retryable, shop.asked.length], [['failed'], false, 1]);
});

test('a turn whose lease is lost is dropped, and its model let go', options, async (t) => {
  let isGone = false;
  const hang = (_asked: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(completion(words('At '))[0])}\n\n`);
    response.on('close', () => {
      isGone = true;
    });
  };
  const refuse = (path: string) => (path.endsWith('/heartbeat') ? { status: 409, code: 'lease_lost' } : null);
  const { add, sent, outcomes } = await startChats(t, hang, { refuse });
  add('Hello?');
  await until(() => outcomes.length === 1 && isGone);
  assert.deepEqual(outcomes, ['lost']);
  assert.deepEqual([sent('/complete'), sent('/fail')], [[], []]);
});

test('an answer that comes too late is dropped', options, async (t) => {
  const refuse = (path: string) => (path.endsWith('/complete') ? { status: 409, code: 'lease_lost' } : null);
  const answers = (_: unknown, response: ServerResponse) => events(response, completion(words('Ten.')), '[DONE]');
  const { add, sent, outcomes } = await startChats(t, answers, { refuse });
  add('Hello?');
  await until(() => outcomes.length === 1);
  assert.deepEqual([outcomes, sent('/complete').length, sent('/fail')], [['lost'], 1, []]);
});

test('no more turns are claimed than there is room for, and their leases are extended', options, async (t) => {
  const held: ServerResponse[] = [];
  const hold = (_: unknown, response: ServerResponse) => void held.push(response);
  const { add, sent, outcomes } = await startChats(t, hold, { capacity: 2 });
  for (const content of ['one', 'two', 'three']) add(content);
  await until(() => held.length === 2 && sent('/heartbeat').length >= 4);
  assert.equal(held.length, 2);
  for (const response of held.splice(0)) events(response, completion(words('Yes.')), '[DONE]');
  await until(() => held.length === 1);
  for (const response of held.splice(0)) events(response, completion(words('Yes.')), '[DONE]');
  await until(() => outcomes.length === 3);
  assert.ok(sent('/claim').every(({ capacity }) => capacity <= 2));
});

test('a worker that stops finishes what it can, gives back the rest, and claims no more', options, async (t) => {
  const held: { content: string; response: ServerResponse }[] = [];
  const { add, chats, sent, outcomes } = await startChats(t, ({ body }, response) => {
    held.push({ content: body.messages.at(-1).content, response });
  });
  add('quick');
  add('slow');
  await until(() => held.length === 2);
  const stopped = chats.stop(3_000);
  const quick = held.find(({ content }) => content === 'quick');
  if (quick) events(quick.response, completion(words('Yes.')), '[DONE]');
  add('new');
  await stopped;
  assert.deepEqual(outcomes, ['answered', 'returned']);
  assert.deepEqual(sent('/fail'), [{ lease_token: 7, error: 'the worker stops', retryable: true }]);
  assert.equal(held.length, 2);
});

test('a service that does not know chats is told once, and asked seldom', options, async (t) => {
  const refuse = () => ({ status: 404, code: 'not_found' });
  const { chats, sent, warnings } = await startChats(t, () => {}, { refuse });
  await until(() => warnings.length === 1);
  await sleep(300);
  assert.deepEqual([warnings, sent('/claim').length], [['chats cannot be claimed, and are not done'], 1]);
  await chats.stop(0);
});
