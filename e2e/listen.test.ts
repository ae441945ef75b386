import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AudioSource, AudioStream, LocalAudioTrack, Room, RoomEvent, TrackPublishOptions } from '@livekit/rtc-node';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts, startLab } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { joinAsSpeaker } from '@switchboard/testkit/speaker.ts';
import { createLiveKitMedia } from '../packages/server/src/providers/livekit/livekit.ts';
import { join, withStandInPhones } from './support/legs.ts';

const RATE = 24_000;
/** A tone of half a second, loud enough to be distinguished from silence with any codec. */
const TONE = Int16Array.from({ length: RATE / 2 }, (_, at) => 12_000 * Math.sin((2 * Math.PI * 440 * at) / RATE));
const AUDIBLE = 3_000;

const missing = missingParts();
if (missing) {
  test('listening in, in the lab', { skip: missing }, () => {});
} else {
  const lab = await startLab();
  after(() => lab.stop());
  const real = createLiveKitMedia({ ...lab, sipTrunkId: 'ST_unknown', agentName: 'lab-agent' });
  const { media, phones } = withStandInPhones(lab, real);
  const service = await startService({ media, env: { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US' } });
  const agent_id = await createAgent(service);

  /** An answered call with its phone and an agent in the room. */
  async function answeredCall() {
    const number = `+1415555${String(1000 + phones.size)}`;
    const { call_id, room_name } = await placeCall(service, number, { agent_id });
    await reaches(service, call_id, 'ANSWERED');
    const agent = await join(lab, room_name, 'agent', 'agent');
    return { call_id, room_name, agent, phone: phones.get(number) ?? assert.fail() };
  }

  const ask = (call_id: string, user = USER) => service.request('POST', `/api/calls/${call_id}/listen`, { user });

  async function listen(call_id: string) {
    const { status, body } = await ask(call_id);
    assert.deepEqual([status, body.is_simulated], [201, false]);
    const room = new Room();
    let loudest = 0;
    room.on(RoomEvent.TrackSubscribed, async (track) => {
      for await (const { data } of new AudioStream(track, RATE, 1))
        loudest = Math.max(loudest, ...data.map((sample) => Math.abs(sample)));
    });
    const gone = new Promise<void>((resolve) => room.once(RoomEvent.Disconnected, () => resolve()));
    await room.connect(body.url, body.token, { autoSubscribe: true, dynacast: false });
    return { room, gone, loudest: () => loudest };
  }

  test('a listener hears the room, is invisible, cannot send, and leaves with the call', async () => {
    const call = await answeredCall();
    const speaker = await joinAsSpeaker(lab, call.room_name, 'speaker');
    const listener = await listen(call.call_id);
    await eventually(
      async () => {
        await speaker.say(TONE);
        return listener.loudest();
      },
      (loudest) => loudest > AUDIBLE,
    );
    const listed = (await media.listParticipants(call.room_name)).map(({ identity }) => identity);
    assert.equal(listed.length, 3);
    assert.ok(!listed.some((identity) => identity.startsWith('listener')));
    const seen = await joinAsObserver(call.room_name);
    assert.deepEqual(seen.identities().sort(), listed.sort());
    const received: string[] = [];
    seen.room.on(RoomEvent.DataReceived, (data) => {
      received.push(Buffer.from(data).toString());
    });
    // Refused at once, or sent to nobody.
    await sendData(listener.room, 'from the listener').catch(() => {});
    await assert.rejects(publish(listener.room));
    const other = await joinAsObserver(call.room_name, 'other');
    await sendData(other.room, 'from a participant');
    await eventually(
      async () => received,
      (all) => all.includes('from a participant'),
    );
    assert.deepEqual(received, ['from a participant']);
    await other.room.disconnect();
    await seen.room.disconnect();
    await speaker.leave();
    await service.request('POST', `/api/calls/${call.call_id}/end`);
    await listener.gone;
    await eventually(
      () => media.listRooms(),
      (rooms) => !rooms.has(call.room_name),
    );
  });

  test('a call with a listener ends like any other when its agent leaves', async () => {
    const call = await answeredCall();
    const listener = await listen(call.call_id);
    await call.agent.hangUp();
    assert.equal((await reaches(service, call.call_id, 'COMPLETED')).end_reason, 'hangup');
    await listener.gone;
    const late = await ask(call.call_id);
    assert.deepEqual([late.status, late.body.code], [409, 'session_over']);
  });

  test('another user, and an unknown call, get 404', async () => {
    const call = await answeredCall();
    const stranger = await ask(call.call_id, 'stranger');
    assert.deepEqual([stranger.status, stranger.body.code], [404, 'not_found']);
    assert.equal((await ask('01980000-0000-7000-8000-000000000000')).status, 404);
    await service.request('POST', `/api/calls/${call.call_id}/end`);
  });

  async function joinAsObserver(room_name: string, identity = 'observer') {
    const { token, url } = await media.createToken(room_name, identity, 60);
    const room = new Room();
    await room.connect(url, token, { autoSubscribe: false, dynacast: false });
    return { room, identities: () => [...room.remoteParticipants.keys()] };
  }

  async function sendData(room: Room, text: string): Promise<void> {
    await room.localParticipant?.publishData(Buffer.from(text), { reliable: true });
  }

  async function publish(room: Room): Promise<void> {
    const track = LocalAudioTrack.createAudioTrack('voice', new AudioSource(RATE, 1));
    await room.localParticipant?.publishTrack(track, new TrackPublishOptions());
  }
}
