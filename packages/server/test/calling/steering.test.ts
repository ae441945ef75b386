import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createTokens } from '../../src/providers/livekit/tokens.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import type { AgentCommand } from '../../src/providers/workers.ts';

const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 5, conversations: 5, pauseMs: 5 });
let answer: 'absent' | 'unsupported' | 'taken' | 'busy' | null = null;
const commands: AgentCommand[] = [];
const tokens: unknown[][] = [];
const media: typeof sandbox = {
  ...sandbox,
  command: async (room_name, command) => {
    commands.push(command);
    return answer ?? sandbox.command(room_name, command);
  },
  createSpeakerToken: async (...of) => {
    tokens.push(of);
    return sandbox.createSpeakerToken(...of);
  },
};
const service = await startService({ media });

const steer = (call_id: string, what: string, body: object, user = USER) =>
  service.request('POST', `/api/calls/${call_id}/${what}`, { user, body });
const take = (call_id: string, user = USER) => service.request('POST', `/api/calls/${call_id}/take-over`, { user });
const said = async (call_id: string): Promise<string[]> => {
  const { body } = await service.request('GET', `/api/sessions/${call_id}/transcripts`, { user: USER });
  return body.items.map(({ speaker, content }: { speaker: string; content: string }) => `${speaker} ${content}`);
};

test('what a person has the agent say is said, and in the transcript', async () => {
  const config = { greeting: 'Hello.', instructions: 'The shop opens at nine.' };
  const { call_id } = await placeCall(service, '+15005550100', { agent_id: await createAgent(service, { config }) });
  await reaches(service, call_id, 'ANSWERED');
  await eventually(
    () => said(call_id),
    (lines) => lines.includes('AGENT Hello.'),
  );
  const answered = await steer(call_id, 'say', { text: 'One moment, please.', interrupt: true });
  assert.deepEqual([answered.status, answered.body], [200, { call_id }]);
  await eventually(
    () => said(call_id),
    (lines) => lines.includes('AGENT One moment, please.'),
  );
  assert.equal((await steer(call_id, 'instructions', { text: 'Offer a refund.' })).status, 200);
  assert.equal((await steer(call_id, 'dtmf', { digits: '12#' })).status, 200);
  assert.deepEqual(commands.splice(0), [
    { type: 'say', text: 'One moment, please.', interrupt: true },
    { type: 'instruct', text: 'Offer a refund.', reply: false },
    { type: 'press', digits: '12#' },
  ]);
  assert.equal((await said(call_id)).filter((line) => /refund|12#/.test(line)).length, 0);
});

test('a call that is not answered, an absent agent and a worker of an earlier release are 409s', async () => {
  const { call_id } = await answeredCall(service);
  answer = 'absent';
  const absent = await steer(call_id, 'say', { text: 'Hello?' });
  assert.deepEqual([absent.status, absent.body.code], [409, 'agent_absent']);
  answer = 'unsupported';
  const unknown = await steer(call_id, 'dtmf', { digits: '1' });
  assert.deepEqual([unknown.status, unknown.body.code], [409, 'command_unsupported']);
  answer = null;
  await service.request('POST', `/api/calls/${call_id}/end`, { user: USER });
  commands.length = 0;
  const ended = await steer(call_id, 'instructions', { text: 'Hello?' });
  assert.deepEqual([ended.status, ended.body.code], [409, 'session_not_active']);
  assert.deepEqual(commands, []);
});

test('whoever takes over gets a token once the worker has accepted, and none if it has not', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const refusals = { absent: 'agent_absent', unsupported: 'command_unsupported', taken: 'agent_taken_over' } as const;
  for (const [outcome, code] of Object.entries({ ...refusals, busy: 'agent_busy' })) {
    answer = outcome as keyof typeof refusals;
    const { status, body } = await take(call_id);
    assert.deepEqual([status, body.code], [409, code]);
  }
  answer = null;
  assert.deepEqual(tokens, []);
  commands.length = 0;
  const { status, body } = await take(call_id);
  assert.deepEqual([status, body.room_name, body.is_simulated], [201, room_name, true]);
  assert.ok(body.token && body.url && Date.parse(body.expires_at) <= Date.now() + 20_000);
  assert.deepEqual(commands.splice(0), [{ type: 'take_over' }]);
  const [room, identity, ttl_s] = tokens.splice(0)[0] ?? [];
  assert.deepEqual([room, String(identity).slice(0, 10), ttl_s], [room_name, 'colleague-', 20]);
  const { key } = await keysOf(service.database).create({ name: 'ops', role: 'service' });
  const headers = { authorization: `Bearer ${key}` };
  const audit = await service.request('GET', `/api/audit?target=session/${call_id}`, { headers });
  assert.equal(audit.body.items.filter(({ detail }: { detail: string }) => detail === 'take_over').length, 1);
  assert.equal((await take(call_id, 'somebody-else')).status, 404);
  await service.request('POST', `/api/calls/${call_id}/end`, { user: USER });
  assert.deepEqual([(await take(call_id)).body.code, commands, tokens], ['session_not_active', [], []]);
});

test('somebody who talks in place of an agent comes and goes without anybody looking at the call', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const participant = { sid: 'PA_1', identity: 'colleague-1', kind: 'STANDARD', disconnectReason: 'CLIENT_INITIATED' };
  for (const event of ['participant_joined', 'track_published', 'participant_left']) {
    const body = { event, id: `EV_colleague_${event}`, room: { name: room_name }, participant };
    assert.equal((await service.request('POST', '/api/media/webhook', { body })).status, 200);
  }
  const events = await service.database.db
    .selectFrom('media_events')
    .selectAll()
    .where('id', 'like', 'EV_colleague_%')
    .execute();
  // Without a reason to look at a call, an event is stored as handled.
  assert.deepEqual(
    events.map(({ handled_at, received_at }) => handled_at?.getTime() === received_at.getTime()),
    [true, true, true],
  );
  const { body } = await service.request('GET', `/api/calls/${call_id}/status`, { user: USER });
  assert.equal(body.call_status, 'ANSWERED');
});

test('the token of a colleague is good for a microphone in one room, and nothing else', async () => {
  const settings = { url: 'ws://127.0.0.1:7880', apiKey: 'key', apiSecret: 'secret' };
  const { token } = await createTokens(settings).createSpeakerToken('room-1', 'colleague-1', 20);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  assert.deepEqual(claims.video, {
    room: 'room-1',
    roomJoin: true,
    canSubscribe: true,
    canPublish: true,
    canPublishSources: ['microphone'],
    canPublishData: false,
    canUpdateOwnMetadata: false,
  });
  assert.equal(claims.exp - claims.nbf, 20);
});

test('texts have 1 to 2,000 characters, and keys are those of a telephone, at most 32', async () => {
  const { call_id } = await answeredCall(service);
  const wrong: [string, object, string][] = [
    ['say', {}, 'text'],
    ['say', { text: '  ' }, 'text'],
    ['say', { text: 'x'.repeat(2001) }, 'text'],
    ['say', { text: 'x', interrupt: 'yes' }, 'interrupt'],
    ['instructions', { text: '' }, 'text'],
    ['dtmf', { digits: '' }, 'digits'],
    ['dtmf', { digits: 'E' }, 'digits'],
    ['dtmf', { digits: '1'.repeat(33) }, 'digits'],
  ];
  for (const [what, body, field] of wrong) {
    const { status, body: problem } = await steer(call_id, what, body);
    assert.deepEqual([status, problem.detail[0].loc], [422, ['body', field]], JSON.stringify(body).slice(0, 40));
  }
  assert.equal((await steer(call_id, 'say', { text: 'x'.repeat(2000) })).status, 200);
  assert.equal((await steer(call_id, 'say', { text: 'x' }, 'somebody-else')).status, 404);
});

test('the audit log says who had the agent do what kind of thing, and not which words', async () => {
  const { call_id } = await answeredCall(service);
  await steer(call_id, 'say', { text: 'A secret.' });
  await steer(call_id, 'dtmf', { digits: '4711' });
  const { key } = await keysOf(service.database).create({ name: 'ops', role: 'service' });
  const headers = { authorization: `Bearer ${key}` };
  const { body } = await service.request('GET', `/api/audit?target=session/${call_id}`, { headers });
  const entries = body.items.filter(({ action }: { action: string }) => action === 'call.steered');
  assert.deepEqual(entries.map(({ detail }: { detail: string }) => detail).sort(), ['press', 'say']);
  assert.equal(/secret|(?<![\w.-]|"pid":)4711(?![\w-])/.test(JSON.stringify(body)), false);
});
