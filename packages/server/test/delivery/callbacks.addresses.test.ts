import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo, type LookupFunction } from 'node:net';
import { after, test } from 'node:test';
import { createAgent, placeCall, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { createDeliver } from '../../src/delivery/callbacks/deliver.ts';
import { callbackTo } from '../support/callbacks.ts';

const receiver = await startReceiver();
const port = new URL(receiver.url).port;
const SCHEMES = ['http', 'https'];
const strict = createDeliver({ allowPrivate: false, timeoutMs: 5_000 });

/** Every way to write an address inside: the first column is what it means. */
const INSIDE: Record<string, string[]> = {
  loopback: [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '0x7f.0x0.0x0.0x1',
  ],
  'loopback by name': ['localhost', 'LOCALHOST', '%6c%6fcalhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', '127。0。0。1', 'localhost.'],
  'loopback in IPv6': [
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
  ],
  'loopback, translated': [
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[::ffff:0:127.0.0.1]',
    '[2001:0:7f00:1::]',
  ],
  unspecified: ['0.0.0.0', '0', '0x0', '[::]', '0.1.2.3'],
  private: [
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '0xa000001',
    '[fc00::1]',
    '[fd12:3456::1]',
    '3232235521',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::c0a8:1]',
  ],
  'link-local': ['169.254.0.1', '169.254.255.255', '[fe80::1]', '[fec0::1]', '[::ffff:a9fe:1]'],
  'shared and special': [
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '100.127.255.255',
    '198.19.255.255',
  ],
  'multicast and reserved': [
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
  ],
  'IPv6 of nobody': ['[4000::1]', '[8000::1]', '[1::1]', '[200::1]', '[100:0:0:1::1]', '[::fffe:7f00:1]'],
  // AWS, Google, Azure, DigitalOcean, OpenStack: 169.254.169.254. Oracle: 192.0.0.192. Alibaba: 100.100.100.200. ECS:
  // 169.254.170.2.
  'cloud metadata': [
    '169.254.169.254',
    '2852039166',
    '[::ffff:a9fe:a9fe]',
    '169.254.170.2',
    '192.0.0.192',
    '100.100.100.200',
    '0xa9fea9fe',
    '[2002:a9fe:a9fe::]',
    '[64:ff9b::a9fe:a9fe]',
  ],
  // AWS and Google in IPv6; Azure's platform address, which looks public.
  'cloud metadata that other filters miss': ['[fd00:ec2::254]', '[fd20:ce::254]', '168.63.129.16', '0xa83f8110'],
};

for (const [kind, hosts] of Object.entries(INSIDE)) {
  test(`no callback is sent to ${kind}, however the address is written`, async () => {
    for (const host of hosts) {
      for (const scheme of SCHEMES) {
        const url = `${scheme}://${host}:${port}/inside`;
        const { response_status, error } = await strict(url, {}, '{}');
        assert.deepEqual([url, response_status, error], [url, null, 'no_public_address']);
      }
    }
    assert.deepEqual(receiver.at('/inside'), []);
  });
}

/** A resolver that gives these answers, one after the other. */
function resolver(...answers: string[][]) {
  const calls = { count: 0 };
  const lookup: LookupFunction = (_name, options, callback) => {
    const addresses = answers[Math.min(calls.count++, answers.length - 1)] ?? [];
    const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all) return callback(null, all);
    callback(null, all[0]?.address ?? '', all[0]?.family);
  };
  return { lookup, calls };
}

/** Answers of a resolver that lead inside. */
const RESOLVED = [
  ['127.0.0.1'],
  ['::1'],
  ['3ffe::1', '127.0.0.1'],
  ['127.0.0.1', '3ffe::1'],
  ['::ffff:127.0.0.1'],
  ['168.63.129.16'],
  ['::127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['64:ff9b:1::7f00:1'],
  ['2002:7f00:1::'],
  ['10.0.0.1'],
  ['100.64.0.1'],
  ['169.254.169.254'],
  ['::ffff:169.254.169.254'],
  ['fd00:ec2::254'],
  ['fe80::1%lo'],
  ['0.0.0.0'],
  ['::'],
  ['fc00::1'],
  ['172.16.0.1'],
  ['192.168.1.1', '3ffe::1'],
  ['2001:0:7f00:1::'],
  ['fe80::1'],
  ['4000::1'],
  ['::fffe:7f00:1'],
  ['no address'],
];

test('a name that resolves to a private address is refused, also when public addresses are among the results', async () => {
  for (const answer of RESOLVED) {
    const deliver = createDeliver({ allowPrivate: false, timeoutMs: 5_000, ...resolver(answer) });
    const { error } = await deliver(`http://rebind.test:${port}/name`, {}, '{}');
    assert.deepEqual([answer, error], [answer, 'no_public_address']);
  }
  assert.deepEqual(receiver.at('/name'), []);
});

test('DNS rebinding cannot reach a private address: there is one look-up, and its result is checked', async () => {
  // 3ffe::/16 was given back (RFC 3701): a connection to it comes to nothing, but passes as public.
  const rebinding = resolver(['3ffe::1'], ['127.0.0.1']);
  const deliver = createDeliver({ allowPrivate: false, timeoutMs: 500, lookup: rebinding.lookup });
  const first = await deliver(`http://rebind.test:${port}/rebound`, {}, '{}');
  assert.notEqual(first.error, 'no_public_address');
  assert.equal(first.response_status, null);
  assert.equal(rebinding.calls.count, 1);
  const second = await deliver(`http://rebind.test:${port}/rebound`, {}, '{}');
  assert.equal(second.error, 'no_public_address');
  assert.equal(rebinding.calls.count, 2);
  assert.deepEqual(receiver.at('/rebound'), []);
});

test('the address is checked at every attempt, on a fresh connection', async () => {
  const moving = resolver(['127.0.0.1']);
  const lax = createDeliver({ allowPrivate: true, timeoutMs: 5_000, lookup: moving.lookup });
  for (let attempt = 1; attempt <= 3; attempt++) {
    assert.equal((await lax(`http://moving.test:${port}/fresh`, {}, '{}')).response_status, 200);
    assert.equal(moving.calls.count, attempt);
  }
});

test('a redirect is not followed', async () => {
  receiver.answerWith = (path) => (path === '/moved' ? 302 : 200);
  const lax = createDeliver({ allowPrivate: true, timeoutMs: 5_000 });
  assert.equal((await lax(`${receiver.url}/moved`, {}, '{}')).response_status, 302);
  assert.deepEqual(receiver.at('/elsewhere'), []);
});

test('at most 64 KiB of a response are read, within the callback timeout', async () => {
  let [sent, cut] = [0, 0];
  const flood = await serveHttp((request, response) => {
    const more = () => {
      while (response.writable && response.write(Buffer.alloc(16 * 1024))) sent += 16 * 1024;
    };
    response.on('drain', more).on('close', () => cut++);
    request.resume();
    if (request.url === '/drip') return void response.write('x');
    response.writeHead(200);
    more();
  });
  after(flood.close);
  const lax = createDeliver({ allowPrivate: true, timeoutMs: 5_000 });
  assert.equal((await lax(`${flood.url}/flood`, {}, '{}')).response_status, 200);
  await eventually(
    async () => cut,
    (count) => count === 1,
  );
  assert.ok(
    sent < 16 * 1024 * 1024,
    `${sent} bytes were taken off the receiver, most of them by the network's buffers`,
  );
  // Its body never ends.
  assert.equal((await lax(`${flood.url}/drip`, {}, '{}')).response_status, 200);
});

test('a receiver that answers 101, or with something other than HTTP, counts as an attempt', async () => {
  const raw = net.createServer((socket) => {
    socket.once('data', (head) => {
      const isUpgrade = String(head).startsWith('POST /upgrade');
      socket.write(isUpgrade ? 'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n' : 'hello\r\n');
    });
    socket.on('error', () => {});
  });
  after(() => raw.close());
  await once(raw.listen(0, '127.0.0.1'), 'listening');
  const base = `HTTP://127.0.0.1:${(raw.address() as AddressInfo).port}`;
  const lax = createDeliver({ allowPrivate: true, timeoutMs: 2_000 });
  assert.equal((await lax(`${base}/upgrade`, {}, '{}')).response_status, 101);
  assert.equal((await lax(`${base}/hello`, {}, '{}')).error, 'connection_failed');
  assert.equal((await lax(`${base.replace('HTTP', 'HTTPS')}/tls`, {}, '{}')).error, 'tls_failed');
});

test('a callback_url with credentials, another scheme or no host is refused', async () => {
  const service = await startService();
  const agent_id = await createAgent(service);
  for (const callback_url of [
    'http://user:secret@example.com/',
    'http://user@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    '//example.com/',
    'example.com',
  ]) {
    const body = { agent_id, phone_number: '+15005550001', callback_url };
    const { status } = await service.request('POST', '/api/calls/outbound', { user: USER, body });
    assert.deepEqual([callback_url, status], [callback_url, 422]);
  }
});

/** Places a call whose callbacks go to an address that was given while private ones were allowed. */
async function placeEarlierCall(service: Service, callback_url: string): Promise<void> {
  const agent_id = await createAgent(service);
  await service.database.db.updateTable('agents').set({ callback_url }).where('id', '=', agent_id).execute();
  await placeCall(service, '+15005550001', { agent_id });
}

test('a refused address is reported without revealing what is behind it; CALLBACK_ALLOW_PRIVATE allows it', async () => {
  const url = `${receiver.url}/private`;
  const service = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'false' } });
  await placeEarlierCall(service, url);
  const { attempts } = await callbackTo(service, url, (found) => found.attempts.length > 0);
  assert.deepEqual([attempts[0].response_status, attempts[0].error], [null, 'no_public_address']);
  assert.deepEqual(receiver.at('/private'), []);
  const development = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'true' } });
  await placeCall(development, '+15005550001', { callback_url: url });
  await callbackTo(development, url, ({ status }) => status === 'delivered');
});

test('a name that resolves to a private address and an unknown name look the same to the user', async () => {
  const service = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'false' } });
  const outcomes = [];
  for (const url of [`http://localhost:${port}/`, `http://nowhere.invalid:${port}/`, `http://127.0.0.1:${port}/`]) {
    await placeEarlierCall(service, url);
    const { attempts, status } = await callbackTo(service, url, (found) => found.attempts.length > 0);
    const { attempted_at: _at, ...attempt } = attempts[0];
    outcomes.push({ ...attempt, status });
  }
  const alike = { response_status: null, error: 'no_public_address', latency_ms: 0, status: 'pending' };
  assert.deepEqual(outcomes, [alike, alike, alike]);
});

after(() => {
  const urls = Object.values(INSIDE).flat().length * SCHEMES.length;
  writeSection(
    15,
    'addresses',
    `## Callbacks to addresses inside

${urls} URLs, ${Object.keys(INSIDE).length} kinds of addresses however they are written, and ${RESOLVED.length} answers of a resolver that lead inside, some of them beside
public addresses (\`packages/server/test/delivery/callbacks.addresses.test.ts\`): nothing was sent to any of them, and DNS rebinding reaches none.`,
    { 'URLs that lead inside': urls, 'DNS answers that lead inside': RESOLVED.length },
  );
});
