import assert from 'node:assert/strict';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';

export type Asked = Pick<Service, 'request'>;

/** Asks for a call in a browser. */
export function ask(on: Asked, body: Json, headers: Record<string, string> = {}) {
  return on.request('POST', '/api/calls/web', { user: USER, body, headers });
}

/** A call in a browser, as it was answered. */
export async function begin(on: Asked, fields: Json = {}): Promise<Json> {
  const agent_id = fields.agent_id ?? (await createAgent(on as Service));
  const { status, body } = await ask(on, { ...fields, agent_id });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

export async function statusOf(on: Asked, call_id: string): Promise<string> {
  return (await on.request('GET', `/api/calls/${call_id}/status`)).body.call_status;
}

/** Waits until somebody of this identity is in the room. */
export function isThere(media: Service['media'], room_name: string, identity: string) {
  return eventually(
    () => media.listParticipants(room_name),
    (all) => all.some((one) => one.identity === identity),
  );
}
