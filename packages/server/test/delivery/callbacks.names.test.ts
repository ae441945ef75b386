import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { createDeliver, createLookupOutside } from '../../src/delivery/callbacks/deliver.ts';

const HEADER_BYTES = 12;
/** An answer with one address, 127.0.0.1, whose name is that of the question. */
const ANSWER = Buffer.from('c00c000100010000003c00047f000001', 'hex');

/**
 * A name server that knows 127.0.0.1 for every name. It never answers for those that end with `.dead`, nor for the IPv6
 * addresses of those that end with `.half`.
 */
async function startNameServer() {
  const asked: string[] = [];
  const socket = dgram.createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, HEADER_BYTES);
    const name = query.toString('latin1', HEADER_BYTES, end).replace(/[^\w-]/g, '.');
    asked.push(name);
    const isV4 = query.readUInt16BE(end + 1) === 1;
    if (name.endsWith('.dead') || (name.endsWith('.half') && !isV4)) return;
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isV4 ? 1 : 0, 0, 0, 0, 0]);
    const question = query.subarray(HEADER_BYTES, end + 5);
    socket.send(Buffer.concat([header, question, ...(isV4 ? [ANSWER] : [])]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  after(() => socket.close());
  return { asked, port: socket.address().port };
}

const receiver = await startReceiver();
const { port } = new URL(receiver.url);
const names = await startNameServer();
dns.setServers([`127.0.0.1:${names.port}`]);

test('while the name servers of a hundred receivers hang, other receivers and other look-ups get their answers', async () => {
  const deliver = createDeliver({ allowPrivate: true, timeoutMs: 5_000, lookup: createLookupOutside() });
  let ended = 0;
  const dead = Array.from({ length: 100 }, (_, index) =>
    deliver(`http://receiver-${index}.dead/`, {}, '{}').finally(() => ended++),
  );
  const { response_status } = await deliver(`http://alive.test:${port}/alive`, {}, '{}');
  const { address } = await dns.promises.lookup('localhost', { family: 4 });
  assert.deepEqual([response_status, receiver.at('/alive').length, address], [200, 1, '127.0.0.1']);
  assert.equal(ended, 0, 'the others still wait');
  for (const { response_status } of await Promise.all(dead)) assert.equal(response_status, null);
});

test('callbacks that reach public addresses only have their names resolved so, and checked', async () => {
  const deliver = createDeliver({ allowPrivate: false, timeoutMs: 5_000 });
  const { error } = await deliver(`http://inside.test:${port}/inside`, {}, '{}');
  assert.deepEqual([error, receiver.at('/inside')], ['no_public_address', []]);
  assert.ok(names.asked.some((name) => name.endsWith('inside.test')));
});

test('a receiver whose name server never answers for IPv6 gets its callback within the default time', async () => {
  const deliver = createDeliver({ allowPrivate: true, timeoutMs: 10_000, lookup: createLookupOutside() });
  const { response_status } = await deliver(`http://receiver.half:${port}/half`, {}, '{}');
  assert.deepEqual([response_status, receiver.at('/half').length], [200, 1]);
});
