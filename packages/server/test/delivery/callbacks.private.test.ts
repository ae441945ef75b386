import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { problemsOf } from '../support/answers.ts';

test('an address to which nothing would be sent is refused with the reason, unless private ones are allowed', async () => {
  const service = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'false' } });
  const agent_id = await createAgent(service);
  const inside = [
    '127.0.0.1:3000',
    '[::1]',
    'localhost:3000',
    'hooks.localhost',
    '10.0.0.1',
    '169.254.169.254',
    '0x7f.1',
  ];
  for (const url of inside.map((host) => `http://${host}/hooks`)) {
    const call = { agent_id, phone_number: '+15005550001', callback_url: url };
    const answers = [
      await service.request('POST', '/api/calls/outbound', { user: USER, body: call }),
      await service.request('POST', '/api/calls/web', { user: USER, body: { agent_id, callback_url: url } }),
      await service.request('PUT', `/api/agents/${agent_id}/callback-url`, { user: USER, body: { callback_url: url } }),
      await service.request('POST', '/api/webhook-endpoints', { user: USER, body: { url } }),
    ];
    const found = answers.map((answer) => problemsOf(answer)[0]);
    assert.deepEqual(
      [url, ...found],
      [url, ...Array(3).fill('body.callback_url url_not_public'), 'body.url url_not_public'],
    );
  }
  const outside = await service.request('POST', '/api/webhook-endpoints', {
    user: USER,
    body: { url: 'https://example.com/' },
  });
  assert.equal(outside.status, 201);
  const development = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'true' } });
  const body = { url: 'http://127.0.0.1:3000/hooks' };
  assert.equal((await development.request('POST', '/api/webhook-endpoints', { user: USER, body })).status, 201);
});
