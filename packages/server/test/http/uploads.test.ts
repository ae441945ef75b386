import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { MAX_UPLOADS_OF_OWNER } from '../../src/http/uploads.ts';
import { holdTable } from '../support/hold-table.ts';

const service = await startService();
const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'me' } });
const { body: campaign } = await service.request('POST', '/api/campaigns', {
  user: 'me',
  body: { name: 'Renewals', agent_id: agent.id },
});
const path = `/api/campaigns/${campaign.id}/recipients`;

/** The head of a request that sends a file. */
function announce(user: string, { url } = service, more: Record<string, string> = {}): http.ClientRequest {
  const headers = { 'content-type': 'text/csv', 'x-user-id': user, ...more };
  const request = http.request(`${url}${path}`, { method: 'POST', headers });
  request.on('error', () => {});
  request.flushHeaders();
  return request;
}

/** A file that has begun to arrive. */
function begin(user: string, number: number): http.ClientRequest {
  const request = announce(user);
  request.write(`phone_number\n+1500556${number}\n`);
  return request;
}

async function answerOf(request: http.ClientRequest): Promise<{ status: number; text: string }> {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, text };
}

const add = (user: string, number: number) => {
  const request = begin(user, number);
  request.end();
  return answerOf(request);
};

test('a file that is not read to its end is answered while the rest of it still arrives', async () => {
  for (const [user, header, expected] of [
    ['me', 'name', 200],
    ['somebody-else', 'phone_number', 404],
  ] as const) {
    const request = announce(user);
    const answered = answerOf(request);
    request.write(`${header}\n`);
    const rest = setInterval(() => request.write('+15005561234\n'.repeat(5_000)), 10);
    const { status, text } = await answered.finally(() => clearInterval(rest));
    request.destroy();
    assert.equal(status, expected, text);
    if (expected === 200) assert.equal(JSON.parse(text).stopped_at_line, 1);
  }
});

test('a user has at most four files arriving, and others are not kept waiting by them', async () => {
  const arriving = Array.from({ length: MAX_UPLOADS_OF_OWNER }, (_, index) => begin('me', 1000 + index));
  // Each has begun to be read once the service refuses one more.
  const refused = await eventually(
    () => add('me', 2000),
    ({ status }) => status === 429,
  );
  assert.equal(JSON.parse(refused.text).code, 'too_many_uploads');
  assert.equal((await add('somebody-else', 3000)).status, 404, 'the campaign is not theirs, and the file was read');
  // One that breaks off, and three that end.
  arriving.pop()?.destroy();
  for (const request of arriving) {
    request.end();
    assert.equal((await answerOf(request)).status, 200);
  }
  for (let times = 0; times <= MAX_UPLOADS_OF_OWNER; times++)
    await eventually(
      () => add('me', 4000 + times),
      ({ status }) => status === 200,
    );
});

test('files whose clients left before their key was looked up do not count any more', async () => {
  const { database } = service;
  const guarded = await startService({ database, env: { AUTH_MODE: 'required' } });
  const { key } = await keysOf(database).create({ name: 'me', role: 'user', user_id: 'me' });
  const authorization = `Bearer ${key}`;
  const release = await holdTable(service.database.db, 'api_keys');
  for (let times = 0; times < MAX_UPLOADS_OF_OWNER; times++) {
    const arrived = once(guarded.app.server.server, 'request') as Promise<[http.IncomingMessage]>;
    const leaving = announce('me', guarded, { authorization });
    const [incoming] = await arrived;
    leaving.destroy();
    // Waits without `once` of the events, which would reject: this request fails.
    await new Promise((resolve) => incoming.once('close', resolve));
  }
  await release();
  const next = announce('me', guarded, { authorization });
  next.end('phone_number\n+15005565000\n');
  assert.equal((await answerOf(next)).status, 200);
});
