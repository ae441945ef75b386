import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts, startLab } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { createLiveKitMedia } from '../packages/server/src/providers/livekit/livekit.ts';
import { join, withStandInPhones } from './support/legs.ts';

const missing = missingParts();
if (missing) {
  test('the lab', { skip: missing }, () => {});
} else {
  const lab = await startLab();
  after(() => lab.stop());
  const { url, apiKey, apiSecret } = lab;
  const options = { url, apiKey, apiSecret, sipTrunkId: 'ST_unknown', agentName: 'lab-agent' };
  const { media, phones } = withStandInPhones(lab, createLiveKitMedia(options));
  const service = await startService({ media, env: { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US' } });
  const phone = () => `+1415555${String(1000 + phones.size)}`;

  test('a trunk that the media server does not know is passed over, and the next one has no bridge', async () => {
    const sip = new SipClient(lab.url, lab.apiKey, lab.apiSecret);
    const { sipTrunkId } = await sip.createSipOutboundTrunk('next', '127.0.0.1:9', ['+14155550100'], { transport: 1 });
    const several = await startService({
      media: createLiveKitMedia({ ...options, sipTrunkId: `ST_unknown,${sipTrunkId},ST_last` }),
      env: { CALLING_COUNTRIES: 'US' },
    });
    const { call_id } = await placeCall(several, phone());
    const call = await reaches(several, call_id, 'FAILED');
    assert.equal(call.end_reason, 'provider_unavailable');
    // Without a bridge, nothing says that the call went nowhere: the last trunk is not dialled.
    assert.deepEqual(call.trunks, [
      { trunk: 'ST_unknown', end_reason: 'trunk_not_found', sip_status_code: null },
      { trunk: sipTrunkId, end_reason: 'provider_unavailable', sip_status_code: null },
    ]);
    await several.close();
  });

  for (const [what, state, carries] of [
    ['has not rung goes on over the next trunk', 'dialing', true],
    ['has rung is not dialled again', 'ringing', false],
  ] as const) {
    test(`a call whose trunk refuses it when its phone ${what}`, async () => {
      const rooms = new RoomServiceClient(lab.url, lab.apiKey, lab.apiSecret);
      const dialled: unknown[] = [];
      const trunks = ['ST_a', 'ST_b'].map((id) => [{ id, weight: 1 }]);
      // The webhooks come to the other service: this one reads them from the database.
      const { database } = service;
      const eventsOf = (room_name: string) =>
        database.db.selectFrom('media_events').selectAll().where('room_name', '=', room_name).execute();
      const dial: typeof media.dial = async (call) => {
        dialled.push(call.trunk);
        if (call.trunk === 'ST_b') return media.dial(call);
        const { room_name, identity } = call;
        await join(lab, room_name, identity, 'sip', { 'sip.callStatus': 'dialing', 'sip.trunkID': 'ST_a' });
        await rooms.updateParticipant(room_name, identity, { attributes: { 'sip.callStatus': state } });
        await rooms.removeParticipant(room_name, identity);
        // The service waits two seconds for it, which a busy machine may take.
        await eventually(
          () => eventsOf(room_name),
          (events) => events.some(({ body }) => body.includes('participant_left')),
        );
        const refusal = { end_reason: 'trunk_failure', sip_status_code: 503, by_trunk: 'refused' as const };
        return { answered: false, no_answer: false, ...refusal };
      };
      const dialing = await startService({
        media: { ...media, trunks, dial },
        database,
        env: { CALLING_COUNTRIES: 'US' },
      });
      const { call_id, room_name } = await placeCall(dialing, phone());
      const call = await reaches(dialing, call_id, carries ? 'ANSWERED' : 'FAILED');
      assert.deepEqual(dialled, carries ? ['ST_a', 'ST_b'] : ['ST_a']);
      assert.equal(call.trunks.length, dialled.length);
      if (carries) {
        // The late event of the first connection changes nothing.
        await join(lab, room_name, 'agent', 'agent');
        await eventually(
          () => eventsOf(room_name),
          (events) => events.every(({ handled_at }) => handled_at !== null),
        );
        assert.equal((await dialing.request('GET', `/api/calls/${call_id}`)).body.call_status, 'ANSWERED');
        await dialing.request('POST', `/api/calls/${call_id}/end`);
      }
      await dialing.close();
    });
  }
}
