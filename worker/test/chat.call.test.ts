// The same words to an agent lead to the same calls of tools, whether they are written or spoken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stt, voice } from '@livekit/agents';
import { readConfig } from '../conversation/config.ts';
import { createModels } from '../conversation/models.ts';
import { createSession } from '../conversation/session.ts';
import { HearingAgent } from '../conversation/sounds.ts';
import { createTools } from '../conversation/tools.ts';
import { complete } from '../local/completions.ts';
import { secret, startChats, until } from './chat-service.ts';
import { Loudspeaker, RATE, Silence } from './line.ts';
import { type Asked, startStandIn } from './stand-in.ts';

const SCRIPT = [
  'How much is a library card?',
  'Press the number five.',
  'Use the function opening_hours with Sunday',
  'And use the function opening_hours with Monday',
  'Please connect me to the reception.',
  'Goodbye.',
];
const EXPECTED = [
  ['send_dtmf', { digits: '5' }],
  ['opening_hours', { value: 'Sunday' }],
  ['opening_hours', { value: 'Monday' }],
  ['transfer', { destination: 'reception' }],
  ['hang_up', {}],
];

/** Recognizes what the test says that the caller says. */
class Recognizer extends stt.STT {
  override label = 'recognizer';
  #streams: RecognizedWords[] = [];
  constructor() {
    super({ streaming: true, interimResults: false });
  }
  override async _recognize(): Promise<stt.SpeechEvent> {
    throw new Error('streams only');
  }
  override stream(): stt.SpeechStream {
    const stream = new RecognizedWords(this);
    this.#streams.push(stream);
    return stream;
  }
  hear(text: string): void {
    this.#streams.at(-1)?.hear(text);
  }
}

class RecognizedWords extends stt.SpeechStream {
  override label = 'recognizer';
  protected override async run(): Promise<void> {
    for await (const _ of this.input);
  }
  hear(text: string): void {
    const said = { text, language: 'en', startTime: 0, endTime: 0, confidence: 1 } as stt.SpeechData;
    this.queue.put({ type: stt.SpeechEventType.START_OF_SPEECH });
    this.queue.put({ type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: [said] });
    this.queue.put({ type: stt.SpeechEventType.END_OF_SPEECH });
  }
}

const settings = { secret, allowPrivate: true };

/** Says the script in a session as of a call, without a room; returns the calls of tools. */
async function speak(config: Record<string, unknown>, base_url: string): Promise<unknown[]> {
  const read = readConfig({ config, variables: { name: 'Ada' } });
  const recognizer = new Recognizer();
  const models = createModels(read, { keys: {}, baseUrls: new Map([[base_url, 'key']]) });
  const session = createSession(read, { ...models, stt: recognizer });
  session.input.audio = new Silence();
  session.output.audio = new Loudspeaker();
  const called: unknown[] = [];
  session.on(voice.AgentSessionEventTypes.FunctionToolsExecuted, ({ functionCalls }) => {
    for (const { name, args } of functionCalls) called.push([name, JSON.parse(args)]);
  });
  let hungUp = 0;
  const tools = createTools(read.tools, {
    call: { session_id: 'c', agent_id: 'a', user_id: 'u', variables: {} },
    room: { localParticipant: { publishDtmf: async () => {} }, on: assert.fail, off: assert.fail },
    mute: assert.fail,
    api: {
      transfer: async () => 'initiated',
      proposeCallBack: () => assert.fail(),
      confirmCallBack: () => assert.fail(),
    },
    hasPhone: true,
    hangUp: () => hungUp++,
    functions: settings,
  });
  const agent = new HearingAgent({ instructions: read.instructions, tools }, () => 0);
  await session.start({ agent, record: false });
  for (const [index, sentence] of SCRIPT.entries()) {
    recognizer.hear(sentence);
    await until(() => {
      const { items } = session.history;
      const last = items.at(-1);
      const heard = items.filter((one) => one.type === 'message' && one.role === 'user').length;
      const isAnswered = last?.type === 'function_call_output' || (last?.type === 'message' && last.role !== 'user');
      return heard === index + 1 && isAnswered && session.agentState === 'listening';
    });
  }
  assert.equal(hungUp, 1);
  session.close().catch(() => {});
  return called;
}

/** Writes the script in a chat, whose worker claims a task for each sentence; returns the calls of tools. */
async function write(config: object, chats: Awaited<ReturnType<typeof startChats>>): Promise<unknown[]> {
  const said: object[] = [];
  const called: unknown[] = [];
  for (const [index, content] of SCRIPT.entries()) {
    const before = chats.events().length;
    chats.add(content, config, said);
    await until(() => chats.outcomes.length === index + 1);
    const events = chats.events().slice(before);
    const tool_calls = events
      .filter(({ type }) => type === 'tool_call')
      .map((one) => {
        const { result, is_error } = events.find(
          ({ type, call_id }) => type === 'tool_result' && call_id === one.call_id,
        );
        return { call_id: one.call_id, name: one.name, arguments: one.arguments, result, is_error };
      });
    called.push(...tool_calls.map((one) => [one.name, one.arguments]));
    const { content: answer } = chats.sent('/complete').at(-1).result;
    said.push({ speaker: 'USER', content }, { speaker: 'AGENT', content: answer, tool_calls });
  }
  assert.deepEqual(new Set(chats.outcomes), new Set(['answered']));
  return called;
}

test('the same script leads to the same calls of tools in a chat as in a call', { timeout: 60_000 }, async (t) => {
  const shop = await startStandIn({ http: (_asked, response) => void response.end('"Ten to four."') });
  t.after(shop.close);
  const offered = new Set<string>();
  const chats = await startChats(t, ({ path, body }: Asked, response) => {
    if (path.endsWith('/audio/speech')) return void response.end(Buffer.alloc(RATE / 10));
    offered.add(JSON.stringify([body.messages[0], body.tools]));
    complete(body, response);
  });
  const base_url = `${chats.model.origin}/v1`;
  const model = { provider: 'openai', model: 'm', base_url };
  const config = {
    instructions: 'Be kind to {{name}}. A library card costs five dollars a year.',
    llm: model,
    // Replaced by a stand-in.
    stt: model,
    tts: model,
    turn_detection: { mode: 'stt', min_endpointing_delay_ms: 0 },
    tools: {
      hang_up: true,
      dtmf: true,
      transfer: { destinations: [{ name: 'reception', phone_number: '+15005550100', type: 'WARM' }] },
      functions: [{ name: 'opening_hours', description: 'Hours of a day.', url: `${shop.origin}/hours` }],
    },
  };
  const written = await write(config, chats);
  const asked = shop.asked.splice(0).map(({ body }) => body);
  assert.deepEqual(written, EXPECTED);
  assert.deepEqual(await speak(config, base_url), EXPECTED);
  assert.deepEqual(
    shop.asked.map(({ body }) => body),
    asked,
  );
  assert.equal(offered.size, 1, 'the same instructions and tools');
});
