// The phone of a test, called by a program that speaks SIP and RTP as the bridge does; e2e/sip has the bridge itself.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMicrophone } from '../scenario/audio/caller.ts';
import { callPhone } from '../scenario/phone/dial.ts';
import { openPhone, SECRET_HEADER } from '../scenario/phone/phone.ts';
import { headerOf, type Message, readMessage, writeMessage, writeResponse } from '../scenario/phone/sip.ts';
import { startStandIn } from './stand-in.ts';

const [HOST, KEYS] = ['127.0.0.1', 101];

/** Something that comes and is waited for. */
function createInbox<T>() {
  const all: T[] = [];
  return {
    all,
    add: (one: T) => void all.push(one),
    /** The first one that fits, once it is there. */
    find: async (fits: (one: T) => boolean): Promise<T> => {
      for (;;) {
        const found = all.find(fits);
        if (found !== undefined) return found;
        await sleep(5);
      }
    },
  };
}

async function openBridge(t: TestContext) {
  const [signals, sounds] = [createSocket('udp4').bind(0, HOST), createSocket('udp4').bind(0, HOST)];
  await Promise.all([once(signals, 'listening'), once(sounds, 'listening')]);
  t.after(() => [signals, sounds].map((socket) => socket.close()));
  const [messages, packets] = [createInbox<Message>(), createInbox<Buffer>()];
  signals.on('message', (packet) => {
    const message = readMessage(packet.toString());
    if (message) messages.add(message);
  });
  sounds.on('message', packets.add);
  const [self, audio] = [signals.address().port, sounds.address().port];
  const offer = [
    'v=0',
    `c=IN IP4 ${HOST}`,
    `m=audio ${audio} RTP/AVP 9 0 8 ${KEYS}`,
    `a=rtpmap:${KEYS} telephone-event/8000`,
  ].join('\r\n');
  const send = (text: string, address: string) => void signals.send(text, Number(address.split(':')[1]), HOST);
  const request = (method: string, cseq: number, more: [string, string][] = [], body = '') =>
    writeMessage(
      `${method} sip:+12125550199@${HOST} SIP/2.0`,
      [
        ['Via', `SIP/2.0/UDP ${HOST}:${self};branch=z9hG4bK${method}`],
        ['From', `<sip:+12125550100@${HOST}>;tag=bridge`],
        ['To', `<sip:+12125550199@${HOST}>`],
        ['Call-ID', 'call-1'],
        ['CSeq', `${cseq} ${method}`],
        ['Contact', `<sip:${HOST}:${self}>`],
        ...more,
      ],
      body,
    );
  return {
    messages,
    packets,
    request: (address: string, method: string, cseq: number) => send(request(method, cseq), address),
    invite: (address: string, secret: string, body = offer) =>
      send(request('INVITE', 1, [[SECRET_HEADER, secret]], body), address),
    respond: (address: string, message: Message) => send(writeResponse(message, '200 OK', 'bridge', []), address),
    /** A response to the request with this CSeq. */
    answers: (cseq: string) => messages.find((one) => one.method === null && headerOf(one, 'CSeq') === cseq),
    play: (payload: Buffer, port: number) =>
      sounds.send(Buffer.concat([Buffer.from([0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]), payload]), port, HOST),
  };
}

test('a phone takes its own call alone, which is heard, speaks, presses keys and hangs up', async (t) => {
  const bridge = await openBridge(t);
  const heard: Int16Array[] = [];
  const phone = await openPhone({ host: HOST, ringMs: 50, hear: (samples) => void heard.push(samples) });
  t.after(phone.close);

  bridge.invite(phone.address, 'guessed');
  await bridge.answers('1 INVITE');
  assert.equal(phone.isCalled(), false);
  bridge.messages.all.length = 0;

  bridge.invite(phone.address, phone.secret);
  const accepted = await bridge.messages.find(({ body }) => body !== '');
  assert.equal(bridge.messages.all.length, 2, 'it rings first');
  assert.match(headerOf(accepted, 'To'), /;tag=\w+$/);
  const [, port] = /^m=audio (\d+) RTP\/AVP 0 101\r$/m.exec(accepted.body) ?? [];
  bridge.request(phone.address, 'ACK', 1);
  await phone.answered;

  bridge.play(Buffer.alloc(160, 0x80), Number(port));
  const microphone = createMicrophone(phone.send, (packet) => packet);
  await microphone.say(new Int16Array(24_000 / 5).fill(8_000));
  const typeOf = (packet: Buffer) => (packet[1] ?? 0) & 0x7f;
  const loud = () => bridge.packets.all.filter((packet) => typeOf(packet) === 0 && packet[12] !== 0xff);
  await bridge.packets.find(() => loud().length >= 10);
  await phone.press('4#');
  const events = bridge.packets.all.filter((packet) => typeOf(packet) === KEYS);
  assert.deepEqual([...new Set(events.map((packet) => packet[12]))], [4, 11]);
  for (const key of [4, 11]) {
    const packets = events.filter((packet) => packet[12] === key);
    assert.equal(new Set(packets.map((packet) => packet.readUInt32BE(4))).size, 1, 'one timestamp');
    assert.deepEqual(
      packets.map((packet) => (packet[1] ?? 0) >= 0x80),
      packets.map((_, at) => at === 0),
      'the first one is marked',
    );
    assert.equal(packets.filter((packet) => (packet[13] ?? 0) >= 0x80).length, 3, 'the end is told three times');
  }
  assert.equal(loud().length, 10);
  assert.ok(heard[0]?.length === 480 && Math.max(...heard[0]) > 30_000);

  const hangingUp = phone.hangUp();
  const bye = await bridge.messages.find(({ method }) => method === 'BYE');
  assert.match(headerOf(bye, 'From'), /\+12125550199.*;tag=\w+$/);
  assert.match(headerOf(bye, 'To'), /;tag=bridge$/);
  bridge.respond(phone.address, bye);
  assert.equal(await hangingUp, true);
  await microphone.close();
});

test('a phone that is still ringing can be given up, and one that the bridge hangs up on knows it', async (t) => {
  for (const [ringMs, method] of [
    [60_000, 'CANCEL'],
    [0, 'BYE'],
  ] as const) {
    const bridge = await openBridge(t);
    const phone = await openPhone({ host: HOST, ringMs, hear: () => {} });
    t.after(phone.close);
    bridge.invite(phone.address, phone.secret);
    await bridge.answers('1 INVITE');
    if (method === 'BYE') {
      await bridge.messages.find(({ body }) => body !== '');
      bridge.request(phone.address, 'ACK', 1);
      await phone.answered;
    }
    bridge.request(phone.address, method, 2);
    await bridge.answers(`2 ${method}`);
    if (method === 'BYE') await phone.hungUp;
    // The second answer to the INVITE: it is terminated.
    else await bridge.messages.find((one) => headerOf(one, 'CSeq') === '1 INVITE' && one !== bridge.messages.all[0]);
    assert.equal(await phone.hangUp(), true, 'there is nothing to hang up');
  }
});

test('packets that a line loses are never sent, but keys are', async (t) => {
  const bridge = await openBridge(t);
  const phone = await openPhone({ host: HOST, ringMs: 0, hear: () => {} });
  t.after(phone.close);
  bridge.invite(phone.address, phone.secret);
  await bridge.messages.find(({ body }) => body !== '');
  bridge.request(phone.address, 'ACK', 1);
  await phone.answered;
  const microphone = createMicrophone(phone.send, () => null);
  await microphone.say(new Int16Array(24_000 / 10).fill(8_000));
  await phone.press('7');
  await microphone.close();
  const [first] = bridge.packets.all;
  assert.deepEqual([(first?.[1] ?? 0) & 0x7f, first?.[12]], [KEYS, 7]);
  assert.ok((first?.readUInt16BE(2) ?? 0) > 5, 'packets that were lost are counted');
});

test('without a bridge, or where it does not find the phone, the reason is told', async (t) => {
  const server = await startStandIn({
    http: (_asked, response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code: 'failed_precondition', msg: 'sip not connected (redis required)' })),
  });
  t.after(server.close);
  const room = { name: 'test-1', server: { url: server.origin.replace('http', 'ws'), apiKey: 'k', apiSecret: 's' } };
  const called = { identity: 'caller', host: HOST, ringMs: 0, line: (packet: Int16Array) => packet };
  await assert.rejects(
    callPhone({ ...called, room, heardBy: Promise.resolve() }),
    /through the SIP bridge, which has not reached 127\.0\.0\.1:\d+ \(TEST_PHONE_HOST\): .*redis required/,
  );
});
