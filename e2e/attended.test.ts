// Attended transfers with a real media server and worker: who hears whom, by what arrives at the phones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { type TonePhone, withTonePhones } from './support/tone-phones.ts';
import { openWorkerLab } from './support/worker-lab.ts';

const [CALLER, TARGET] = ['+14155552101', '+14155552102'];
/** Frequencies that neither the music nor a voice has for long. */
const [CALLERS_TONE, TARGETS_TONE] = [3100, 3700];
/** Loudness of 16 bits: of a tone that is played, of music, of the agent, and of what codecs leave of nothing. */
const [AUDIBLE, MUSIC, A_VOICE, SILENT] = [1_500, 500, 5_000, 150];
const BRIEFING = 'The caller asks about an invoice.';

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('attended transfers, in the lab', { skip: missing }, () => {});
} else {
  const { voice, lab, database, media: real, startWorker } = await openWorkerLab('lab-attended');
  const tones = { [CALLER]: CALLERS_TONE, [TARGET]: TARGETS_TONE };
  const { media, phones } = withTonePhones(lab, real, tones);
  const env = { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US' };
  const service = await startService({ media, database, env });
  await startWorker({ MODEL_BASE_URLS: voice.url });
  const agent_id = await createAgent(service, { config: { greeting: 'Welcome.', ...voice.config } });

  const phone = (number: string) => phones.get(number) ?? assert.fail(`nobody has dialled ${number}`);
  const said = async (call_id: string, text: string) =>
    eventually(
      () => service.request('GET', `/api/sessions/${call_id}/transcripts`),
      ({ body }) => JSON.stringify(body).includes(text),
    );
  const attempt = (call_id: string, status: string) =>
    eventually(
      async () => (await service.request('GET', `/api/calls/${call_id}`)).body.transfers[0],
      (one) => one?.status === status,
    );

  /** Until nothing of what was said before is still on its way; from then on the phone measures. */
  const isQuiet = (one: TonePhone) =>
    eventually(
      async () => {
        one.forget();
        await sleep(500);
        return one.loudest();
      },
      (level) => level < SILENT,
    );

  /** A call whose agent has told the target of a transfer about the caller. */
  async function consulting() {
    const { call_id } = await placeCall(service, CALLER, { agent_id });
    await reaches(service, call_id, 'ANSWERED');
    await said(call_id, 'Welcome.');
    await isQuiet(phone(CALLER));
    const body = { phone_number: TARGET, attended: true, briefing: BRIEFING };
    assert.equal((await service.request('POST', `/api/sessions/${call_id}/transfer`, { body })).status, 200);
    await attempt(call_id, 'connected');
    const [caller, target] = [phone(CALLER), phone(TARGET)];
    // These phones hear the room while they ring; a bridge's do not.
    await eventually(
      async () => {
        target.forget();
        await sleep(500);
        return target.heard(CALLERS_TONE);
      },
      (level) => level < SILENT,
    );
    await said(call_id, BRIEFING);
    await eventually(
      async () => target.loudest(),
      (level) => level > A_VOICE,
    );
    return { call_id, caller, target };
  }

  test('during the consultation the caller hears music, and afterwards the target, who has pressed 1', async () => {
    const { call_id, caller, target } = await consulting();
    assert.ok(caller.loudest() > MUSIC, 'the caller hears music');
    assert.ok(caller.loudest() < A_VOICE, `and not what the agent says: ${caller.loudest()}`);
    // From the moment on at which the phone was dialled.
    assert.ok(caller.heard(TARGETS_TONE) < SILENT, `the caller hears the target: ${caller.heard(TARGETS_TONE)}`);
    assert.ok(target.heard(CALLERS_TONE) < SILENT, `the target hears the caller: ${target.heard(CALLERS_TONE)}`);
    await target.press('1');
    await attempt(call_id, 'completed');
    await eventually(
      async () => [caller.heard(TARGETS_TONE), target.heard(CALLERS_TONE)],
      (levels) => levels.every((level) => level > AUDIBLE),
    );
    assert.deepEqual(
      (await real.listParticipants((await service.request('GET', `/api/calls/${call_id}`)).body.room_name)).map(
        ({ kind }) => kind,
      ),
      ['SIP', 'SIP'],
    );
    await service.request('POST', `/api/calls/${call_id}/end`);
  });

  test('a target that presses 2 is hung up, and the caller has the agent again', async () => {
    const { call_id, caller, target } = await consulting();
    await target.press('2');
    assert.equal((await attempt(call_id, 'failed')).reason, 'declined');
    await eventually(
      async () => caller.loudest(),
      (level) => level > A_VOICE,
    );
    assert.ok(caller.heard(TARGETS_TONE) < SILENT);
    await service.request('POST', `/api/calls/${call_id}/end`);
  });
}
