/** Attended transfers over the bridge: who hears whom, by what arrives at the phones. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { ended } from './support/checks.ts';
import type { Handset } from './support/handset.ts';
import type { Phone } from './support/phones.ts';
import { recordFigure } from './support/seen.ts';
import { FULL } from './support/setup.ts';
import { hangUp, openSpeakingLab, type SpokenCall } from './support/speaking.ts';
import { numberOf } from './support/switchboard.ts';
import { audibleMs, peakOf, volumeOf } from './support/tones.ts';

const TRIES = FULL ? 5 : 1;
const group = 'attended transfer';
/** Hertz of what caller and target hum: neither the music nor a voice has them for long. */
const [CALLER, TARGET] = [3100, 2700];
/** Amplitudes of a tone that is hummed, of music, of the agent's voice, and of what codecs leave of nothing. */
const [AUDIBLE, MUSIC, A_VOICE, SILENT] = [1_000, 300, 4_000, 150];
const LISTEN_MS = 500;
/** A bridge has its phone hear the room as soon as it is answered, and the service learns of that a moment later. */
const LEAK_MS = 3_000;
const GREETING = 'Welcome to the library.';
const BRIEFING = 'The caller asks about a library book.';
const QUESTION = 'To take the call';
const OPENING = 'The library opens at ten on Sundays.';
const MAILBOX = 'You have reached the voicemail of Mary. Please leave a message after the tone.';

const missing = missingVoice();
if (missing) {
  test('attended transfers', { skip: missing }, () => {});
} else {
  const setup = await openSpeakingLab({ RINGING_TIMEOUT_S: '6' });
  const { lab, service, voice, pickUp, answeredCall } = setup;
  /** Milliseconds for which targets have heard the caller after their answer, and callers the target. */
  const leaks = { target: [] as number[], caller: [] as number[] };

  /** Waits until what a phone hears in half a second, measured in this way, is right. */
  const hears = (handset: Handset, measure: (samples: Int16Array) => number, isRight: (level: number) => boolean) =>
    eventually(
      async () => {
        handset.heard();
        await systemClock.sleep(LISTEN_MS);
        return measure(handset.heard());
      },
      isRight,
      30_000,
    );
  const isQuiet = (level: number) => level < SILENT;
  const toneOf = (hertz: number) => (samples: Int16Array) => volumeOf(samples, hertz);

  const attempt = ({ call_id }: SpokenCall, status: string): Promise<Json> =>
    eventually(
      async () => (await service.detail(call_id)).transfers[0],
      (one) => one?.status === status,
    );

  /** A call whose caller has heard the greeting and hums, and the transfer of it to a phone of this kind. */
  async function transferring(phone: Phone): Promise<{ call: SpokenCall; target: string }> {
    const call = await answeredCall({ instructions: OPENING, greeting: GREETING });
    await call.said(GREETING);
    call.handset.hum(CALLER);
    const target = numberOf(phone);
    const body = { phone_number: target, attended: true, briefing: BRIEFING };
    assert.equal((await service.post(`/api/sessions/${call.call_id}/transfer`, body)).status, 200);
    return { call, target };
  }

  /** The same with a target that has been told about the caller, and hums. */
  async function consulting() {
    const { call, target } = await transferring('talks');
    const theirs = await pickUp(target);
    theirs.hum(TARGET);
    call.handset.heard();
    await attempt(call, 'connected');
    await call.said(QUESTION);
    const [mine, other] = [call.handset.heard(), theirs.heard()];
    leaks.target.push(audibleMs(other, CALLER, AUDIBLE));
    leaks.caller.push(audibleMs(mine, TARGET, AUDIBLE));
    assert.match(await voice.recognize(other), /library/i, 'the target hears what the call is about');
    return { call, target, theirs };
  }

  /** Each hears nothing of the other, the target nothing but the agent, and the caller music. */
  async function assertApart({ handset }: SpokenCall, theirs: Handset): Promise<void> {
    for (const one of [handset, theirs]) one.heard();
    await systemClock.sleep(2 * LISTEN_MS);
    const [mine, other] = [handset.heard(), theirs.heard()];
    assert.ok(peakOf(mine) > MUSIC && peakOf(mine) < A_VOICE, `the caller hears no music: ${peakOf(mine)}`);
    assert.ok(volumeOf(mine, TARGET) < SILENT, 'the caller hears the target');
    assert.ok(volumeOf(other, CALLER) < SILENT, 'the target hears the caller');
  }

  /** The caller has the agent again: it answers a question. */
  async function assertServed({ handset, said }: SpokenCall): Promise<void> {
    handset.hum(null);
    await hears(handset, peakOf, isQuiet);
    await handset.say(await voice.speak('When do you open on Sunday?'));
    await Promise.all([said(OPENING), hears(handset, peakOf, (level) => level > A_VOICE)]);
  }

  async function finish(call: SpokenCall, scenario: string, target: { number: string; requests: string[] }) {
    await service.post(`/api/calls/${call.call_id}/end`);
    const expected = { call_status: 'COMPLETED', end_reason: 'ended_by_user', phone: ['INVITE', 'BYE'] } as const;
    await ended(setup, call, { group, scenario, ...expected, phone: [...expected.phone], target });
  }

  function scenario(name: string, run: (name: string) => Promise<unknown>): void {
    test(name, async () => {
      for (let round = 0; round < TRIES; round++) await run(name);
    });
  }

  suite('an attended transfer', { concurrency: 1 }, () => {
    scenario('the target presses 1; caller and target hear each other', async (name) => {
      const { call, target, theirs } = await consulting();
      await assertApart(call, theirs);
      await theirs.press('1');
      await attempt(call, 'completed');
      await Promise.all([
        hears(call.handset, toneOf(TARGET), (level) => level > AUDIBLE),
        hears(theirs, toneOf(CALLER), (level) => level > AUDIBLE),
      ]);
      call.handset.hum(null);
      theirs.hum(null);
      // Neither music nor agent is left.
      await Promise.all([call.handset, theirs].map((one) => hears(one, peakOf, isQuiet)));
      await finish(call, name, { number: target, requests: ['INVITE', 'BYE'] });
    });

    scenario('the target says no; the caller has the agent again', async (name) => {
      const { call, target, theirs } = await consulting();
      theirs.hum(null);
      await theirs.say(await voice.speak('No, thank you.'));
      assert.equal((await attempt(call, 'failed')).reason, 'declined');
      await assertServed(call);
      await finish(call, name, { number: target, requests: ['INVITE', 'BYE'] });
    });

    scenario('voicemail answers, which is told nothing; the caller has the agent again', async (name) => {
      const { call, target } = await transferring('talks');
      const theirs = await pickUp(target);
      await theirs.say(await voice.speak(MAILBOX));
      assert.equal((await attempt(call, 'failed')).reason, 'voicemail');
      assert.doesNotMatch(await voice.recognize(theirs.heard()), /library/i);
      await assertServed(call);
      await finish(call, name, { number: target, requests: ['INVITE', 'BYE'] });
    });

    for (const [name, phone, reason, requests] of [
      ['the target is busy (486); the caller keeps the agent', 486, 'busy', ['INVITE']],
      ['the target rings out; the caller keeps the agent', 'ringsOut', 'no_answer', ['INVITE', 'CANCEL']],
    ] as const) {
      scenario(name, async (name) => {
        const { call, target } = await transferring(phone);
        assert.equal((await attempt(call, 'failed')).reason, reason);
        await assertServed(call);
        await finish(call, name, { number: target, requests: [...requests] });
      });
    }

    scenario('the caller hangs up on the music', async (scenario) => {
      const { call, target } = await consulting();
      await hangUp(lab, call.number);
      const expected = { call_status: 'COMPLETED', end_reason: 'hangup', phone: ['INVITE'] } as const;
      const requests = ['INVITE', 'BYE'];
      await ended(setup, call, {
        group,
        scenario,
        ...expected,
        phone: ['INVITE'],
        target: { number: target, requests },
      });
      assert.equal((await attempt(call, 'failed')).reason, 'call_ended');
    });

    scenario('the target hangs up before it has decided; the caller has the agent again', async (name) => {
      const { call, target } = await consulting();
      await hangUp(lab, target);
      assert.equal((await attempt(call, 'failed')).reason, 'hangup');
      await assertServed(call);
      await finish(call, name, { number: target, requests: ['INVITE'] });
    });
  });

  test('caller and target hardly hear each other before the agent has asked', () => {
    const most = (all: number[]) => `${Math.max(...all)} ms in ${all.length} calls`;
    recordFigure('attended transfer: the target hears the caller after its answer, longest', most(leaks.target));
    recordFigure('attended transfer: the caller hears the target, longest', most(leaks.caller));
    assert.ok(Math.max(...leaks.target) <= LEAK_MS, `the target hears the caller: ${most(leaks.target)}`);
    assert.equal(Math.max(...leaks.caller), 0, `the caller hears the target: ${most(leaks.caller)}`);
  });
}
