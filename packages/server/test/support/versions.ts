import assert from 'node:assert/strict';
import type { Service } from '@switchboard/testkit/service.ts';

export const NIGHT = { greeting: 'Good evening.' };
export const MORNING = { greeting: 'Good morning.' };

/** Requests about the versions of one agent of a user. */
export function versionsOf(service: Service, agent_id: string, user: string) {
  const path = `/api/agents/${agent_id}`;
  const send = (method: string, rest: string, body?: object, headers: Record<string, string> = {}) =>
    service.request(method, `${path}${rest}`, { user, ...(body && { body }), headers });
  const made = async (config: object, name = 'Desk') => {
    assert.equal((await send('PUT', '/draft', { name, config })).status, 200);
    const { status, body } = await send('POST', '/versions', {});
    assert.ok(status === 201 || status === 200, JSON.stringify(body));
    return body.number as number;
  };
  return {
    send,
    /** Makes a version with this configuration and returns its number. */
    made,
    /** The arms that are released. */
    arms: async () => (await send('GET', '/release')).body.arms as { version: number; weight: number }[],
    release: (...arms: [version: number, weight: number][]) =>
      send('PUT', '/release', { arms: arms.map(([version, weight]) => ({ version, weight })), sticky_by: 'number' }),
    agent: async () => (await send('GET', '')).body,
  };
}

/** An agent of the user, which answers with the greeting of the night. */
export async function nightAgent(service: Service, user = 'me') {
  const { body } = await service.request('POST', '/api/agents/', {
    body: { name: 'Desk', user_id: user, config: NIGHT },
  });
  return { id: body.id as string, ...versionsOf(service, body.id, user) };
}
