import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';

const service = await startService();
/** Sends JSON text, so that a number has exactly these digits. */
const send = (method: string, path: string, body: string) => service.request(method, path, { user: USER, body });
const agentWith = (config: string) =>
  send('POST', '/api/agents/', `{"name":"A","user_id":"${USER}","config":${config}}`);

/** Numbers that a double cannot hold: integers, fractions, and those that would become 0. */
const LOSSY = [
  '9007199254740993',
  '-9007199254740993',
  '123456789012345678901234567890.5',
  '0.12345678901234567890',
  '1e-400',
];
/** Numbers whose value is kept, however they are written; the last as C writes 0.1 with 17 digits. */
const KEPT: [string, number][] = [
  ['9007199254740992', 9007199254740992],
  ['1.10', 1.1],
  ['1E3', 1000],
  ['0.30000000000000004', 0.30000000000000004],
  ['1.7976931348623157e308', Number.MAX_VALUE],
  ['5e-324', 5e-324],
  ['100000000000000000000000', 1e23],
  ['0.10000000000000001', 0.1],
];

test('a number that would lose digits is refused, with its place', async () => {
  for (const number of LOSSY) {
    const answer = await agentWith(`{"note":"9007199254740993","list":[1,{"order":${number}}]}`);
    assert.deepEqual(problemsOf(answer), ['body.config.list.1.order number_precision'], number);
  }
  const agent_id = await createAgent(service);
  const call = (fields: string) =>
    send('POST', '/api/calls/outbound', `{"agent_id":"${agent_id}","phone_number":"+15005550100",${fields}}`);
  const [digits = ''] = LOSSY;
  for (const field of ['variables', 'metadata'])
    assert.deepEqual(problemsOf(await call(`"${field}":{"order":${digits}}`)), [
      `body.${field}.order number_precision`,
    ]);
  const session = await send('POST', '/api/sessions/', `{"user_id":"${USER}"}`);
  for (const [method, path, body, place] of [
    ['POST', '/api/sessions/', `{"user_id":"${USER}","session_data":{"n":${digits}}}`, 'session_data'],
    ['PATCH', `/api/sessions/${session.body.id}`, `{"metadata":{"n":${digits}}}`, 'metadata'],
    ['PATCH', `/api/agents/${agent_id}`, `{"config":{"n":${digits}}}`, 'config'],
  ] as const)
    assert.deepEqual(problemsOf(await send(method, path, body)), [`body.${place}.n number_precision`]);
});

test('a number that would lose digits is refused in a list of recipients, and rounded in the events of a task', async () => {
  const agent_id = await createAgent(service);
  const { id } = (await send('POST', '/api/campaigns', `{"name":"A","agent_id":"${agent_id}"}`)).body;
  const add = (order: string) => {
    const recipient = `{"phone_number":"+15005550101","variables":{"order":${order}},"metadata":{"n":[${order}]}}`;
    const body = `{"recipients":[{"phone_number":"+15005550100"},${recipient}]}`;
    return send('POST', `/api/campaigns/${id}/recipients`, body);
  };
  for (const number of LOSSY)
    assert.deepEqual(problemsOf(await add(number)), [
      'body.recipients.1.metadata.n.0 number_precision',
      'body.recipients.1.variables.order number_precision',
    ]);
  const kept = await add(KEPT[0]?.[0] ?? '');
  assert.deepEqual([kept.status, kept.body.added], [200, 2], JSON.stringify(kept.body));
  const events = `{"lease_token":1,"events":[{"type":"tool_call","arguments":{"order":${LOSSY[0]}}}]}`;
  // The worker does not hold it, which is found after its body is valid.
  assertRefused(await send('POST', `/api/worker/tasks/${agent_id}/events`, events), 409, 'lease_lost');
});

test('a number that a double holds is stored and returned with its value', async () => {
  const texts = KEPT.map(([text]) => text);
  const { status, body } = await agentWith(`{"kept":[${texts.join()}],"text":"9007199254740993"}`);
  assert.equal(status, 201, JSON.stringify(body));
  const shown = (await service.request('GET', `/api/agents/${body.id}`)).body.config;
  assert.deepEqual(shown, { kept: KEPT.map(([, value]) => value), text: '9007199254740993' });
});

test('a duration with more digits than a double has is rounded', async () => {
  const { body } = await send('POST', '/api/sessions/', `{"user_id":"${USER}"}`);
  const ended = await send('PATCH', `/api/sessions/${body.id}`, '{"duration":12.50000000000000000001}');
  assert.equal(ended.body.duration, 12.5);
});
