import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { assertHeard, missingVoice, startVoice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { compareWaits } from '../support/waits.ts';
import { makeSpool, startWorker } from '../support/worker.ts';
import { openHandset } from './support/handset.ts';
import { PORTS } from './support/network.ts';
import { setUp } from './support/setup.ts';

/** The sentence of the instructions that answers the caller's question. */
const OPENING = 'The library opens at ten on Sundays.';
const TURNS = 5;
/** How much longer than reported the caller waits, in the median of a call: without correction 350 ms. */
const HIDDEN_MS = 75;
/**
 * How much shorter, likewise. On a busy machine the worker's jitter buffer grows; the caller's is taken to be as long,
 * but the phone has none.
 */
const EXCESS_MS = { quiet: 75, busy: 250 };

const missing = missingVoice();
if (missing) {
  test('a conversation on the phone', { skip: missing }, () => {});
} else {
  await installWorker();
  const opened: (() => Promise<unknown>)[] = [];
  const { lab, startService } = await setUp();
  // Closed before the lab's resources, which it uses.
  after(async () => {
    for (const close of opened.reverse()) await close();
  });
  const voice = await startVoice();
  opened.push(voice.stop);
  const agentName = 'lab-voice';
  const trunkId = await lab.createTrunk({ address: `127.0.0.1:${PORTS.speaking}`, credentials: null });
  const service = await startService({ PORT: '8001', LIVEKIT_AGENT_NAME: agentName }, trunkId);
  const spool = await makeSpool();
  opened.push(spool.remove);
  const worker = await startWorker(
    { ...lab, webhookPort: PORTS.service },
    {
      agentName,
      switchboardUrl: service.url,
      apiKey: '',
      spoolDir: spool.dir,
      env: {
        MODEL_BASE_URLS: voice.url,
        PRICES_FILE: path.join(import.meta.dirname, '../support/prices.json'),
      },
    },
  );
  opened.push(worker.kill);
  const handset = await openHandset(PORTS.handset);
  opened.push(handset.close);

  /** An answered call of an agent with this config in addition to its models. */
  async function answeredCall(config: object) {
    const created = await service.post('/api/agents', {
      name: 'Front desk',
      user_id: 'user-1',
      type: 'PIPELINE',
      config: { ...voice.config, tools: { hang_up: true }, ...config },
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const { call_id } = await service.call('answers', { agent_id: created.body.id });
    await service.reaches(call_id, 'ANSWERED');
    const lines = async (count: number): Promise<{ speaker: string; content: string }[]> =>
      eventually(
        async () => (await service.get(`/api/sessions/${call_id}/transcripts`)).body.items,
        (items) => items.length >= count,
        60_000,
      );
    return { call_id, lines };
  }

  test('words spoken into a phone reach the agent through the bridge, and its answer reaches the phone', async () => {
    const { call_id, lines } = await answeredCall({ instructions: OPENING, greeting: 'Welcome to the library.' });
    await lines(1);
    assertHeard(await voice.recognize(handset.heard()), 'Welcome to the library.');

    await handset.say(await voice.speak('When do you open on Sunday?'));
    const [, question, answer] = await lines(3);
    assertHeard(question?.content, 'When do you open on Sunday?');
    assert.equal(answer?.content, OPENING);
    assertHeard(await voice.recognize(handset.heard()), OPENING);

    await handset.say(await voice.speak('You can hang up now.'));
    assertHeard((await lines(5))[3]?.content, 'You can hang up now.');
    const ended = await service.reaches(call_id, 'COMPLETED');
    assert.equal(ended.end_reason, 'ended_by_agent');
    const { body: costs } = await eventually(
      () => service.get(`/api/sessions/${call_id}/costs`),
      ({ body }) => Number(body.by_event_type.tts_characters) > 0 && Number(body.by_event_type.stt_minutes) > 0,
    );
    assert.ok(Number(costs.total_cost) > 0);
  });

  test('the reported latency is what the caller waited, in a recording of both sides at the phone', async (t) => {
    const load = (loadavg()[0] ?? 0) < availableParallelism() ? 'quiet' : 'busy';
    const { call_id, lines } = await answeredCall({ instructions: OPENING, greeting: 'Welcome to the library.' });
    await lines(1);
    const begun = Date.now();
    const question = await voice.speak('When do you open on Sunday?');
    for (let turn = 0; turn < TURNS; turn++) {
      await handset.say(question);
      await lines(3 + 2 * turn);
      await sleep(3_000);
    }
    const { body } = await eventually(
      () => service.get(`/api/sessions/${call_id}/turns`),
      (turns) => turns.body.items.length === TURNS,
    );
    await service.post(`/api/calls/${call_id}/end`);
    const { waits, hidden, median } = compareWaits(handset.recording(begun), body.items);
    t.diagnostic(`waited ${waits.join(', ')} ms; longer than reported by ${hidden.join(', ')} ms (${load} machine)`);
    assert.equal(waits.length, TURNS);
    assert.ok(median <= HIDDEN_MS, `the caller waited ${median} ms longer than reported`);
    assert.ok(-median <= EXCESS_MS[load], `the caller waited ${-median} ms less than reported on a ${load} machine`);
  });

  test('a caller who speaks interrupts the agent, and the transcript has the part that was heard', async () => {
    const numbers = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];
    const greeting = [...numbers, ...numbers, ...numbers].map((name) => `${name}.`).join(' ');
    const { call_id, lines } = await answeredCall({ instructions: OPENING, greeting });
    // Longer than the time in which the agent ignores sound as its own echo.
    let loud = 0;
    const listen = async () => (loud += handset.heard().filter((sample) => Math.abs(sample) > 500).length);
    await eventually(listen, (samples) => samples > 40_000, 60_000);
    await sleep(3_000);
    await handset.say(await voice.speak('When do you open on Sunday?'));
    const [first, question, answer] = await lines(3);
    assert.equal(first?.speaker, 'AGENT');
    assert.ok(first.content.startsWith('One.') && first.content.length < greeting.length, first.content);
    assertHeard(question?.content, 'When do you open on Sunday?');
    assert.equal(answer?.content, OPENING);
    await service.post(`/api/calls/${call_id}/end`);
  });
}
