import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import type { Media } from '../packages/server/src/providers/media.ts';
import type { RoomRequest } from '../packages/server/src/providers/rooms.ts';
import { join } from './support/legs.ts';
import { withRingingPhones } from './support/worker.ts';
import { openWorkerLab } from './support/worker-lab.ts';

const [NUMBER, CALLER, TARGET] = ['+15005550010', '+14155550199', '+14155552101'];

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('the fallback of inbound calls', { skip: missing }, () => {});
} else {
  const { voice, lab, database, media: real, startWorker } = await openWorkerLab('lab-fallback');
  const { media, phones, ring, setStatus } = withRingingPhones(lab, real);
  // None is free.
  const dispatched: RoomRequest[] = [];
  const service = await startService<Media>({
    media: { ...media, dispatchAgent: async (room) => void dispatched.push(room) },
    database,
    env: { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US' },
  });

  await startWorker({ MODEL_BASE_URLS: voice.url });

  test('a caller whom no worker takes talks with the fallback number, and a late worker leaves without a word', async () => {
    const config = { greeting: 'Welcome.', ...voice.config, inbound: { fallback_number: TARGET, max_wait_s: 1 } };
    const agent_id = await createAgent(service, { config });
    await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: NUMBER } });
    const [room_name, identity] = ['inbound-fallback-1', `sip_${CALLER}`];
    const pickUp = ring(TARGET);
    await join(lab, room_name, identity, 'sip', {
      'sip.trunkPhoneNumber': NUMBER,
      'sip.phoneNumber': CALLER,
      'sip.callStatus': 'ringing',
    });
    await eventually(
      () => real.listParticipants(room_name),
      (all) => all.some((one) => one.identity.startsWith('transfer-')),
    );
    // As the bridge does when a second phone is in the room.
    await setStatus(room_name, identity, 'active');
    await pickUp();
    const { body } = await service.request('GET', `/api/sessions/by-room/${room_name}`);
    const read = async () => (await service.request('GET', `/api/calls/${body.id}`)).body;
    const call = await eventually(read, ({ transfers }) => transfers[0]?.status === 'completed');
    assert.deepEqual([call.call_status, call.transfers[0].fallback], ['ANSWERED', true]);

    assert.ok(dispatched[0]);
    await real.dispatchAgent(dispatched[0]);
    // It may be in the room for less than the time between two looks.
    await eventually(
      () => database.db.selectFrom('sessions').select('agent_joined_at').executeTakeFirstOrThrow(),
      ({ agent_joined_at }) => agent_joined_at !== null,
    );
    await eventually(
      () => real.listParticipants(room_name),
      (all) => all.every(({ kind }) => kind === 'SIP'),
    );
    const { body: transcripts } = await service.request('GET', `/api/sessions/${body.id}/transcripts`);
    assert.deepEqual(transcripts.items, []);
    assert.equal((await read()).call_status, 'ANSWERED');

    await phones.get(TARGET)?.hangUp();
    assert.equal((await reaches(service, body.id, 'COMPLETED')).end_reason, 'hangup');
  });
}
