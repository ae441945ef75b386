import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reaches } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createSeal } from '../../src/lib/seal.ts';
import { assertRefused } from '../support/answers.ts';
import { CONFIG, claim, served, variables } from '../support/chats.ts';
import { logUsage } from '../support/usage.ts';

const ON = { SECRETS_KEY, ENCRYPT_CONTENT: 'true', CALL_REPORT_DELAY_S: '1' };
const [UNLUCKY, OTHER] = ['an-unlucky-user', 'user-other'];
const STRANGER = createSeal([Buffer.alloc(32, 8).toString('base64')]);
const receiver = await startReceiver();
const database = await openTestDatabase();
after(() => database.close());
const { db } = database;

async function as<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({ database, env: ON });
  return work(service).finally(() => service.close());
}

const say = (service: Service, room_name: string, content: string) =>
  service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content } });

/** An answered call of a user, who says something. */
async function talk(service: Service, user_id: string) {
  const send = async (path: string, body: object) => {
    const answer = await service.request('POST', path, { user: user_id, body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const agent_id = (await send('/api/agents/', { name: 'A', user_id })).id;
  const callback_url = `${receiver.url}/${user_id}`;
  const metadata = { one: 'a-metadatum' };
  const call = { agent_id, phone_number: '+15005550100', callback_url, metadata };
  const { call_id, room_name } = await send('/api/calls/outbound', call);
  await reaches(service, call_id, 'ANSWERED');
  assert.equal((await say(service, room_name, 'about zebulon')).status, 201);
  return { call_id, room_name };
}

/** Ends a call, and waits until its report is delivered. */
async function report(service: Service, user: string, call_id: string): Promise<void> {
  await service.request('POST', `/api/calls/${call_id}/end`, { user });
  await eventually(
    async () => {
      await service.app.reconcile();
      return receiver.at(`/${user}`).filter(({ body }) => body.includes('"call.report"')).length;
    },
    (count) => count > 0,
  );
}

const callbacksOf = async (service: Service, call_id: string) =>
  (await service.request('GET', `/api/callbacks?call_id=${call_id}`)).body.items as {
    type: string;
    status: string;
    attempts: { error: string | null }[];
  }[];

async function found(service: Service, user?: string): Promise<string[]> {
  const { status, body } = await service.request('GET', '/api/calls?q=zebulon', user ? { user } : {});
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map((call: { call_id?: string; id: string }) => call.call_id ?? call.id);
}

const WAYS = {
  'is damaged': async () => 'damaged',
  'is of another SECRETS_KEY': () => STRANGER.close(`data_${Buffer.alloc(32, 1).toString('base64')}`, UNLUCKY),
};
for (const [way, secret] of Object.entries(WAYS))
  test(`a user whose key ${way} is told so, and the others notice nothing`, async () => {
    receiver.received.length = 0;
    // Reports that are encrypted and will be sent again, and calls that the index does not have yet.
    const [unlucky, other, told, toldOther] = await as(async (service) => {
      const ended = [await talk(service, UNLUCKY), await talk(service, OTHER)] as const;
      await report(service, UNLUCKY, ended[0].call_id);
      await report(service, OTHER, ended[1].call_id);
      return [await talk(service, UNLUCKY), await talk(service, OTHER), ...ended] as const;
    });
    const broken = await secret();
    await db.updateTable('data_keys').set({ secret: broken }).where('user_id', '=', UNLUCKY).execute();
    await sql`delete from call_words`.execute(db);
    await as(async (service) => {
      const { request } = service;
      assert.deepEqual(await found(service), [other.call_id], 'newer than the index');
      await service.app.reconcile();
      assert.deepEqual(await found(service), [other.call_id], 'in the index');
      assert.deepEqual(await found(service, OTHER), [other.call_id]);
      assert.deepEqual(await found(service, UNLUCKY), []);

      for (const path of [`/api/sessions/${unlucky.call_id}/transcripts`, `/api/calls/${unlucky.call_id}`]) {
        const response = await fetch(service.url + path);
        assert.equal(response.status, 409);
        assert.equal(((await response.json()) as { code: string }).code, 'secret_unreadable');
      }
      const words = await request('GET', `/api/sessions/${other.call_id}/transcripts`);
      assert.equal(words.body.items[0].content, 'about zebulon');
      const { items } = (await request('GET', '/api/calls?include=last_transcript')).body;
      const last = new Map(
        items.map((one: { call_id: string; last_transcript: unknown }) => [one.call_id, one.last_transcript]),
      );
      assert.equal(last.get(unlucky.call_id), null);
      assert.notEqual(last.get(other.call_id), null);
      // One that a worker repeats, until the key is back.
      assertRefused(await say(service, unlucky.room_name, 'more'), 503, 'provider_unavailable');
      assert.equal((await say(service, other.room_name, 'more')).status, 201);

      receiver.received.length = 0;
      await sql`update callbacks set status = 'pending', attempts = 0, send_at = now(), next_attempt_at = now()
        where type = 'call.report'`.execute(db);
      const of = async (call_id: string) =>
        (await callbacksOf(service, call_id)).find((one) => one.type === 'call.report');
      const sent = await eventually(
        () => of(told.call_id),
        (one) => one?.attempts.at(-1)?.error === 'not_signed',
      );
      assert.equal(sent?.status, 'pending', 'to be tried again');
      await eventually(
        () => of(toldOther.call_id),
        (one) => one?.status === 'delivered',
      );
      assert.deepEqual(receiver.at(`/${UNLUCKY}`), []);

      const lines = service.logged().map((line) => JSON.parse(line));
      const said = lines.filter(({ msg }) => msg.startsWith('the key of a user cannot be decrypted'));
      assert.deepEqual(
        said.map(({ user_id }) => user_id),
        [UNLUCKY],
        'once a minute',
      );
      assert.equal((await request('DELETE', `/api/users/${UNLUCKY}`)).status, 200, 'an erasure needs no key');
    });
  });

test('workers get the tasks of others, whose budgets end their calls', async () => {
  const { db } = database;
  const chats: Record<string, string> = {};
  const first = await served(ON, database);
  for (const user of [UNLUCKY, OTHER]) {
    const ok = async (method: string, path: string, body: object) => {
      const answer = await first.request(method, path, { user, body });
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body;
    };
    const { id: agent_id } = await ok('POST', '/api/agents/', { name: 'A', user_id: user, config: CONFIG });
    const { chat_id } = await ok('POST', '/api/chats', { agent_id, variables });
    chats[user] = chat_id;
    first.request('POST', `/api/chats/${chat_id}/messages`, { user, body: { content: 'Hello?' } }).catch(() => {});
    await ok('POST', '/api/webhook-endpoints', { url: `${receiver.url}/${user}`, events: ['budget.threshold'] });
    await ok('PUT', `/api/budgets/${user}`, { monthly_limit: '1', thresholds: [100] });
    assert.equal((await logUsage(first, { user_id: user, total_cost: '"2"' })).status, 201);
  }
  const queued = db.selectFrom('work').select('key').where('kind', '=', 'chat_turn');
  await eventually(
    () => queued.execute(),
    ({ length }) => length === 2,
  );
  await db.updateTable('data_keys').set({ secret: 'damaged' }).where('user_id', '=', UNLUCKY).execute();
  // The other process still knows the key.
  const service = await served(ON, database);
  const tasks = await claim(service, { capacity: 5 });
  assert.deepEqual(
    tasks.map(({ payload }) => payload.chat_id),
    [chats[OTHER]],
  );
  const waiting = await db
    .selectFrom('work')
    .select(['attempts', 'leased_until', 'last_error'])
    .where('kind', '=', 'chat_turn')
    .where('key', '=', chats[UNLUCKY] ?? '')
    .executeTakeFirstOrThrow();
  assert.deepEqual([waiting.attempts, waiting.leased_until], [0, null], 'as if it had not been tried');
  assert.ok(waiting.last_error);
  await eventually(
    async () => {
      await service.app.reconcile();
      return (await service.request('GET', `/api/budgets/${OTHER}`)).body.reached;
    },
    (reached) => reached.length === 1,
  );
  assert.deepEqual((await service.request('GET', `/api/budgets/${UNLUCKY}`)).body.reached, []);
  await service.close();
  for (const user of [UNLUCKY, OTHER]) await first.request('POST', `/api/chats/${chats[user]}/end`, { user });
  await first.close();
});
