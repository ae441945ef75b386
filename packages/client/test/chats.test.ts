import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { type ChatEvent, createSwitchboard, SwitchboardError } from '../src/index.ts';

const service = await startService();
const base = { baseUrl: service.url, userId: 'user-1' };
const sb = createSwitchboard(base);
const config = { instructions: 'The library opens at ten on Sundays.' };
const agent = await sb.agents.create({ name: 'Library', config });
const QUESTION = { content: 'When do you open on Sunday?' };

async function eventsOf(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test('an answer is read while it comes, and ends with the message; then the chat is rewound and forked', async () => {
  const { chat_id } = await sb.chats.start({ agent_id: agent.id });
  const events = await eventsOf(sb.chats.stream(chat_id, QUESTION));
  const words = events.flatMap((one) => (one.event === 'words' ? one.data.text : []));
  const last = events.at(-1);
  assert.ok(last?.event === 'message');
  assert.deepEqual([words.join(''), last.data.content], [config.instructions, config.instructions]);
  await sb.chats.rewind(chat_id, { to_message: last.data.in_reply_to });
  const fork = await sb.chats.fork(chat_id, {});
  const { items } = await sb.sessions.transcripts(fork.chat_id);
  assert.deepEqual(
    items.map(({ content }) => content),
    [QUESTION.content],
  );
});

test('a refused message, and a stream that breaks off, are errors; a message is not sent twice', async () => {
  const { chat_id } = await sb.chats.start({ agent_id: agent.id });
  const cut = createSwitchboard({
    ...base,
    fetch: async (request) => {
      const [begun] = (await (await fetch(request)).text()).split('event: message');
      return new Response(begun, { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  const codeOf = (code: string) => (error: unknown) => error instanceof SwitchboardError && error.code === code;
  await assert.rejects(eventsOf(cut.chats.stream(chat_id, QUESTION)), codeOf('network_error'));
  assert.equal((await sb.sessions.transcripts(chat_id)).items.length, 2);
  await sb.chats.end(chat_id);
  await assert.rejects(eventsOf(sb.chats.stream(chat_id, QUESTION)), codeOf('session_over'));
});

/** A client whose stream has these texts, and then breaks off: at once, or when it is aborted. */
function streaming(text: string, isBroken: boolean) {
  const fetch = async ({ signal }: Request) => {
    let isSent = false;
    const pull = async (controller: ReadableStreamDefaultController) => {
      if (!isSent) controller.enqueue(new TextEncoder().encode(text));
      else if (!isBroken) await new Promise((aborted) => signal.addEventListener('abort', aborted));
      if (isSent) controller.error(new TypeError('terminated'));
      isSent = true;
    };
    return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'text/event-stream' } });
  };
  return createSwitchboard({ ...base, fetch }).chats;
}

test('an aborted stream throws the reason of its signal', async () => {
  const leaving = new AbortController();
  const reason = new Error('the page was left');
  const events = streaming('event: sent\ndata: {}\n\n', false).stream('x', QUESTION, { signal: leaving.signal });
  assert.equal((await events.next()).value?.event, 'sent');
  const next = events.next();
  leaving.abort(reason);
  await assert.rejects(next, reason);
});

for (const last of ['message', 'failed'])
  test(`an answer that has ended with ${last} is complete, although the connection breaks after it`, async () => {
    const text = `event: words\ndata: {}\n\nevent: ${last}\ndata: {}\n\n`;
    const events = await eventsOf(streaming(text, true).stream('x', QUESTION));
    assert.deepEqual(
      events.map(({ event }) => event),
      ['words', last],
    );
  });

test('a message whose response is lost is repeated and sent once, as a stream under a key of yours', async () => {
  const { chat_id } = await sb.chats.start({ agent_id: agent.id });
  let lost = 0;
  const lossy = createSwitchboard({
    ...base,
    retryDelayMs: 1,
    fetch: async (request) => {
      const response = await fetch(request);
      if (lost > 0) return response;
      lost += 1;
      await response.text();
      throw new TypeError('fetch failed');
    },
  });
  const { message_id, content } = await lossy.chats.send(chat_id, QUESTION);
  assert.deepEqual([lost, content], [1, config.instructions]);
  assert.equal((await sb.sessions.transcripts(chat_id)).items.length, 2);
  const key = { idempotencyKey: 'question-2' };
  const first = await eventsOf(sb.chats.stream(chat_id, QUESTION, key));
  const again = await eventsOf(sb.chats.stream(chat_id, QUESTION, key));
  assert.deepEqual([again[0], again[1], again.length], [first[0], first.at(-1), 2]);
  const { items } = await sb.sessions.transcripts(chat_id);
  assert.deepEqual([items.length, items[1]?.id], [4, message_id]);
});
