import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';

const QUOTA = 2_000_000;
/** Bytes on disk for one that is counted: rows, indexes, and the words that are searched for; docs/limits.md. */
const MOST_ON_DISK = 4;
/** Words of a line, and lines of a call: the search indexes no more of either. */
const [WORDS, LINES] = [1_200, 40];

const env = { AUTH_MODE: 'required', RATE_LIMIT_USER: '1000000', STORED_BYTES_PER_USER: String(QUOTA) };

async function sizeOf({ database: { db } }: Service): Promise<number> {
  const { rows } = await sql<{ size: string }>`select pg_database_size(current_database())::text as size`.execute(db);
  return Number(rows[0]?.size);
}

test('on disk a quota that is full takes a few times its bytes, although no word in it comes twice', async (t) => {
  const service = await startService({ env });
  const { key } = await keysOf(service.database).create({ name: 'Ada', role: 'user', user_id: USER });
  const headers = { authorization: `Bearer ${key}` };
  const send = (path: string, body: object) => service.request('POST', path, { headers, body });
  let count = 0;
  const words = () => Array.from({ length: WORDS }, () => ((1e6 + count++) * 7919).toString(36)).join(' ');
  const before = await sizeOf(service);
  const { body: agent } = await send('/api/agents/', { name: 'Desk', user_id: USER });
  const call = () => send('/api/calls/outbound', { agent_id: agent.id, phone_number: '+15005550100' });
  let answer = await call();
  while (answer.status === 201) {
    const path = `/api/sessions/by-room/${answer.body.room_name}/transcripts`;
    for (let line = 0; line < LINES && answer.status === 201; line++) answer = await send(path, { content: words() });
    await service.app.reconcile();
    if (answer.status === 201) answer = await call();
  }
  assertRefused(answer, 403, 'quota_exceeded');
  const { db } = service.database;
  const spoken = await db.selectFrom('transcripts').select('session_id').distinct().execute();
  const indexed = await db.selectFrom('call_words').select('session_id').execute();
  assert.ok(spoken.length >= 4, 'several calls fill the quota');
  assert.equal(indexed.length, spoken.length, 'the words of every call are on disk too');
  const times = ((await sizeOf(service)) - before) / QUOTA;
  t.diagnostic(`${times.toFixed(1)} times the quota`);
  assert.ok(times > 1 && times <= MOST_ON_DISK, `${times.toFixed(1)} times the quota`);
});
