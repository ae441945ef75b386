// Disclosures on calls, and people who do not want to be called any more.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { llm, voice } from '@livekit/agents';
import { createFarewell, type Disclosure, disclose } from '../conversation/compliance.ts';
import { readConfig } from '../conversation/config.ts';
import { createTools } from '../conversation/tools.ts';

/** A session whose speech begins and ends when the test says so. */
function startSession({ realtime = false, uninterruptible = false } = {}) {
  const done: unknown[] = [];
  const speeches: ReturnType<typeof speechOf>[] = [];
  const session = new EventEmitter();
  function speechOf(words: string) {
    const callbacks: ((speech: object) => void)[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const speech = {
      interrupted: false,
      chatItems: [] as llm.ChatMessage[],
      addDoneCallback: (callback: (speech: object) => void) => callbacks.push(callback),
      waitForPlayout: () => promise,
      begin: () => session.emit(voice.AgentSessionEventTypes.AgentStateChanged, { newState: 'speaking' }),
      end: (said: string | null = words, interrupted = false) => {
        speech.interrupted = interrupted;
        if (said !== null) speech.chatItems.push(llm.ChatMessage.create({ role: 'assistant', content: said }));
        for (const callback of callbacks) callback(speech);
        resolve();
      },
    };
    return speech;
  }
  function add(what: unknown, words: string) {
    done.push(what);
    const speech = speechOf(words);
    speeches.push(speech);
    return speech;
  }
  const model = realtime ? Object.create(llm.RealtimeModel.prototype) : undefined;
  Object.assign(session, {
    tts: realtime ? undefined : {},
    llm: model,
    say: (text: string, options: object) => add(['say', text, options], text),
    generateReply: ({ instructions, ...options }: { instructions: string }) =>
      add(['reply', instructions, options], ''),
    interrupt: () => {
      done.push('interrupt');
      if (uninterruptible) throw new Error('This generation handle does not allow interruptions');
    },
  });
  return { session: session as never, done, speeches };
}

test('a disclosure cannot be interrupted, and its words, its time and its end are told', async () => {
  const { session, done, speeches } = startSession();
  const told: Disclosure[] = [];
  const before = Date.now();
  const said = disclose(session, 'This is an AI.', (one) => told.push(one));
  assert.deepEqual(done, [['say', 'This is an AI.', { allowInterruptions: false }]]);
  speeches[0]?.begin();
  assert.deepEqual(told, []);
  speeches[0]?.end();
  await said;
  const [{ started_at, ...rest } = { started_at: '' }] = told;
  assert.deepEqual([told.length, rest], [1, { text: 'This is an AI.', is_complete: true }]);
  assert.ok(Date.parse(started_at) >= before && Date.parse(started_at) <= Date.now());
});

test('of a realtime model the words that it has said are told, of one who hung up that it was not the end, and nothing of silence', async () => {
  const realtime = startSession({ realtime: true });
  const told: Disclosure[] = [];
  const said = disclose(realtime.session, 'This is an AI.', (one) => told.push(one));
  assert.match(JSON.stringify(realtime.done), /word for word.*This is an AI\..*"allowInterruptions":false/);
  realtime.speeches[0]?.begin();
  realtime.speeches[0]?.end('Hi, this is an AI.');
  await said;
  const left = startSession();
  const broken = disclose(left.session, 'This is an AI.', (one) => told.push(one));
  left.speeches[0]?.begin();
  left.speeches[0]?.end('This is', true);
  await broken;
  assert.deepEqual(
    told.map(({ text, is_complete }) => [text, is_complete]),
    [
      ['Hi, this is an AI.', true],
      ['This is', false],
    ],
  );
  const silent = startSession();
  const unheard = disclose(silent.session, 'This is an AI.', () => assert.fail('nobody has heard it'));
  silent.speeches[0]?.end(null, true);
  await unheard;
});

test('last words are said once, after what must not be interrupted, and then the call ends', () => {
  for (const uninterruptible of [false, true]) {
    const { session, done, speeches } = startSession({ uninterruptible });
    const { finish, hangUp } = createFarewell({
      session,
      silence: () => done.push('silence'),
      hangUp: () => done.push('hang up'),
    });
    finish('Goodbye.');
    finish('Goodbye.');
    // A model that hangs up in the middle of them.
    hangUp();
    const said = ['silence', 'interrupt', ['say', 'Goodbye.', { allowInterruptions: false }]];
    assert.deepEqual(done, said);
    speeches[0]?.end();
    speeches[0]?.end();
    assert.deepEqual(done, [...said, 'hang up']);
  }
});

test('a voice that fails does not keep the call', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const hungUp: string[] = [];
  const broken = startSession();
  Object.assign(broken.session, {
    say: () => {
      throw new Error('closing');
    },
  });
  createFarewell({ session: broken.session, silence: () => {}, hangUp: () => hungUp.push('broken') }).finish(
    'Goodbye.',
  );
  createFarewell({ session: startSession().session, silence: () => {}, hangUp: () => hungUp.push('stuck') }).finish(
    'Goodbye.',
  );
  assert.deepEqual(hungUp, ['broken']);
  t.mock.timers.tick(30_000);
  assert.deepEqual(hungUp, ['broken', 'stuck']);
});

test('the settings are read with the variables of the call, and the model has a tool only where somebody can be suppressed', async () => {
  const read = (compliance: object) => readConfig({ config: { compliance }, variables: { name: 'Ada' } }).compliance;
  assert.deepEqual(read({}), { disclosure: null, optOut: null });
  assert.deepEqual(
    read({ disclosure: { text: 'An AI, {{name}}.' }, opt_out: { enabled: true, confirm: 'Bye, {{name}}.' } }),
    {
      disclosure: 'An AI, Ada.',
      optOut: 'Bye, Ada.',
    },
  );
  assert.match(read({ opt_out: { enabled: true } }).optOut ?? '', /will not be called/);
  assert.throws(() => read({ opt_out: { enabled: 'yes' } }), /compliance.opt_out.enabled must be true or false/);
  let refusals = 0;
  const [call, refused] = [{ variables: {} }, () => refusals++];
  const [tool, ...others] = createTools({}, { call, refused } as never) as llm.FunctionTool[];
  assert.deepEqual([tool?.name, others], ['never_call_again', []]);
  await tool?.execute({}, {} as never);
  assert.equal(refusals, 1);
  assert.deepEqual(createTools({}, { call } as never), []);
});
