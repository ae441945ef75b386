import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import {
  MAX_CHARS,
  MAX_EVIDENCE,
  MAX_LINES,
  MAX_RESULT_BYTES,
  MAX_SUMMARY,
} from '../../src/calling/analyses/schema.ts';
import { newId } from '../../src/lib/ids.ts';
import {
  analysed,
  analysesOf,
  analysing,
  claim,
  complete,
  endedCall,
  fail,
  next,
  OUTCOME,
  report,
  resultOf,
  SAID,
  saveExtractor,
  served,
} from '../support/analyses.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { send } from '../support/tests.ts';

const service = await served();
const { db } = service.database;
after(() => service.close());

await saveExtractor(service, 'visit', { instructions: 'A hotel.' });
const agent_id = await analysing(service, ['visit']);
/** Makes a failed task due at once: its pause is too long for a test. */
const dueNow = () =>
  db
    .updateTable('work')
    .set({ due_at: new Date(0) })
    .where('kind', '=', 'analysis')
    .execute();

test('a task has the schema, the model of the agent, the call and its transcript', async () => {
  const { call_id, lines } = await endedCall(service, agent_id);
  const task = await next(service);
  const { analysis_id, call, transcript, ...payload } = task.payload;
  assert.deepEqual(payload, {
    call_id,
    user_id: 'user-1',
    agent_id,
    extractor: { name: 'visit', version: 1, schema: OUTCOME, instructions: 'A hotel.' },
    llm: { llm: { provider: 'openai', model: 'gpt-4o-mini' } },
    is_transcript_complete: true,
  });
  assert.deepEqual(
    transcript,
    SAID.map(([speaker, content], index) => ({ id: lines[index], speaker, content })),
  );
  assert.deepEqual([call.direction, call.end_reason], ['OUTBOUND', 'ended_by_user']);
  assert.equal((await analysesOf(service, call_id))[0]?.state, 'running');
  assert.equal((await complete(service, task, resultOf({ outcome: 'booked' }, lines[2]))).status, 200);
  const [found = assert.fail()] = await analysed(service, call_id);
  assert.deepEqual([found.analysis_id, found.state, found.is_simulated], [analysis_id, 'done', false]);
  assertRefused(await complete(service, task, resultOf({})), 409, 'lease_lost');
});

test('an extractor has a model of its own; a long transcript is given without its beginning', async () => {
  await saveExtractor(service, 'own', { model: { provider: 'anthropic', model: 'claude' } });
  const own = await analysing(service, ['own']);
  const long: typeof SAID = [
    ['USER', 'first'],
    ...Array.from({ length: 4 }, () => ['AGENT', 'x'.repeat(60_000)] as [string, string]),
  ];
  await endedCall(service, own, long);
  const { payload, ...task } = await next(service);
  assert.deepEqual(payload.llm, { llm: { provider: 'anthropic', model: 'claude' } });
  assert.equal(payload.is_transcript_complete, false);
  assert.equal(payload.transcript.length, Math.floor(MAX_CHARS / 60_000));
  await complete(service, task, resultOf({}));
  const call = await answeredCall(service, { agent_id: own });
  const said = Array.from({ length: MAX_LINES + 1 }, (_, n) => ({
    id: newId(),
    session_id: call.call_id,
    seq: 100 + n,
    speaker: 'USER' as const,
    content: `line ${n}`,
    timestamp: new Date(),
  }));
  await db.insertInto('transcripts').values(said).execute();
  await db.updateTable('sessions').set({ last_event: 50_000 }).where('id', '=', call.call_id).execute();
  await send(service, 'POST', `/api/sessions/by-room/${call.room_name}/transcripts`, { content: 'the last' });
  await send(service, 'POST', `/api/calls/${call.call_id}/end`);
  const other = await next(service);
  assert.equal(other.payload.transcript.length, MAX_LINES);
  assert.equal(other.payload.is_transcript_complete, false);
  await complete(service, other, resultOf({}));
});

test('a value without evidence is stored as null, also one that a worker left out', async () => {
  const { call_id, lines } = await endedCall(service, agent_id);
  const task = await next(service);
  const values = { outcome: 'booked', was_friendly: false, guests: 3, topics: ['price'] };
  const evidence = { outcome: [lines[2], lines[2]], was_friendly: [], topics: [lines[1]] };
  assert.equal((await complete(service, task, { values, evidence, summary: null, success: true })).status, 200);
  const [found = assert.fail()] = await analysed(service, call_id);
  const expected = { outcome: 'booked', was_friendly: null, guests: null, note: null, topics: ['price'] };
  assert.deepEqual(found.values, expected);
  assert.deepEqual(found.evidence, { outcome: [lines[2]], topics: [lines[1]] });
  assert.deepEqual([found.success, found.summary], [true, null]);
});

test('a pattern of the agent replaces what a result says, and leaves the names of fields and the ids of lines', async () => {
  const custom = [
    // A part of every id.
    { name: 'code', pattern: '\\b7[0-9a-f]{3}\\b' },
    { name: 'word', pattern: '\\bnote\\b' },
  ];
  const secretive = await analysing(service, ['visit'], { privacy: { custom } });
  const { call_id, lines } = await endedCall(service, secretive);
  const task = await next(service);
  const result = { ...resultOf({ note: 'note 7abc' }, lines[1]), summary: 'Said 7abc.', success: true };
  assert.equal((await complete(service, task, result)).status, 200);
  const [{ values, evidence, summary, success } = assert.fail()] = await analysed(service, call_id);
  assert.deepEqual([values.note, summary, success], ['[word] [code]', 'Said [code].', true]);
  assert.deepEqual(evidence, { note: [lines[1]] });
});

test('garbage is refused with the reason, and neither ends the task nor the service', async () => {
  const other = await endedCall(service, agent_id);
  await complete(service, await next(service), resultOf({}));
  const { call_id, lines } = await endedCall(service, agent_id);
  const task = await next(service);
  const [line] = lines;
  const good = { values: { outcome: 'booked' }, evidence: { outcome: [line] }, summary: null, success: null };
  const garbage: [what: string, result: unknown][] = [
    ['no object', 'booked'],
    ['nothing', {}],
    ['other fields', { ...good, more: 1 }],
    ['values that are a list', { ...good, values: [] }],
    ['a field that there is not', { ...good, values: { colour: 'red' } }],
    ['a choice that there is not', { ...good, values: { outcome: 'maybe' } }],
    ['a number for a choice', { ...good, values: { outcome: 1 } }],
    ['a text for a boolean', { ...good, values: { was_friendly: 'yes' } }],
    ['a fraction', { ...good, values: { guests: 1.5 } }],
    ['a number out of bounds', { ...good, values: { guests: 11 } }],
    ['a text that is too long', { ...good, values: { note: 'x'.repeat(41) } }],
    ['a list of other things', { ...good, values: { topics: ['price', 4] } }],
    ['a nested value', { ...good, values: { note: { a: 1 } } }],
    ['evidence that is no list', { ...good, evidence: { outcome: line } }],
    ['evidence for no field', { ...good, evidence: { colour: [line] } }],
    ['evidence that is no id', { ...good, evidence: { outcome: ['3'] } }],
    ['evidence from another call', { ...good, evidence: { outcome: [other.lines[0]] } }],
    ['evidence without end', { ...good, evidence: { outcome: Array(MAX_EVIDENCE + 1).fill(line) } }],
    ['a summary without end', { ...good, summary: 'x'.repeat(MAX_SUMMARY + 1) }],
    ['success that is a text', { ...good, success: 'true' }],
    ['a result without end', { ...good, values: { note: 'x'.repeat(MAX_RESULT_BYTES) } }],
    ['a NUL', { ...good, values: { note: 'a\0b' } }],
  ];
  for (const [what, result] of garbage) {
    const { status, body } = await complete(service, task, result as Json);
    assert.equal(status, 422, `${what}: ${status} ${JSON.stringify(body)}`);
  }
  assert.deepEqual(problemsOf(await complete(service, task, { ...good, values: { outcome: 'maybe' } })), [
    'body.result value_error',
  ]);
  assert.equal((await analysesOf(service, call_id))[0]?.state, 'running');
  assert.equal((await complete(service, task, good)).status, 200);
});

test('a failed attempt is repeated after longer and longer pauses, five times, and then given up', async () => {
  const { call_id } = await endedCall(service, agent_id);
  for (let attempt = 1; attempt <= 5; attempt++) {
    const task = await next(service);
    assert.equal(task.attempt, attempt);
    const before = Date.now();
    assert.equal((await fail(service, task)).status, 200);
    if (attempt === 5) break;
    const { due_at } = await db
      .selectFrom('work')
      .select('due_at')
      .where('kind', '=', 'analysis')
      .executeTakeFirstOrThrow();
    const pause = due_at.getTime() - before;
    assert.ok(pause >= 5_000 * 2 ** (attempt - 1) - 1_000, `${pause} ms after attempt ${attempt}`);
    await dueNow();
  }
  const [found = assert.fail()] = await analysed(service, call_id);
  assert.deepEqual([found.state, found.error, found.values], ['failed', 'no JSON', null]);
  assert.deepEqual(await claim(service, { wait_s: 0 }), []);
});

test('an earlier result stays while a call is analysed again, and when that fails', async () => {
  const { call_id, lines } = await endedCall(service, agent_id);
  await complete(service, await next(service), resultOf({ outcome: 'moved' }, lines[0]));
  const path = `/api/calls/${call_id}/analyses`;
  const [queued = assert.fail()] = (await send(service, 'POST', path, {})).body.analyses;
  assert.deepEqual([queued.state, queued.values.outcome], ['queued', 'moved']);
  await send(service, 'POST', path, {});
  const task = await next(service);
  assert.deepEqual(await claim(service, { wait_s: 0 }), [], 'one task for one analysis');
  await send(service, 'POST', path, {});
  assert.deepEqual(await claim(service, { wait_s: 0 }), [], 'one in progress goes on');
  await fail(service, task, false);
  const [found = assert.fail()] = await analysed(service, call_id);
  assert.deepEqual([found.state, found.error, found.values.outcome], ['failed', 'no JSON', 'moved']);
});

test('what an attempt uses is priced and in the ledger once, whether or not it succeeds', async () => {
  const { call_id } = await endedCall(service, agent_id);
  const used = [
    { provider: 'openai', model: 'gpt-4o-mini', event_type: 'llm_input_tokens', quantity: '100', unit_cost: '0.001' },
    { provider: 'openai', model: 'gpt-4o-mini', event_type: 'llm_output_tokens', quantity: '10' },
  ];
  const price = {
    provider: 'openai',
    event_type: 'llm_output_tokens',
    model: 'gpt-4o-mini',
    price: '0.01',
    valid_from: '2020-01-01',
  };
  assert.equal((await send(service, 'PUT', '/api/prices', { entries: [price] }, null)).status, 200);
  const first = await next(service);
  for (let time = 0; time < 2; time++) assert.equal((await report(service, first, used)).status, 200);
  await fail(service, first);
  await dueNow();
  const second = await next(service);
  // A correction is not for workers, and the ledger takes no total without a price.
  for (const [amounts, problem] of [
    [{ unit_cost: '-100000' }, 'body.events.0 value_error'],
    [{ quantity: '-1', unit_cost: '1' }, 'body.events.0 value_error'],
    [{ total_cost: '5' }, 'body.events.0.unit_cost missing'],
  ] as const) {
    const refused = await report(service, second, [{ ...used[0], unit_cost: undefined, ...amounts }]);
    assert.deepEqual(problemsOf(refused), [problem]);
  }
  await report(service, second, used);
  assertRefused(await report(service, first, used), 409, 'lease_lost');
  await complete(service, second, resultOf({}));
  const [{ cost } = assert.fail()] = await analysed(service, call_id);
  assert.equal(cost, '0.4');
  const { items } = (await send(service, 'GET', `/api/usage/events?session_id=${call_id}&provider=openai`)).body;
  assert.deepEqual(
    items.map(({ event_type, total_cost, agent_id }: Json) => [event_type, total_cost, agent_id]).sort(),
    [
      ['llm_input_tokens', '0.1', agent_id],
      ['llm_input_tokens', '0.1', agent_id],
      ['llm_output_tokens', '0.1', agent_id],
      ['llm_output_tokens', '0.1', agent_id],
    ],
  );
  const wrong = { lease_token: second.lease_token, events: [{ type: 'usage', used: [] }] };
  const third = await send(service, 'POST', `/api/worker/tasks/${second.task_id}/events`, wrong, null);
  assertRefused(third, 409, 'lease_lost');
});

test('the analysis of a deleted extractor fails, and says why', async () => {
  const { id } = await saveExtractor(service, 'doomed');
  const doomed = await analysing(service, ['doomed']);
  const { call_id } = await endedCall(service, doomed);
  await eventually(
    () => analysesOf(service, call_id),
    (found) => found.length === 1,
  );
  await send(service, 'DELETE', `/api/extractors/${id}`);
  assert.deepEqual(await claim(service, { wait_s: 0 }), []);
  const [found = assert.fail()] = await analysed(service, call_id);
  assert.equal(found.state, 'failed');
  assert.match(found.error, /no longer there/);
});

test('analyses that a process has left are made by the next one', async () => {
  const { call_id } = await endedCall(service, agent_id);
  const abandoned = await next(service);
  await db
    .updateTable('work')
    .set({ leased_until: new Date(0) })
    .where('kind', '=', 'analysis')
    .execute();
  const task = await next(service);
  assert.equal(task.task_id, abandoned.task_id);
  assertRefused(await complete(service, abandoned, resultOf({})), 409, 'lease_lost');
  assert.equal((await complete(service, task, resultOf({}))).status, 200);
  assert.equal((await analysed(service, call_id)).length, 1);
});
