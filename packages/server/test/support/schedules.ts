import assert from 'node:assert/strict';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';

export const PHONE = '+4930123456';
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** A service whose clock stands still, with an agent and a receiver of its events. */
export async function startScheduling(at: string, env: Record<string, string> = {}) {
  const clock = createTestClock(at);
  const service = await startService({ clock, env: { CALLS_PER_SECOND: '100', CALLS_BURST: '1000', ...env } });
  const receiver = await startReceiver();
  const callback_url = `${receiver.url}/calls`;
  const agent_id = await createAgent(service);
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    service.request(method, path, { user: USER, body, ...(headers && { headers }) });
  const done = async (method: string, path: string, body: object) => {
    const answer = await send(method, path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  return {
    service,
    clock,
    agent_id,
    send,
    call: (fields: object = {}, headers?: Record<string, string>) =>
      send('POST', '/api/calls/outbound', { agent_id, phone_number: PHONE, ...fields }, headers),
    /** Books a call; returns the scheduled call. */
    book: async (fields: object) => {
      const answer = await send('POST', '/api/calls/outbound', {
        agent_id,
        phone_number: PHONE,
        callback_url,
        ...fields,
      });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      assert.deepEqual([answer.body.status, answer.body.call_status], ['SCHEDULED', 'SCHEDULED']);
      return (await send('GET', `/api/scheduled-calls/${answer.body.call_id}`)).body;
    },
    get: async (id: string) => (await send('GET', `/api/scheduled-calls/${id}`)).body,
    calls: async () => (await send('GET', '/api/calls')).body.items,
    /** Does the work that is due at a time. */
    goTo: async (time: string) => {
      clock.set(time);
      await service.app.reconcile();
    },
    policy: (rules: object) => done('PUT', '/api/dial-policies/hours', { is_default: true, ...rules }),
    suppress: () => done('POST', '/api/suppressions', { entries: [{ phone_number: PHONE }] }),
    /** Events of scheduled calls that the receiver has got. */
    events: async () =>
      receiver
        .at('/calls')
        .map(({ body }) => JSON.parse(body))
        .filter(({ type }) => type === 'scheduled_call.changed')
        .map(({ data }) => data),
  };
}
