import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { Webhook } from 'standardwebhooks';
import { CallbackError, type CallbackProblem, createSwitchboard, verifyCallback } from '../src/index.ts';

const service = await startService();
const receiver = await startReceiver();
const sb = createSwitchboard({ baseUrl: service.url, userId: 'user-1' });

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const secret = newSecret();
const body = JSON.stringify({ type: 'call.answered', timestamp: '2026-01-15T09:30:00.000Z', data: { note: 'Grüße' } });
/** The headers of a callback, signed by another implementation. */
function headersOf(by: string[] = [secret], at = new Date()) {
  const signature = by.map((one) => new Webhook(one).sign('msg_1', at, body)).join(' ');
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}
const refused = (received: Parameters<typeof verifyCallback>[0], code: CallbackProblem) =>
  assert.rejects(verifyCallback(received), (error) => error instanceof CallbackError && error.code === code);

test('callbacks of the service are believed, before and after its secret is rotated', async () => {
  const agent = await sb.agents.create({ name: 'Front desk' });
  const { secret: first } = await sb.callbacks.secret();
  const call = async (path: string) => {
    const callback_url = `${receiver.url}${path}`;
    await sb.calls.start({ agent_id: agent.id, phone_number: '+15005550005', callback_url });
    return eventually(
      async () => receiver.at(path),
      (all) => all.length >= 2,
    );
  };
  for (const one of await call('/before')) {
    const event = await verifyCallback({ ...one, secret: first });
    assert.match(event.type, /^call\.(answered|completed)$/);
    assert.equal(event.id, one.headers['webhook-id']);
    assert.equal(event.data.outbound_phone_number, '+15005550005');
  }
  const { secret: second } = await sb.callbacks.rotateSecret({});
  for (const one of await call('/after')) {
    await verifyCallback({ ...one, secret: first });
    await verifyCallback({ ...one, secret: [newSecret(), second] });
    await refused({ ...one, secret: newSecret() }, 'wrong_signature');
  }
});

test('one of several secrets and one of several signatures are enough; headers may be of any kind', async () => {
  const signed = headersOf([newSecret(), secret]);
  const event = await verifyCallback({ body, headers: signed, secret: [newSecret(), secret] });
  assert.deepEqual([event.id, event.type], ['msg_1', 'call.answered']);
  const shouting = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toUpperCase(), [value]]));
  await verifyCallback({ body: new TextEncoder().encode(body), headers: shouting, secret });
  await verifyCallback({ body, headers: new Headers(signed), secret: secret.replace('whsec_', '') });
});

test('a body, an id or a time that was changed is refused', async () => {
  const headers = headersOf();
  await refused({ body: `${body} `, headers, secret }, 'wrong_signature');
  await refused({ body, headers: { ...headers, 'webhook-id': 'msg_2' }, secret }, 'wrong_signature');
  const later = String(Number(headers['webhook-timestamp']) + 1);
  await refused({ body, headers: { ...headers, 'webhook-timestamp': later }, secret }, 'wrong_signature');
  for (const signature of ['v1,', 'v1,AAAA', 'v2,AAAA', 'x', headers['webhook-signature'].replace('v1,', 'v1a,')])
    await refused({ body, headers: { ...headers, 'webhook-signature': signature }, secret }, 'wrong_signature');
});

test('a callback of another time is refused: otherwise it could be replayed forever', async () => {
  const now = Date.parse('2026-01-15T09:30:00.000Z');
  const headers = headersOf([secret], new Date(now));
  await verifyCallback({ body, headers, secret, now: now + 299_000 });
  await refused({ body, headers, secret, now: now + 301_000 }, 'timestamp_out_of_range');
  await refused({ body, headers, secret, now: now - 301_000 }, 'timestamp_out_of_range');
  await verifyCallback({ body, headers, secret, now: now + 301_000, toleranceS: 302 });
  await refused({ body, headers, secret, now, toleranceS: Number('300 s') }, 'timestamp_out_of_range');
});

test('missing and malformed parts are named', async () => {
  const headers = headersOf();
  for (const name of Object.keys(headers))
    await refused({ body, headers: { ...headers, [name]: undefined }, secret }, 'missing_header');
  for (const at of ['soon', '1e9', '-1', 'Infinity'])
    await refused({ body, headers: { ...headers, 'webhook-timestamp': at }, secret }, 'invalid_timestamp');
  for (const bad of ['', 'whsec_', 'whsec_***', undefined as unknown as string])
    await refused({ body, headers, secret: bad }, 'invalid_secret');
  const at = new Date();
  const signature = new Webhook(secret).sign('msg_1', at, 'no json');
  await refused(
    { body: 'no json', headers: { ...headersOf([secret], at), 'webhook-signature': signature }, secret },
    'invalid_body',
  );
});
