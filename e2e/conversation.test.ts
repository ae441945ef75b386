import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { scaled, sum } from '@switchboard/testkit/decimals.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { joinAsSpeaker, type Speaker } from '@switchboard/testkit/speaker.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import type { Media } from '../packages/server/src/providers/media/media.ts';
import { openWorkerLab } from './support/worker-lab.ts';

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('a spoken conversation', { skip: missing }, () => {});
} else {
  const { opened, voice, lab, database, media: real, startWorker } = await openWorkerLab('lab-voice');
  const MODEL_KEY = 'key-of-the-worker';
  const callers = new Map<string, Speaker>();
  // The only stand-in: the phone is a participant playing recorded speech, not a phone behind the SIP bridge.
  const media: Media = {
    ...real,
    dial: async ({ room_name, identity, phone_number }) => {
      callers.set(phone_number, await joinAsSpeaker(lab, room_name, identity, { 'sip.callStatus': 'active' }));
      return { answered: true };
    },
  };
  const env = { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US' };
  const service = await startService({ media, database, env });
  await startWorker({
    MODEL_BASE_URLS: `${voice.url}=MODEL_KEY`,
    MODEL_KEY,
    PRICES_FILE: path.join(import.meta.dirname, 'support/prices.json'),
  });

  const TOKENS = ['llm_input_tokens', 'llm_cached_tokens', 'llm_output_tokens'];
  type Event = Record<'event_type' | 'quantity' | 'total_cost', string>;
  const quantity = (events: Event[], type: string): bigint =>
    sum(events.filter(({ event_type }) => event_type === type).map((event) => event.quantity));

  /** At least half of the words: a small model misrecognizes some words of a synthetic voice. */
  function assertHeard(text: string | undefined, expected: string): void {
    const words = (from: string) => from.toLowerCase().match(/[a-z]+/g) ?? [];
    const heard = new Set(words(text ?? ''));
    const right = words(expected).filter((word) => heard.has(word));
    assert.ok(right.length * 2 >= words(expected).length, `"${text}" instead of "${expected}"`);
  }

  let calls = 0;
  /** An answered call of an agent with this config in addition to its models. */
  async function answeredCall(config: object, variables: object = {}) {
    const agent_id = await createAgent(service, { config: { ...voice.config, tools: { hang_up: true }, ...config } });
    const phone_number = `+1415555${2000 + calls++}`;
    const { call_id } = await placeCall(service, phone_number, { agent_id, variables });
    await reaches(service, call_id, 'ANSWERED');
    const caller = callers.get(phone_number) ?? assert.fail();
    opened.push(caller.leave);
    const lines = (count: number): Promise<{ speaker: string; content: string }[]> =>
      eventually(
        async () => (await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body.items,
        (items) => items.length >= count,
      );
    return { call_id, caller, lines };
  }

  test('the worker hears speech, answers aloud, and all of it is booked once, with its price', async () => {
    const { call_id, caller, lines } = await answeredCall({
      instructions: 'Be kind.',
      greeting: 'Welcome to the library.',
    });
    await lines(1);
    assertHeard(await voice.recognize(caller.heard()), 'Welcome to the library.');

    await caller.say(await voice.speak('When do you open on Sunday?'));
    const items = await lines(3);
    assert.deepEqual(
      items.map(({ speaker }) => speaker),
      ['AGENT', 'USER', 'AGENT'],
    );
    const [greeting, question, answer] = items.map(({ content }) => content);
    assert.equal(greeting, 'Welcome to the library.');
    assertHeard(question, 'When do you open on Sunday?');
    assert.equal(answer, `You said: ${question}`);
    assertHeard(await voice.recognize(caller.heard()), answer ?? '');

    // If it was misheard, say it again, as people do.
    let said = items;
    for (let times = 0; times < 3 && !/Goodbye/.test(said.at(-1)?.content ?? ''); times++) {
      await caller.say(await voice.speak('Please hang up the phone.'));
      said = await lines(said.length + 2);
    }
    const ended = await reaches(service, call_id, 'COMPLETED');
    assert.equal(ended.end_reason, 'ended_by_agent');
    const [request, last] = said.slice(-2);
    assertHeard(request?.content, 'Please hang up the phone.');
    assert.equal(last?.content, 'Thank you for calling. Goodbye.');
    assertHeard(await voice.recognize(caller.heard()), 'Thank you for calling.');

    // The bill is computed from the models' own counts and the prices in prices.json.
    const bill = await voice.used(MODEL_KEY);
    const tokens = bill.input_tokens + bill.cached_tokens + bill.output_tokens;
    const price = (units: number, each: string) => BigInt(units) * scaled(each);
    const { body } = await eventually(
      () => service.request('GET', `/api/sessions/${call_id}/costs`),
      ({ body: { events } }) => TOKENS.reduce((all, type) => all + quantity(events, type), 0n) === price(tokens, '1'),
    );
    assert.equal(quantity(body.events, 'tts_characters'), price(bill.characters, '1'));
    assert.equal(scaled(body.by_event_type.tts_characters), price(bill.characters, '0.000015'));
    assert.deepEqual(
      TOKENS.map((type) => scaled(body.by_event_type[type])),
      [
        price(bill.input_tokens, '0.0000004'),
        price(bill.cached_tokens, '0.0000001'),
        price(bill.output_tokens, '0.0000016'),
      ],
    );
    assert.ok(bill.cached_tokens > 0);
    // Minutes have six decimals in each event.
    const heardMs = (Number(quantity(body.events, 'stt_minutes')) / Number(scaled('1'))) * 60_000;
    assert.ok(Math.abs(heardMs - bill.audio_ms) < 1, `${heardMs} of ${bill.audio_ms} ms`);
    const { local, ...line } = body.by_provider;
    assert.ok(local !== undefined);
    for (const [provider, cost] of Object.entries(line))
      assert.equal(cost, '0', `the line of ${provider} has no price`);
    assert.equal(scaled(body.total_cost), sum(body.events.map((event: Event) => event.total_cost)));

    const { body: latency } = await eventually(
      () => service.request('GET', `/api/sessions/${call_id}/turns`),
      (turns) => turns.body.items.length === 2,
    );
    for (const { model, transcript_ms, first_token_ms, first_audio_ms } of latency.items) {
      assert.equal(model, 'rules');
      assert.ok(transcript_ms > 0 && transcript_ms <= first_token_ms && first_token_ms < first_audio_ms);
    }
  });

  test('a silent caller is prompted, and then the agent hangs up', async () => {
    const silence = { timeout_s: 1, message: 'Are you still there, {{name}}?', max_prompts: 1 };
    const { lines, call_id } = await answeredCall({ greeting: 'Hello {{name}}.', silence }, { name: 'Ada' });
    assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'ended_by_agent');
    assert.deepEqual(
      (await lines(2)).map(({ content }) => content),
      ['Hello Ada.', 'Are you still there, Ada?'],
    );
  });

  test('an answering machine gets its message, and the call the outcome', async () => {
    const voicemail = { action: 'leave_message', message: 'Please call the library back.' };
    const { caller, call_id } = await answeredCall({ greeting: 'Hello.', voicemail });
    // Without pauses and this long: a few words followed by silence are classified as a person, and on a busy
    // machine the worker hears the first seconds of a call late.
    const greeting =
      'This is the library and nobody is here to take your call now so please leave a message after the tone and we will call you back.';
    await caller.say(await voice.speak(greeting));
    const ended = await reaches(service, call_id, 'COMPLETED');
    assert.deepEqual([ended.end_reason, ended.answered_by], ['voicemail', 'voicemail']);
    assertHeard(await voice.recognize(caller.heard()), 'Please call the library back.');
  });

  test('an answering machine is hung up on without a word; a person is greeted, and said to be one', async () => {
    const config = { greeting: 'Hello, this is the library.', voicemail: {} };
    const machine = await answeredCall(config);
    const greeting =
      'You have reached the library and nobody can take your call at the moment so please leave a message after the tone.';
    await machine.caller.say(await voice.speak(greeting));
    const ended = await reaches(service, machine.call_id, 'COMPLETED');
    assert.deepEqual([ended.end_reason, ended.answered_by], ['voicemail', 'voicemail']);
    const { items } = (await service.request('GET', `/api/sessions/${machine.call_id}/transcripts`)).body;
    assert.deepEqual(
      items.filter(({ speaker }: { speaker: string }) => speaker === 'AGENT'),
      [],
    );

    const person = await answeredCall(config);
    await person.caller.say(await voice.speak('Hello?'));
    const said = await eventually(
      async () => (await service.request('GET', `/api/sessions/${person.call_id}/transcripts`)).body.items,
      (lines) => lines.some(({ content }: { content: string }) => content === 'Hello, this is the library.'),
    );
    assert.ok(said.length > 0);
    const { answered_by, call_status } = await eventually(
      async () => (await service.request('GET', `/api/calls/${person.call_id}`)).body,
      (call) => call.answered_by !== null,
    );
    assert.deepEqual([answered_by, call_status], ['human', 'ANSWERED']);
  });
}
