// Disclosures, and people on the phone who do not want to be called any more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import type { AgentCommand } from '../../src/providers/workers.ts';
import { watchStatements } from '../support/statements.ts';
import { tidy } from '../support/tidy.ts';

const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 5, conversations: 5, pauseMs: 5 });
let answer: 'absent' | 'unsupported' | 'fails' | null = null;
const commands: AgentCommand[] = [];
const media: typeof sandbox = {
  ...sandbox,
  command: async (room_name, command) => {
    commands.push(command);
    if (answer === 'fails') throw new Error('the media server is down');
    return answer ?? sandbox.command(room_name, command);
  },
};
const service = await startService({ media, env: { CALLS_PER_SECOND: '100', CALLS_BURST: '1000' } });
const { db } = service.database;

const OPT_OUT = { enabled: true, confirm: 'Understood, {{name}}. Goodbye.' };
let next = 200;
/** A number that nobody has called yet. */
const somebody = () => `+15005550${next++}`;

async function call(compliance: object, phone_number = somebody(), purpose?: string) {
  const agent_id = await createAgent(service, { config: { compliance } });
  const fields = { agent_id, variables: { name: 'Ada' }, ...(purpose && { purpose }) };
  const { call_id, room_name } = await placeCall(service, phone_number, fields);
  await reaches(service, call_id, 'ANSWERED');
  const say = (content: string, speaker = 'USER', headers = {}) =>
    service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content, speaker }, headers });
  const again = (fields: object = {}) =>
    service.request('POST', '/api/calls/outbound', { user: USER, body: { agent_id, phone_number, ...fields } });
  const outcome = (body: object) => service.request('POST', `/api/calls/${call_id}/outcome`, { user: USER, body });
  return { agent_id, call_id, phone_number, say, again, outcome };
}

const suppressed = async (phone_number: string) =>
  (await service.request('GET', `/api/suppressions?phone_number=${encodeURIComponent(phone_number)}`, { user: USER }))
    .body.items;
const ended = async (call_id: string) => {
  await reaches(service, call_id, 'COMPLETED');
  return (await service.request('GET', `/api/calls/${call_id}`)).body;
};
const lines = async (call_id: string): Promise<string[]> => {
  const { body } = await service.request('GET', `/api/sessions/${call_id}/transcripts`, { user: USER });
  return body.items.map(({ speaker, content }: { speaker: string; content: string }) => `${speaker} ${content}`);
};

test('somebody who asks not to be called any more is suppressed with the line, told so and hung up on, and never dialled again', async () => {
  const { call_id, phone_number, say, again } = await call({ opt_out: OPT_OUT });
  assert.equal((await say('Stop calling me.', 'AGENT')).status, 201);
  assert.equal((await say('Who is this?')).status, 201);
  assert.deepEqual(await suppressed(phone_number), []);
  commands.length = 0;
  const said = await say('Oh no. Please take me off your list!');
  assert.equal(said.status, 201);
  const [found, ...others] = await suppressed(phone_number);
  assert.deepEqual(others, []);
  const { id: _id, created_at: _at, ...suppression } = found;
  assert.deepEqual(suppression, {
    phone_number,
    scope: 'user',
    scope_id: '',
    reason: 'asked',
    expires_at: null,
    call_id,
    transcript_id: said.body.id,
  });
  assert.equal((await ended(call_id)).end_reason, 'ended_by_agent');
  assert.deepEqual(commands, [{ type: 'finish', text: 'Understood, Ada. Goodbye.' }]);
  assert.equal((await lines(call_id)).at(-1), 'AGENT Understood, Ada. Goodbye.');
  const refused = await again();
  assert.deepEqual([refused.status, refused.body.code], [409, 'dial_denied']);
  const { body } = await service.request('GET', '/api/audit?action=suppressions.added&limit=1');
  assert.equal(body.items[0].actor, 'opt_out');
});

test('without opt-out nothing is read, and a line takes the same statements', async () => {
  const off = await call({ opt_out: { ...OPT_OUT, enabled: false } });
  assert.equal((await off.say('Never call me again.')).status, 201);
  const sent = watchStatements(service.database);
  assert.equal((await off.say('Never call me again.')).status, 201);
  assert.deepEqual(
    sent.filter(({ sql }) => /agent_versions|opt_outs|suppressions|transfers/.test(sql)),
    [],
  );
  assert.deepEqual(await suppressed(off.phone_number), []);
  assert.equal((await off.again()).status, 201);
});

test('a repeated report and a second refusal change nothing', async () => {
  const { call_id, phone_number, say } = await call({ opt_out: OPT_OUT });
  answer = 'fails';
  const key = { 'idempotency-key': 'stop-1' };
  const first = await say('Never call me again!', 'USER', key);
  assert.deepEqual((await say('Never call me again!', 'USER', key)).body, first.body);
  assert.equal((await say('I said: stop calling me.')).status, 201);
  const [found] = await suppressed(phone_number);
  assert.equal(found.transcript_id, first.body.id);
  assert.equal((await lines(call_id)).length, 2);
  // A command that the media server has not taken is tried again.
  const tries = commands.length;
  await eventually(
    async () => commands.length,
    (count) => count > tries - 1,
  );
  answer = null;
  await db
    .updateTable('work')
    .set({ due_at: new Date(0) })
    .where('kind', '=', 'opt_out')
    .execute();
  await service.app.reconcile();
  await ended(call_id);
});

test('a call whose agent is gone, or of an earlier release, ends at once', async () => {
  for (const without of ['absent', 'unsupported'] as const) {
    answer = without;
    const { call_id, phone_number, say } = await call({ opt_out: OPT_OUT });
    await say('Stop calling me.');
    assert.equal((await ended(call_id)).end_reason, 'ended_by_agent');
    assert.equal((await suppressed(phone_number)).length, 1);
  }
  answer = null;
});

test('without a record of the purpose, a refusal of the purpose is one of all calls', async () => {
  const { phone_number, say, again } = await call({ opt_out: { ...OPT_OUT, scope: 'purpose' } }, somebody(), 'service');
  await say('Stop calling me.');
  const [found] = await suppressed(phone_number);
  assert.deepEqual([found.scope, found.scope_id], ['user', '']);
  for (const purpose of ['service', 'marketing']) assert.equal((await again({ purpose })).status, 409, purpose);
});

test('the scope is that of the configuration: of the agent, or of the purpose of the call', async () => {
  const ofAgent = await call({ opt_out: { ...OPT_OUT, scope: 'agent' } });
  await ofAgent.say('Stop calling me.');
  const other = await createAgent(service);
  assert.equal((await suppressed(ofAgent.phone_number))[0].scope_id, ofAgent.agent_id);
  assert.equal((await ofAgent.again()).status, 409);
  assert.equal((await ofAgent.again({ agent_id: other })).status, 201);
  const put = await service.request('PUT', '/api/dial-policies/open', { user: USER, body: { is_default: true } });
  assert.equal(put.status, 200, JSON.stringify(put.body));
  const ofPurpose = await call({ opt_out: { ...OPT_OUT, scope: 'purpose' } }, somebody(), 'service');
  await ofPurpose.say('Stop calling me.');
  const [found] = await suppressed(ofPurpose.phone_number);
  assert.deepEqual([found.scope, found.scope_id], ['purpose', 'service']);
  assert.equal((await ofPurpose.again({ purpose: 'service' })).status, 409);
  assert.equal((await ofPurpose.again({ purpose: 'marketing' })).status, 201);
});

test('an agent that notices it reports it, and only calls on phones have somebody to suppress', async () => {
  const { call_id, phone_number, say, outcome } = await call({ opt_out: OPT_OUT });
  const said = await say('I would rather you did not ring ever after.');
  assert.deepEqual(await suppressed(phone_number), []);
  commands.length = 0;
  assert.equal((await outcome({ opted_out: true })).status, 200);
  assert.equal((await outcome({ opted_out: true })).status, 200);
  const [found] = await suppressed(phone_number);
  assert.deepEqual([found.call_id, found.transcript_id], [call_id, said.body.id]);
  assert.deepEqual(commands, [], 'it ends the call itself');
  const web = await service.request('POST', '/api/calls/web', {
    user: USER,
    body: { agent_id: await createAgent(service, { config: { compliance: { opt_out: OPT_OUT } } }) },
  });
  const browser = await service.request('POST', `/api/calls/${web.body.call_id}/outcome`, {
    user: USER,
    body: { opted_out: true },
  });
  assert.equal(browser.status, 422);
  assert.match(JSON.stringify(browser.body), /opted_out.*A call in a browser has no number to suppress/);
  const heard = await service.request('POST', `/api/sessions/by-room/${web.body.room_name}/transcripts`, {
    body: { content: 'Stop calling me.', speaker: 'USER' },
  });
  assert.equal(heard.status, 201);
});

test('while the target of a transfer talks too, nobody is suppressed by what is heard', async () => {
  const { call_id, phone_number, say } = await call({ opt_out: OPT_OUT });
  const begun = await service.request('POST', `/api/sessions/${call_id}/transfer`, {
    user: USER,
    body: { phone_number: '+15005550101', type: 'WARM' },
  });
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    ({ body }) => body.transfers[0]?.status === 'connected',
  );
  assert.equal((await say('Stop calling me.')).status, 201);
  assert.deepEqual(await suppressed(phone_number), []);
  // The target has left, as it is billed.
  await db.updateTable('transfers').set({ line_ended_at: new Date() }).where('session_id', '=', call_id).execute();
  assert.equal((await say('Stop calling me.')).status, 201);
  assert.equal((await suppressed(phone_number)).length, 1);
});

test('the disclosure is the first thing that an agent says on an outbound call, and its words and time are kept', async () => {
  const config = {
    greeting: 'Hello.',
    compliance: { disclosure: { text: 'This is an AI, {{name}}.' } },
  };
  const agent_id = await createAgent(service, { config });
  const { call_id } = await placeCall(service, somebody(), { agent_id, variables: { name: 'Ada' } });
  const kept = () => db.selectFrom('call_disclosures').selectAll().where('call_id', '=', call_id).executeTakeFirst();
  const found = await eventually(kept, (row) => row !== undefined);
  assert.deepEqual([found?.text, found?.is_complete], ['This is an AI, Ada.', true]);
  assert.equal((await lines(call_id))[0], 'AGENT This is an AI, Ada.');
  const later = { text: 'Other words.', started_at: '2026-01-15T09:30:00.000Z', is_complete: false };
  const again = await service.request('POST', `/api/calls/${call_id}/outcome`, {
    user: USER,
    body: { disclosure: later },
  });
  assert.equal(again.status, 200);
  assert.equal((await kept())?.text, 'This is an AI, Ada.', 'the first report counts');
  const other = await service.request('POST', `/api/calls/${call_id}/outcome`, {
    user: 'somebody-else',
    body: { disclosure: later },
  });
  assert.equal(other.status, 404);
  // Deleted by what its agent keeps, they must not come back.
  await service.request('POST', `/api/calls/${call_id}/end`, { user: USER });
  const ended_at = new Date(Date.now() - 25 * 3_600_000);
  await db.updateTable('sessions').set({ ended_at }).where('id', '=', call_id).execute();
  await db.deleteFrom('call_disclosures').where('call_id', '=', call_id).execute();
  const body = { disclosure: later };
  assert.equal((await service.request('POST', `/api/calls/${call_id}/outcome`, { user: USER, body })).status, 200);
  assert.equal(await kept(), undefined);
});

test('wrong settings are told by their place', async () => {
  const wrong = {
    disclosure: { text: '  ' },
    opt_out: { enabled: 'yes', scope: 'campaign', confirm: 'x'.repeat(2_001) },
  };
  const { body } = await service.request('POST', '/api/schemas/agent-config/validate', {
    user: USER,
    body: { config: { compliance: wrong } },
  });
  const places = body.problems.map(({ loc }: { loc: string[] }) => loc.slice(1).join('.'));
  assert.deepEqual([...new Set(places)].sort(), [
    'compliance.disclosure.text',
    'compliance.opt_out.confirm',
    'compliance.opt_out.enabled',
    'compliance.opt_out.scope',
  ]);
});

test('a caller is suppressed too, and one who withholds the number is told goodbye all the same', async () => {
  const agent_id = await createAgent(service, { config: { compliance: { opt_out: OPT_OUT } } });
  const number = '+15005550010';
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: number } });
  const caller = somebody();
  for (const from of [caller, 'anonymous']) {
    const room_name = sandbox.callIn(number, from) ?? assert.fail();
    const { body } = await eventually(
      () => service.request('GET', `/api/sessions/by-room/${room_name}`),
      (answer) => answer.body.call_status === 'ANSWERED',
    );
    const line = { content: 'Never call me again.', speaker: 'USER' };
    await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: line });
    await ended(body.id);
    const found = await db.selectFrom('call_opt_outs').selectAll().where('call_id', '=', body.id).executeTakeFirst();
    assert.equal(found?.is_suppressed, from === caller);
  }
  assert.equal((await suppressed(caller)).length, 1);
});

test('a disclosure is deleted with the transcripts, by age and by the wish of its agent', async () => {
  const clock = createTestClock();
  const aged = await startService({ clock, env: { TRANSCRIPT_RETENTION_DAYS: '5' } });
  for (const config of [{}, { privacy: { keep: { transcripts_days: 2 } } }]) {
    const agent_id = await createAgent(aged, { config });
    const { call_id } = await placeCall(aged, somebody(), { agent_id });
    await reaches(aged, call_id, 'ANSWERED');
    const disclosure = { text: 'An AI.', started_at: clock.now().toISOString(), is_complete: true };
    await aged.request('POST', `/api/calls/${call_id}/outcome`, { user: USER, body: { disclosure, hang_up: true } });
  }
  const left = async () => (await aged.database.db.selectFrom('call_disclosures').select('call_id').execute()).length;
  assert.equal(await left(), 2);
  for (const [days, count] of [
    [3, 1],
    [3, 0],
  ] as const) {
    clock.advance(days * 24 * 3_600_000);
    await tidy(aged);
    assert.equal(await left(), count);
  }
});
