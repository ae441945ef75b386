// Attended transfers while something fails, is slow or gets lost in the middle.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { systemClock } from '../../src/lib/clock.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia, type SandboxMedia } from '../../src/providers/sandbox/media.ts';
import { attendedTransfers, TARGET } from '../support/attended.ts';

type Media = Pick<SandboxMedia, 'setHearing' | 'removeParticipant' | 'listParticipants'>;
type Wrap = (media: SandboxMedia) => Partial<Media>;

/** A service whose media server is told to fail by `wrap`. */
async function lab(wrap: Wrap = () => ({}), ringMs = 20) {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs });
  const service = await startService({ media: { ...sandbox, ...wrap(sandbox) } });
  const joined = (room_name: string) =>
    eventually(
      async () => (await sandbox.listParticipants(room_name)).find(({ identity }) => identity.startsWith('transfer-')),
      (one) => one !== undefined,
    );
  return { sandbox, service, joined, ...attendedTransfers(service, sandbox) };
}

const joins = (hearing: Record<string, string>) => Object.values(hearing).includes('everybody');
const unavailable = () =>
  new ProviderError('provider_unavailable', { provider: 'sandbox', operation: 'removeParticipant', retryable: true });

test('a target hangs up, and the media server is slow: the caller does not stay on music', async () => {
  const { sandbox, consulting, becomes } = await lab(({ setHearing }) => ({
    setHearing: async (room, hearing) => {
      await setHearing(room, hearing);
      if (joins(hearing)) await sleep(1_500);
    },
  }));
  const { call_id, room_name, target } = await consulting();
  sandbox.hangUp(room_name, target);
  assert.equal((await becomes(call_id, 'failed')).reason, 'hangup');
  // Longer than it takes to separate them once more.
  await sleep(2_500);
  assert.deepEqual(sandbox.heardBy(room_name, 'phone'), ['agent']);
});

test('a completion finds the target gone whose event was lost: the caller does not stay on music', async () => {
  let isLost = false;
  const { sandbox, consulting, complete, attempt } = await lab(({ listParticipants }) => ({
    listParticipants: async (room) =>
      (await listParticipants(room)).filter(({ identity }) => !isLost || !identity.startsWith('transfer-')),
  }));
  const { call_id, room_name } = await consulting();
  isLost = true;
  assert.equal((await complete(call_id)).status, 409);
  const { status, reason } = await attempt(call_id);
  assert.deepEqual([status, reason], ['failed', 'hangup']);
  assert.deepEqual(sandbox.heardBy(room_name, 'phone'), ['agent']);
});

test('a target hangs up while it is being connected: the caller keeps the agent', async () => {
  let hangsUp = (): void => {};
  const { sandbox, service, consulting, complete, attempt } = await lab(({ setHearing }) => ({
    setHearing: async (room, hearing) => {
      if (joins(hearing)) hangsUp();
      return setHearing(room, hearing);
    },
  }));
  const { call_id, room_name, target } = await consulting();
  hangsUp = () => sandbox.hangUp(room_name, target);
  assert.equal((await complete(call_id)).body.code, 'no_transfer_in_progress');
  const { status, reason } = await attempt(call_id);
  assert.deepEqual([status, reason], ['failed', 'hangup']);
  await reaches(service, call_id, 'ANSWERED');
  assert.deepEqual((await sandbox.listParticipants(room_name)).map(({ kind }) => kind).sort(), ['AGENT', 'SIP']);
});

test('a decided return stands, although the target cannot be removed and the agent is lost', async () => {
  let fails = false;
  const { sandbox, service, consulting, complete, attempt, becomes } = await lab(({ removeParticipant }) => ({
    removeParticipant: async (room, identity, sid) => {
      if (fails && identity.startsWith('transfer-')) throw unavailable();
      return removeParticipant(room, identity, sid);
    },
  }));
  const { call_id, room_name } = await consulting();
  fails = true;
  assert.equal((await complete(call_id, '?outcome=return&reason=voicemail')).status, 503);
  assert.deepEqual(sandbox.heardBy(room_name, 'phone'), ['agent'], 'the caller has the agent, and hears no voicemail');
  assert.equal((await complete(call_id)).status, 503, 'nobody can complete it any more');
  sandbox.hangUp(room_name, 'agent');
  await service.app.reconcile();
  assert.equal((await attempt(call_id)).status, 'connected');
  fails = false;
  assert.equal((await becomes(call_id, 'failed')).reason, 'voicemail');
  await reaches(service, call_id, 'COMPLETED');
});

test('a caller who hangs up after the agent has agreed to connect was transferred', async () => {
  const gate = Promise.withResolvers<void>();
  const { sandbox, service, consulting, complete, attempt } = await lab(({ removeParticipant }) => ({
    removeParticipant: async (room, identity, sid) => {
      if (identity === 'agent') await gate.promise;
      return removeParticipant(room, identity, sid);
    },
  }));
  const { call_id, room_name } = await consulting();
  const completing = complete(call_id);
  await eventually(
    async () => sandbox.heardBy(room_name, 'phone'),
    (all) => all.length === 2,
  );
  sandbox.hangUp(room_name, 'phone');
  await reaches(service, call_id, 'COMPLETED');
  gate.resolve();
  assert.equal((await completing).status, 200);
  const { status, reason } = await attempt(call_id);
  assert.deepEqual([status, reason], ['completed', null]);
  assert.equal((await service.request('GET', `/api/sessions/${call_id}`)).body.transferred_to, TARGET);
  const sent = await service.database.db.selectFrom('callbacks').select('payload').execute();
  assert.ok(sent.every(({ payload }) => JSON.parse(payload).type !== 'call.transfer_failed'));
});

test('of two ends the first one stands, with its reason and its row in the audit log', async () => {
  const gate = Promise.withResolvers<void>();
  const removals: string[] = [];
  const { service, consulting, complete, attempt } = await lab(({ removeParticipant }) => ({
    removeParticipant: async (room, identity, sid) => {
      if (identity.startsWith('transfer-') && removals.push(identity)) await gate.promise;
      return removeParticipant(room, identity, sid);
    },
  }));
  const { call_id } = await consulting();
  const first = complete(call_id, '?outcome=return&reason=declined');
  const { db } = service.database;
  const decided = () => db.selectFrom('transfers').select('verdict').executeTakeFirst();
  await eventually(decided, (row) => row?.verdict === 'return');
  const second = complete(call_id, '?outcome=return&reason=canceled');
  // One of the first, one of the service's own loop, and one of the second.
  for (let ms = 0; ms < 60_000 && removals.length < 3; ms += 10) await sleep(10);
  gate.resolve();
  assert.deepEqual([(await first).status, (await second).status], [200, 200]);
  assert.equal((await attempt(call_id)).reason, 'declined');
  const noted = await db.selectFrom('audit_log').select('detail').where('action', '=', 'transfer.returned').execute();
  assert.deepEqual(noted, [{ detail: 'declined' }]);
});

test('an answer that cannot be recorded yet: the target does not hear the caller', async () => {
  const { sandbox, service, transfer, joined, heard } = await lab(() => ({}), 500);
  const { call_id, room_name } = await answeredCall(service);
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin if new.status = 'connected' then raise exception 'away'; end if; return new; end $$`.execute(
    service.database.db,
  );
  await sql`create trigger refuse before update on transfers for each row execute function refuse()`.execute(
    service.database.db,
  );
  await transfer(call_id);
  const { identity } = (await joined(room_name)) ?? assert.fail();
  await eventually(
    async () => heard(room_name, identity),
    (all) => JSON.stringify(all) === JSON.stringify([['hold-music'], ['agent']]),
  );
  assert.equal((await sandbox.listParticipants(room_name)).length, 3);
});

test('an answer comes after the transfer was given up: the caller does not stay on music', async () => {
  const heard: unknown[] = [];
  const { sandbox, service, transfer, joined } = await lab(
    ({ setHearing }) => ({
      setHearing: (room, hearing) => {
        heard.push(hearing.phone);
        return setHearing(room, hearing);
      },
    }),
    1_000,
  );
  const { call_id, room_name } = await answeredCall(service);
  await transfer(call_id);
  await joined(room_name);
  // By the round of another process, for which it has rung too long.
  await service.database.db.updateTable('transfers').set({ status: 'failed', reason: 'interrupted' }).execute();
  await eventually(
    async () => heard.at(-1),
    (last) => last === 'everybody' && heard.includes('music'),
  );
  assert.deepEqual(sandbox.heardBy(room_name, 'phone'), ['agent']);
});

test('a target is not heard while it rings, over whichever trunk', async () => {
  const rang = new Set<string>();
  const muffled = new Set<string>();
  const { sandbox, service, transfer, becomes } = await lab(
    ({ setHearing, listParticipants }) => ({
      setHearing: async (room, hearing) => {
        if (hearing.phone === 'ours')
          for (const { identity, sid } of await listParticipants(room))
            if (identity.startsWith('transfer-')) muffled.add(String(sid));
        return setHearing(room, hearing);
      },
    }),
    1_000,
  );
  const { call_id, room_name } = await answeredCall(service);
  // The first trunk refuses this number.
  await transfer(call_id, { phone_number: '+15005550006' });
  const connected = becomes(call_id, 'connected');
  let isConnected = false;
  connected.finally(() => {
    isConnected = true;
  });
  while (!isConnected) {
    for (const { identity, sid } of await sandbox.listParticipants(room_name))
      if (identity.startsWith('transfer-')) rang.add(String(sid));
    await sleep(20);
  }
  await connected;
  assert.equal(rang.size, 2);
  assert.deepEqual([...muffled].sort(), [...rang].sort());
});

test('an agent that is lost while the target rings leaves caller and target to each other', async () => {
  const { sandbox, service, transfer, becomes, joined } = await lab(() => ({}), 1_000);
  const { call_id, room_name } = await answeredCall(service);
  await transfer(call_id);
  const { identity } = (await joined(room_name)) ?? assert.fail();
  sandbox.hangUp(room_name, 'agent');
  await becomes(call_id, 'completed');
  assert.deepEqual(sandbox.heardBy(room_name, 'phone'), [identity]);
});

test('after an attended target that was busy, the caller hears the target of a warm transfer', async () => {
  const { sandbox, service, transfer, becomes, joined } = await lab();
  const { call_id, room_name } = await answeredCall(service);
  await transfer(call_id, { phone_number: '+15005550001' });
  await becomes(call_id, 'failed');
  await transfer(call_id, { attended: false, type: 'WARM' });
  const { identity } = (await joined(room_name)) ?? assert.fail();
  for (let ms = 0; ms < 60_000 && sandbox.heardBy(room_name, 'phone').length < 2; ms += 10) await sleep(10);
  await sleep(1_000);
  assert.deepEqual(sandbox.heardBy(room_name, 'phone'), ['agent', identity]);
});

test('a destination that is asked first and cold is refused, in a configuration and in an agent', async () => {
  const { service } = await lab();
  const destinations = [{ name: 'sales', phone_number: TARGET, attended: true }];
  const configOf = (type: object) => ({
    tools: { transfer: { destinations: destinations.map((one) => ({ ...one, ...type })) } },
  });
  const problems = async (type: object) => {
    const config = configOf(type);
    const { body } = await service.request('POST', '/api/schemas/agent-config/validate', { body: { config } });
    return body.problems.map(({ loc }: { loc: string[] }) => loc.join('.'));
  };
  assert.deepEqual(await problems({ type: 'COLD' }), ['config.tools.transfer.destinations.0.attended']);
  assert.deepEqual(await problems({ type: 'WARM' }), []);
  assert.deepEqual(await problems({}), []);
  const loc = ['body', 'config', 'tools', 'transfer', 'destinations', 0, 'attended'];
  const id = await createAgent(service, { config: configOf({ type: 'WARM' }) });
  const config = configOf({ type: 'COLD' });
  for (const [method, path] of [
    ['POST', '/api/agents/'],
    ['PATCH', `/api/agents/${id}`],
  ] as const) {
    const body = { ...(method === 'POST' && { name: 'Desk', user_id: USER }), config };
    const { status, body: refusal } = await service.request(method, path, { body });
    assert.deepEqual([status, refusal.detail[0].loc], [422, loc], method);
  }
});

test('secrets in a briefing are replaced before they are written', async () => {
  const { sandbox, service, transfer, attempt } = await lab(() => ({}), 300);
  const agent_id = await createAgent(service, { config: { privacy: { redact: ['card'] } } });
  const { call_id } = await placeCall(service, '+15005550100', { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  assert.equal((await transfer(call_id, { briefing: 'The card is 4111 1111 1111 1111.' })).status, 200);
  assert.doesNotMatch((await attempt(call_id)).briefing, /4111/);
  await sandbox.close();
});

test('a service that stops ends its consultations first, and does not spin', async () => {
  let asked = 0;
  const { service, transfer, joined } = await lab(
    ({ listParticipants }) => ({
      listParticipants: async (room) => {
        asked++;
        await sleep(1);
        return listParticipants(room);
      },
    }),
    1_500,
  );
  const { call_id, room_name } = await answeredCall(service);
  await transfer(call_id);
  await joined(room_name);
  const before = asked;
  await service.app.stop();
  assert.ok(asked - before < 50, String(asked - before));
});
