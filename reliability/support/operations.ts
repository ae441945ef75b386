import { randomUUID } from 'node:crypto';
import { reaches } from '@switchboard/testkit/calls.ts';
import { type RawAnswer, rawRequest } from './raw.ts';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
}

type Example = Record<string, unknown>;

interface Published {
  parameters?: { name: string; in: string }[];
  requestBody?: {
    content: Record<string, { schema: Schema; example?: Example; examples?: Record<string, { value: Example }> }>;
  };
}

export interface Document {
  paths: Record<string, Record<string, Published>>;
  components: { schemas: Record<string, Schema> };
}

/** A published operation, from which requests are generated. */
export interface Operation {
  method: string;
  template: string;
  /** Names of the fields of its body, null without a body. */
  fields: string[] | null;
  query: string[];
  example: Record<string, unknown>;
}

export function operationsOf({ paths, components }: Document): Operation[] {
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const body = requestBody?.content['application/json'];
      const schema = components.schemas[body?.schema.$ref?.split('/').at(-1) ?? ''] ?? body?.schema;
      return {
        method: method.toUpperCase(),
        template,
        fields: schema ? Object.keys(schema.properties ?? {}) : null,
        query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
        example: body?.example ?? Object.values(body?.examples ?? {})[0]?.value ?? {},
      };
    }),
  );
}

/** Sends JSON and returns the response, for `@switchboard/testkit/calls.ts`. */
export function requester(send: (bytes: Buffer) => Promise<RawAnswer[]>) {
  return {
    request: async (method: string, path: string, options: { user?: string; body?: unknown } = {}) => {
      const headers: [string, string][] = [['content-type', 'application/json']];
      if (options.user !== undefined) headers.push(['x-user-id', options.user]);
      const body = options.body === undefined ? undefined : JSON.stringify(options.body);
      const [answer] = await send(rawRequest(method, path, body === undefined ? headers.slice(1) : headers, body));
      if (!answer) throw new Error('no answer');
      return { status: answer.status, headers: new Headers(), body: JSON.parse(answer.text) };
    },
  };
}

/** Resources for the operations, all of one user. A scenario is among them only where asked: it takes a process. */
export async function createFixture(service: ReturnType<typeof requester>, user: string, hasScenario = true) {
  const agent = await service.request('POST', '/api/agents/', { body: { name: 'x', user_id: user } });
  const agent_id = String(agent.body.id);
  // The versions that the examples of the description name.
  for (const name of ['two', 'three', 'four'])
    await service.request('PATCH', `/api/agents/${agent_id}`, { user, body: { name } });
  const call = await service.request('POST', '/api/calls/outbound', {
    user,
    body: { agent_id, phone_number: '+15005550100' },
  });
  const call_id = String(call.body.call_id);
  await reaches(service, call_id, 'ANSWERED');
  const scheduled = await schedule(service, user, agent_id);
  const said = { content: 'x', speaker: 'USER' };
  await service.request('POST', `/api/sessions/by-room/${call.body.room_name}/transcripts`, { body: said });
  const scenario_id = hasScenario ? await writeScenario(service, user) : randomUUID();
  const schema = { type: 'object', properties: { friendly: { type: 'boolean' } } };
  const extractor = await service.request('POST', '/api/extractors', { user, body: { name: 'outcome', schema } });
  const extractor_id = String(extractor.body.id);
  const campaign = await service.request('POST', '/api/campaigns', { user, body: { name: 'x', agent_id } });
  const campaign_id = String(campaign.body.id);
  const list = { recipients: [{ phone_number: '+15005550100' }] };
  await service.request('POST', `/api/campaigns/${campaign_id}/recipients`, { user, body: list });
  const recording_id = randomUUID();
  const recording = { state: 'recording', channels: 'stereo', started_at: new Date().toISOString() };
  await service.request('PUT', `/api/sessions/${call_id}/recordings/${recording_id}`, { body: recording });
  // No key has this id: in open mode none can be created.
  const key_id = randomUUID();
  const decision_id = await refuse(service, user, agent_id);
  const versions = { number: '1', from: 'draft', to: 'draft' };
  const call_ids = { call_id, recording_id, session_id: call_id, room_name: call.body.room_name };
  return {
    user,
    agent_id,
    ...call_ids,
    extractor_id,
    ...scheduled,
    campaign_id,
    decision_id,
    key_id,
    ...versions,
    scenarios: [scenario_id],
    scenario_id,
  };
}

async function writeScenario(service: ReturnType<typeof requester>, user: string): Promise<string> {
  const text = 'scenario: x\ncaller: { script: [{ say: x }] }\nexpect: [{ call: { end_reason: caller_hung_up } }]\n';
  return String((await service.request('POST', '/api/scenarios', { user, body: { text } })).body.id);
}

/** A call that waits for its time, and another time for it: the one in the example is past. */
async function schedule(service: ReturnType<typeof requester>, user: string, agent_id: string) {
  const at = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const body = { agent_id, phone_number: '+15005550100', at };
  const { body: call } = await service.request('POST', '/api/calls/outbound', { user, body });
  return { scheduled_call_id: String(call.call_id), at };
}

/** The decision about a call to a suppressed number. */
async function refuse(service: ReturnType<typeof requester>, user: string, agent_id: string): Promise<string> {
  const phone_number = '+15005550197';
  await service.request('POST', '/api/suppressions', { user, body: { entries: [{ phone_number }] } });
  const { body } = await service.request('POST', '/api/calls/outbound', { user, body: { agent_id, phone_number } });
  return String(body.decision.id);
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** Required query parameters of an operation. */
const REQUIRED: Record<string, string> = {
  '/api/stats/analyses': '?field=outcome',
  '/api/telephony/lookup': '?phone_number=%2B15005550010',
  '/api/costs/report': '?group_by=day',
  '/api/costs/carrier-import': '?date=2026-01-01',
};

/** Parts of a valid request of an operation; its body is null without one. */
export function partsOf({ template, fields, example }: Operation, fixture: Fixture) {
  const ids: Record<string, string | string[]> = fixture;
  const path = template.replace(/\{(\w+)\}/g, (_, name) => String(ids[name] ?? name));
  const query = REQUIRED[template] ?? '';
  const own = Object.entries(example).map(([name, value]) => [name, name in ids ? ids[name] : value]);
  const body: Record<string, unknown> | null = fields && {
    ...Object.fromEntries(own),
    ...('user_id' in example && { user_id: fixture.user }),
  };
  const headers: [string, string][] = [
    ['x-user-id', fixture.user],
    ...(body ? [['content-type', 'application/json'] as [string, string]] : []),
  ];
  return { path, query, target: path + query, headers, body };
}

/** A valid request of an operation, and ways to change one part of it. */
export function variantsOf(operation: Operation, fixture: Fixture) {
  const { method, template } = operation;
  const { path, query, headers, ...parts } = partsOf(operation, fixture);
  const body = parts.body ? JSON.stringify(parts.body) : undefined;
  const without = (name: string) => headers.filter(([other]) => other !== name);
  return {
    plain: () => rawRequest(method, path + query, headers, body),
    withBody: (other: string | Buffer) => rawRequest(method, path, headers, other),
    withField: (name: string, json: string) => {
      const rest = Object.entries(JSON.parse(body ?? '{}')).filter(([other]) => other !== name);
      const others = rest.map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`);
      return rawRequest(method, path, headers, `{${[...others, `"${name}":${json}`].join()}}`);
    },
    withHeader: (name: string, value: string) =>
      rawRequest(method, path + query, [...without(name), [name, value]], body),
    withPath: (value: string) => rawRequest(method, template.replace(/\{\w+\}/, value), headers, body),
    withQuery: (text: string) => rawRequest(method, `${path}?${text}`, headers, body),
  };
}
