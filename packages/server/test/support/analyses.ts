import assert from 'node:assert/strict';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { send } from './tests.ts';

/** The schema of most extractors in tests. */
export const OUTCOME = {
  type: 'object',
  properties: {
    outcome: { type: 'string', enum: ['booked', 'moved', 'none'] },
    was_friendly: { type: 'boolean' },
    guests: { type: 'integer', minimum: 0, maximum: 10 },
    note: { type: 'string', maxLength: 40 },
    topics: { type: 'array', items: { type: 'string', enum: ['price', 'parking'] } },
  },
};

/** Analyses begin as soon as a call has ended. */
export const AT_ONCE = { CALL_REPORT_DELAY_S: '0', CALLS_PER_SECOND: '1000', CALLS_BURST: '1000' };

/** A service whose analyses are made by workers that claim tasks. */
export function served(options: { env?: Record<string, string>; clock?: Clock } = {}) {
  const { analyseCall: _, ...media } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  return startService({ ...options, media, env: { ...AT_ONCE, ...options.env } });
}

export async function saveExtractor(service: Service, name: string, fields: Json = {}, user = USER): Promise<Json> {
  const { status, body } = await send(service, 'POST', '/api/extractors', { name, schema: OUTCOME, ...fields }, user);
  assert.ok(status === 201 || status === 200, JSON.stringify(body));
  return body;
}

/** An agent that names extractors. */
export const analysing = (service: Service, extractors: string[], config: Json = {}) =>
  createAgent(service, { config: { llm: { provider: 'openai', model: 'gpt-4o-mini' }, ...config, extractors } });

export const SAID: [speaker: string, content: string][] = [
  ['AGENT', 'Hello, what can I do for you?'],
  ['USER', 'I want to come with 3 guests. Is there parking?'],
  ['AGENT', 'Very friendly of you to ask. You are booked.'],
];

/** A call in which this was said, and which has ended; with the ids of its lines. */
export async function endedCall(service: Service, agent_id: string, said = SAID, fields: Json = {}) {
  const { call_id, room_name } = await answeredCall(service, { agent_id, ...fields });
  const lines: string[] = [];
  for (const [speaker, content] of said) {
    const path = `/api/sessions/by-room/${room_name}/transcripts`;
    lines.push((await send(service, 'POST', path, { speaker, content })).body.id);
  }
  await send(service, 'POST', `/api/calls/${call_id}/end`);
  return { call_id, room_name, lines };
}

export async function analysesOf(service: Service, call_id: string): Promise<Json[]> {
  const { status, body } = await send(service, 'GET', `/api/calls/${call_id}/analyses`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.analyses;
}

/** Waits until a call has so many analyses, all of which have ended. */
export const analysed = (service: Service, call_id: string, count = 1) =>
  eventually(
    () => analysesOf(service, call_id),
    (found) => found.length === count && found.every(({ ended_at }) => ended_at !== null),
  );

export async function claim(service: Service, fields: Json = {}): Promise<Json[]> {
  const body = { kind: 'analysis', capacity: 1, wait_s: 30, ...fields };
  const answer = await send(service, 'POST', '/api/worker/tasks/claim', body, null);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.tasks;
}

/** The next task. */
export async function next(service: Service): Promise<Json> {
  const [task] = await claim(service);
  return task ?? assert.fail('no task');
}

export const complete = (service: Service, { task_id, lease_token }: Json, result: Json) =>
  send(service, 'POST', `/api/worker/tasks/${task_id}/complete`, { lease_token, result }, null);

export const fail = (service: Service, { task_id, lease_token }: Json, retryable = true) =>
  send(service, 'POST', `/api/worker/tasks/${task_id}/fail`, { lease_token, retryable, error: 'no JSON' }, null);

export const report = (service: Service, { task_id, lease_token }: Json, used: Json[]) =>
  send(
    service,
    'POST',
    `/api/worker/tasks/${task_id}/events`,
    { lease_token, events: [{ type: 'usage', used }] },
    null,
  );

/** A result that says nothing but these values, each with the same line as evidence. */
export function resultOf(values: Json, line?: string): Json {
  const evidence = line === undefined ? {} : Object.fromEntries(Object.keys(values).map((name) => [name, [line]]));
  return { values, evidence, summary: 'A call.', success: null };
}

/** An extractor to be saved. */
export const extractor = (name: string) => ({
  name,
  schema: { type: 'object', properties: { friendly: { type: 'boolean' } } },
});

/** Asks for the analysis of a call that has a transcript. */
export async function anAnalysis(as: Pick<Service, 'request'>) {
  await as.request('POST', '/api/extractors', { body: extractor('asked') });
  const { call_id, room_name } = await answeredCall(as);
  await as.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content: 'Hello.' } });
  await as.request('POST', `/api/calls/${call_id}/end`);
  return as.request('POST', `/api/calls/${call_id}/analyses`, { body: { extractors: ['asked'] } });
}

/** The id of an extractor. */
export async function anExtractor(as: Pick<Service, 'request'>, name = 'another'): Promise<string> {
  return (await as.request('POST', '/api/extractors', { body: extractor(name) })).body.id;
}

/** Starts a backfill. */
export async function aBackfill(as: Pick<Service, 'request'>) {
  await anExtractor(as, 'earlier');
  return as.request('POST', '/api/analyses/backfill', { body: { extractor: 'earlier', filter: {}, estimate: false } });
}

/** The id of a backfill of the user that is in progress, and that nobody ends. */
export async function anOpenBackfill({ database }: Service): Promise<string> {
  const of = { user_id: USER, extractor: 'earlier', extractor_version: 1, filter: '{}' };
  const row = { id: newId(), ...of, state: 'running' as const, created_at: new Date(), ended_at: null };
  await database.db.insertInto('analysis_backfills').values(row).execute();
  return row.id;
}
