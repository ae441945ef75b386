import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import type { Service as FullService } from './service.ts';

type Service = Pick<FullService, 'request'>;

export const USER = 'user-1';

/** An agent of USER that accepts calls. */
export async function createAgent(service: Service, fields: object = {}): Promise<string> {
  const { status, body } = await service.request('POST', '/api/agents/', {
    body: { name: 'Front desk', user_id: USER, ...fields },
  });
  assert.equal(status, 201);
  return body.id;
}

/** Places a call of USER and returns the answer to `POST /api/calls/outbound`. */
export async function placeCall(
  service: Service,
  phone_number: string,
  fields: {
    agent_id?: string;
    agent_version?: number;
    callback_url?: string;
    purpose?: string;
    variables?: object;
    metadata?: object;
    sip_headers?: Record<string, string>;
  } = {},
) {
  const agent_id = fields.agent_id ?? (await createAgent(service));
  const answer = await service.request('POST', '/api/calls/outbound', {
    user: USER,
    body: { phone_number, ...fields, agent_id },
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  assert.equal(answer.body.status, 'RINGING');
  return answer.body as { call_id: string; room_name: string };
}

/** Waits until the call has this `call_status`, and returns the whole call. */
export async function reaches(service: Service, call_id: string, call_status: string) {
  const answer = await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    ({ body }) => body.call_status === call_status,
  );
  return answer.body;
}

/** A call that has been answered. */
export async function answeredCall(
  service: Service,
  fields: { agent_id?: string; agent_version?: number; callback_url?: string } = {},
) {
  const call = await placeCall(service, '+15005550100', fields);
  await reaches(service, call.call_id, 'ANSWERED');
  return call;
}
