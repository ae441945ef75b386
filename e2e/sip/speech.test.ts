import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingVoice, startVoice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { makeSpool, startWorker } from '../support/worker.ts';
import { openHandset } from './support/handset.ts';
import { PORTS } from './support/network.ts';
import { setUp } from './support/setup.ts';

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

  /** At least half of the words: a small model misrecognizes some words of a synthetic voice on a phone line. */
  function assertHeard(text: string | undefined, expected: string): void {
    const words = (from: string) => from.toLowerCase().match(/[a-z]+/g) ?? [];
    const heard = new Set(words(text ?? ''));
    const right = words(expected).filter((word) => heard.has(word));
    assert.ok(right.length * 2 >= words(expected).length, `"${text}" instead of "${expected}"`);
  }

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
    const { call_id, lines } = await answeredCall({ greeting: 'Welcome to the library.' });
    await lines(1);
    assertHeard(await voice.recognize(handset.heard()), 'Welcome to the library.');

    await handset.say(await voice.speak('When do you open on Sunday?'));
    const [, question, answer] = await lines(3);
    assertHeard(question?.content, 'When do you open on Sunday?');
    assert.equal(answer?.content, `You said: ${question?.content}`);
    assertHeard(await voice.recognize(handset.heard()), answer?.content ?? '');

    // A small model misrecognizes some sentences: they are then said again.
    for (let times = 1; times <= 3; times++) {
      await handset.say(await voice.speak('Thank you very much, goodbye.'));
      const all = await lines(3 + 2 * times);
      if (all.at(-1)?.content.includes('Thank you for calling')) break;
    }
    const ended = await service.reaches(call_id, 'COMPLETED');
    assert.equal(ended.end_reason, 'ended_by_agent');
    const { body: costs } = await eventually(
      () => service.get(`/api/sessions/${call_id}/costs`),
      ({ body }) => Number(body.by_event_type.tts_characters) > 0 && Number(body.by_event_type.stt_minutes) > 0,
    );
    assert.ok(Number(costs.total_cost) > 0);
  });

  test('a caller who speaks interrupts the agent, and the transcript has the part that was heard', async () => {
    const numbers = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];
    const greeting = [...numbers, ...numbers, ...numbers].map((name) => `${name}.`).join(' ');
    const { call_id, lines } = await answeredCall({ greeting });
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
    assert.equal(answer?.content, `You said: ${question?.content}`);
    await service.post(`/api/calls/${call_id}/end`);
  });
}
