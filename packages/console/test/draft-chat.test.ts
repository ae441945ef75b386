import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentDraft, type ChatEvent, SwitchboardError } from '@switchboard/client';
import { createDraftChat } from '../src/data/draft-chat.ts';

const DRAFT = { name: 'Front desk', config: {} } as AgentDraft;

/** A chat with a service that answers each message by these events, and what it was asked for. */
function chatWith(answer: (content: string, turn: number) => (ChatEvent | Error)[]) {
  const asked: unknown[][] = [];
  const kept: string[] = [];
  let turn = 0;
  const chats = {
    start: async (body: object) => {
      asked.push(['start', body]);
      return { chat_id: 'chat-1' };
    },
    fork: async (from: string, body: object) => {
      asked.push(['fork', from, body]);
      return { chat_id: 'chat-2' };
    },
    rewind: async (id: string, { to_message }: { to_message: string | null }) =>
      void asked.push(['rewind', id, to_message]),
    async *stream(id: string, { content }: { content: string }) {
      asked.push(['stream', id, content]);
      for (const event of answer(content, ++turn)) {
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
  async function* transcripts() {
    yield* ['copy-1', 'copy-2', 'copy-3', 'copy-4'].map((id) => ({ id }));
  }
  const chat = createDraftChat({
    agentId: 'agent',
    api: { chats, sessions: { transcripts } } as never,
    end: async (id) => void asked.push(['end', id]),
    whenSaved: async () => DRAFT,
    text: '',
    keepText: (text) => void kept.push(text),
  });
  const say = async (text: string) => {
    chat.type(text);
    await chat.send({ name: 'Ada' });
  };
  return { chat, say, asked, kept };
}

const sent = (turn: number): ChatEvent => ({ event: 'sent', data: { chat_id: 'chat-1', message_id: `user-${turn}` } });
const answered = (turn: number, content: string) =>
  ({ event: 'message', data: { message_id: `agent-${turn}`, content, tool_calls: [] } }) as unknown as ChatEvent;
const echo = (content: string, turn: number) => [sent(turn), answered(turn, `${content}!`)];
const words = ({ chat }: ReturnType<typeof chatWith>) => chat.state().lines.map(({ content }) => content);

test('the first message begins the chat; rewinding puts a message back into the box', async () => {
  const desk = chatWith(echo);
  await desk.say('one');
  await desk.say('two');
  assert.deepEqual(words(desk), ['one', 'one!', 'two', 'two!']);
  assert.equal(desk.asked.filter(([what]) => what === 'start').length, 1);
  await desk.chat.rewind(2);
  assert.deepEqual(desk.asked.at(-1), ['rewind', 'chat-1', 'agent-1']);
  assert.deepEqual([words(desk), desk.chat.state().text], [['one', 'one!'], 'two']);
  assert.equal(desk.kept.at(-1), 'two');
  await desk.chat.rewind(1);
  assert.deepEqual(desk.asked.at(-1), ['rewind', 'chat-1', 'agent-1'], 'an answer stays');
  await desk.chat.rewind(0);
  assert.deepEqual(desk.asked.at(-1), ['rewind', 'chat-1', null]);
  assert.equal(desk.chat.state().text, 'one\n\ntwo');
});

test('a message without an answer is back in the box, and deleted at the service before the next one', async () => {
  const failed: ChatEvent = { event: 'failed', data: { code: 'turn_unanswered', detail: 'Nobody answered.' } };
  const desk = chatWith((content, turn) => (turn === 2 ? [sent(2), failed] : echo(content, turn)));
  await desk.say('one');
  await desk.say('two');
  const { text, error, doing } = desk.chat.state();
  assert.deepEqual([words(desk), text, doing], [['one', 'one!'], 'two', null]);
  assert.equal((error as SwitchboardError).code, 'turn_unanswered');
  await desk.chat.send({});
  const done = desk.asked.slice(-2);
  assert.deepEqual(done, [
    ['rewind', 'chat-1', 'agent-1'],
    ['stream', 'chat-1', 'two'],
  ]);
  assert.deepEqual([words(desk), desk.chat.state().error], [['one', 'one!', 'two', 'two!'], null]);
});

test('a message that may have been sent is not sent twice', async () => {
  const lost = new SwitchboardError('network_error', 'the stream broke off');
  const desk = chatWith((content, turn) => (turn === 1 ? [lost] : echo(content, turn)));
  await desk.say('one');
  assert.equal(desk.chat.state().text, 'one');
  await desk.chat.send({});
  assert.deepEqual(
    desk.asked.map(([what]) => what),
    ['start', 'stream', 'rewind', 'stream'],
  );
});

test('the changed draft goes on in a copy, whose messages can be rewound; leaving ends it', async () => {
  const desk = chatWith(echo);
  await desk.say('one');
  await desk.chat.goOnWithDraft();
  assert.deepEqual(desk.asked.slice(-2), [
    ['fork', 'chat-1', { to_message: 'agent-1', agent_version: 'draft' }],
    ['end', 'chat-1'],
  ]);
  assert.deepEqual(desk.chat.state().changedAfter, [2]);
  await desk.say('two');
  await desk.chat.rewind(2);
  assert.deepEqual(desk.asked.at(-1), ['rewind', 'chat-2', 'copy-2']);
  desk.chat.type('unsent');
  desk.chat.leave();
  assert.deepEqual(desk.asked.at(-1), ['end', 'chat-2']);
  assert.deepEqual([words(desk), desk.chat.state().text], [[], 'unsent']);
});
