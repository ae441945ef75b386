import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { watchLog } from '@switchboard/testkit/watched-log.ts';
import { createLogger } from '../../src/lib/log.ts';

// Every service that a test starts is watched like this, and looked at when it is closed: see testkit/service.ts.

test('the check finds personal data in a log, and ignores masked and short text', () => {
  const find = (line: string, ...seen: unknown[]) => {
    const watched = watchLog({ LIVEKIT_API_SECRET: 'a-secret-of-livekit' });
    for (const one of seen) watched.notice(one);
    watched.noticeToken('Bearer sb_a-token');
    watched.log.info({ line }, 'a line');
    return watched.assertClean;
  };
  assert.throws(find('he said: my card is 4111', { content: 'my card is 4111' }), /were logged/);
  assert.throws(find('number 15005550123', { phone_number: '+15005550123' }), /were logged/);
  assert.throws(find('15005550123 looked up', '/api/telephony/lookup?phone_number=%2B15005550123'), /were logged/);
  assert.throws(find('whsec_abc', { items: [{ secret: 'whsec_abc' }] }), /were logged/);
  assert.throws(find('with sb_a-token'), /were logged/);
  assert.throws(find('with a-secret-of-livekit'), /were logged/);
  assert.doesNotThrow(find('number +15005550123', { phone_number: '+15005550123' }));
  assert.doesNotThrow(find('x marks the spot', { content: 'x' }));
});

test('a service whose every operation fails still logs no personal data', async () => {
  const service = await startService();
  const call = await answeredCall(service, { callback_url: 'http://127.0.0.1:1/%2B15005550123' });
  const content = 'my card number is 4111 1111 1111 1111';
  await service.request('POST', `/api/sessions/by-room/${call.room_name}/transcripts`, { body: { content } });
  const { db } = service.database;
  await db.schema.alterTable('transcripts').renameTo('away').execute();
  const failed = await service.request('POST', `/api/sessions/by-room/${call.room_name}/transcripts`, {
    body: { content },
    headers: { authorization: 'Bearer sb_a-token-for-nothing' },
  });
  assert.equal(failed.status, 500);
  await db.schema.alterTable('away').renameTo('transcripts').execute();
  service.media.dial = () => Promise.reject(new Error('cannot dial +15005550100'));
  await service.request('GET', '/api/telephony/lookup?phone_number=%2B15005550123');
  await service.request('GET', '/nowhere/+15005550123');
  await service.close();
  assert.ok(service.logged().some((line) => line.includes('request failed')));
});

test('an error copied into a plain object is logged with its message, and without the row it is about', () => {
  const destination = new PassThrough();
  const log = createLogger({ level: 'info', pretty: false, destination });
  const error = Object.assign(new Error('the connection was lost'), { code: '08006', detail: 'Key (user_id)=(alice)' });
  const { message, stack } = error;
  log.error({ err: { ...error, message, stack } }, 'job queue');
  log.error({ err: 'text' }, 'job queue');
  const [copied, text] = String(destination.read())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).err);
  assert.deepEqual(copied, { message, stack, code: '08006' });
  assert.equal(text, 'string');
});
