// The parts of calls in tests: the sound of a line, the turns of a trace, and what is missing without a room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger } from '@livekit/agents';
import { holdAll } from '@switchboard/scenarios/outcome';
import type { Scenario } from '@switchboard/scenarios/schema';
import { createLine, createNoise, leveled, RATE } from '../scenario/audio/sound.ts';
import { createTurns, type Turns } from '../scenario/audio/turns.ts';
import { hold } from '../scenario/hold.ts';
import { readPrices } from '../switchboard/prices.ts';
import { startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const decibels = (samples: Int16Array) => {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return 10 * Math.log10(power / 32_767 ** 2);
};
const isNear = (found: number, expected: number) => Math.abs(found - expected) < 0.5;

test('noise is as loud as it says, and the same for the same scenario only', () => {
  const silence = new Int16Array(16 * RATE);
  for (const kind of ['white', 'pink', 'street']) {
    const once = createNoise(`${kind}@15dB`, 'a')(silence);
    assert.ok(isNear(decibels(once), -35), `${kind}: ${decibels(once)} dB`);
    assert.deepEqual(createNoise(`${kind}@15dB`, 'a')(silence), once);
    assert.notDeepEqual(createNoise(`${kind}@15dB`, 'b')(silence), once);
  }
  assert.deepEqual(createNoise(undefined, 'a')(silence), silence);
});

/** Whether each of so many packets of words is lost; pauses of different lengths are between them. */
function lossOf(loss: number, seed: string, packets: number, pauses = 0): boolean[] {
  const line = createLine({ loss }, seed);
  const packet = new Int16Array(RATE / 50).fill(1_000);
  return Array.from({ length: packets }, (_, at) => {
    if (at % 50 === 0) for (let pause = 0; pause < pauses; pause++) line(packet, false);
    const heard = line(packet, true);
    if (heard) assert.deepEqual(heard, packet, 'packets are lost whole');
    return heard === null;
  });
}

test('a line loses its share of packets, in bursts, and the same parts of words in each run', () => {
  const packets = 50_000;
  for (const percent of [2, 20, 60]) {
    const lost = lossOf(percent, 'a', packets);
    const count = lost.filter(Boolean).length;
    const share = percent / 100;
    assert.ok(Math.abs(count / packets - share) < 0.1 * share, `${count} of ${packets} for ${percent} %`);
    const bursts = lost.filter((isLost, at) => isLost && !lost[at - 1]).length;
    const mean = 2 / (1 - share);
    assert.ok(Math.abs(count / bursts - mean) < 0.15 * mean, `bursts of ${count / bursts} packets for ${percent} %`);
    assert.deepEqual(lossOf(percent, 'a', 500, 7), lost.slice(0, 500));
    assert.notDeepEqual(lossOf(percent, 'b', packets), lost);
  }
  assert.ok(lossOf(100, 'a', 500).every(Boolean));
  assert.ok(!lossOf(0, 'a', 500).some(Boolean));
});

test('a packet that is lost takes the noise with it, also in pauses', () => {
  const line = createLine({ noise: 'white@0dB', loss: 50 }, 'a');
  const silence = new Int16Array(RATE / 50);
  for (const isSpoken of [true, false]) {
    const heard = Array.from({ length: 200 }, () => line(silence, isSpoken));
    const levels = heard.flatMap((packet) => (packet ? decibels(packet) : []));
    assert.ok(levels.length > 50 && levels.length < 150, `${levels.length} of 200 packets`);
    assert.ok(levels.every((level) => level > -25));
  }
});

test('speech gets one level, which its pauses do not change', () => {
  const speech = Int16Array.from({ length: 2 * RATE }, (_, at) => (at < RATE ? 800 * Math.sin(at / 10) : 0));
  assert.ok(isNear(decibels(leveled(speech).subarray(0, RATE)), -20));
  assert.deepEqual(leveled(new Int16Array(100)), new Int16Array(100));
});

test('turns have what was heard, decided, called and said, also of an agent that is cut off or speaks by itself', () => {
  let now = 0;
  const turns = createTurns(
    () => now,
    { begin: () => {}, firstWordMs: () => 5, ms: () => 9 },
    () => 'p/m',
  );
  const { seen } = turns;
  const think = (words: string, name?: string) => {
    seen.onBegin();
    if (words) seen.onText(words);
    if (name) seen.onCall({ name });
    seen.onEnd();
  };
  turns.speaks();
  now = 100;
  turns.transcript('AGENT', 'Welcome.');
  turns.cutOff();
  turns.transcript('USER', 'A table');
  // Nobody hears what was thought about half of the words.
  think('Pardon?');
  turns.transcript('USER', 'for two.');
  think('', 'book');
  turns.called({ name: 'book', arguments: {}, text: '{}', isError: false, ms: 20 });
  think('Done.');
  turns.transcript('AGENT', 'Done.');
  turns.listens();
  turns.transcript('AGENT', 'Are you still there?');
  turns.pressed('1#');
  const [welcome, table, prompt, keys] = turns.turns;
  assert.deepEqual([welcome?.at_ms, welcome?.heard, welcome?.words], [0, null, 'Welcome.']);
  assert.deepEqual([table?.heard, table?.interrupted, table?.words], ['A table for two.', true, 'Done.']);
  assert.deepEqual([table?.calls.length, table?.first_word_ms], [1, 25]);
  assert.deepEqual(
    table?.decisions.map(({ words, calls }) => [words, calls]),
    [
      ['', ['book']],
      ['Done.', []],
    ],
  );
  assert.deepEqual([prompt?.heard, prompt?.words], [null, 'Are you still there?']);
  assert.deepEqual([keys?.heard, keys?.interrupted], ['[1#]', false]);
});

test('what is heard after a mark is a turn of its own, whatever came before, and is answered by what follows', () => {
  const create = () =>
    createTurns(
      () => 0,
      null,
      () => 'p/m',
    );
  const unanswered = [
    (turns: Turns) => turns.transcript('USER', 'Please hold on.'),
    (turns: Turns) => turns.pressed('42#'),
  ];
  for (const begin of unanswered) {
    const turns = create();
    begin(turns);
    const mark = turns.mark();
    turns.transcript('USER', 'When do you open');
    turns.transcript('USER', 'on Sunday?');
    assert.deepEqual([turns.heardSince(mark), turns.isAnswered(mark)], ['When do you open on Sunday?', false]);
    turns.transcript('AGENT', 'At ten.');
    assert.deepEqual([turns.saidSince(mark), turns.isAnswered(mark), turns.turns.length], ['At ten.', true, 2]);

    // Realtime models answer before the words are there.
    const early = create();
    begin(early);
    const next = early.mark();
    early.transcript('AGENT', 'At ten.');
    assert.equal(early.isAnswered(next), false);
    early.transcript('USER', 'When do you open?');
    assert.deepEqual([early.heardSince(next), early.isAnswered(next)], ['When do you open?', true]);
  }
  const turns = create();
  const mark = turns.mark();
  turns.transcript('AGENT', 'Welcome to');
  turns.cutOff();
  turns.transcript('USER', 'When do you open?');
  assert.equal(turns.isAnswered(mark), false);
});

const BY_VOICE: Scenario = {
  scenario: 'by voice',
  mode: 'audio',
  caller: { script: [{ say: 'Hello' }] },
  expect: [{ agent_says: 'hello' }],
};

test('a conversation by audio says what is missing: a media server, a voice, a cassette', async (t) => {
  const pcm = Buffer.alloc(RATE, 1);
  const speaker = await startStandIn({ http: (_asked, response) => response.writeHead(200).end(pcm) });
  t.after(speaker.close);
  const base_url = `${speaker.origin}/v1`;
  const models = { keys: {}, baseUrls: new Map([[base_url, null]]) };
  const prices = readPrices(null);
  const task = {
    config: { llm: { provider: 'local' }, tts: { base_url }, stt: { base_url } },
    scenario: { ...BY_VOICE },
    runs: 1,
  };
  const rooms = { media: { url: 'ws://127.0.0.1:9', apiKey: 'k', apiSecret: 's' }, phoneHost: null, task_id: 't' };
  await assert.rejects(hold(task, { models, prices, tape: null, rooms }), /no media server .*127\.0\.0\.1:9/);
  const mute = { ...task, config: { ...task.config, tts: {} } };
  await assert.rejects(hold(mute, { models, prices, tape: null, rooms }), /caller has no voice: .*OPENAI_API_KEY/);
  const held = await hold(task, { models, prices, tape: null });
  assert.deepEqual([held.invalid, held.conversations[0]?.turns], [1, []]);
  assert.match(held.problems.join(), /only a worker with a media server/);
});

test('a conversation by phone is not held by a worker without phones, and never in text', async () => {
  const scenario: Scenario = { ...BY_VOICE, mode: 'phone' };
  const call = () => assert.fail('nobody is called');
  const held = await holdAll(scenario, 1, () => assert.fail('no agent is asked'), { call });
  assert.equal(held.invalid, 1);
  assert.match(held.problems.join(), /TEST_PHONE_HOST/);
});
