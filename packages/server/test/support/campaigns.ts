import assert from 'node:assert/strict';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { DialRequest } from '../../src/providers/phones.ts';
import { createSandboxMedia, type SandboxMedia } from '../../src/providers/sandbox/media.ts';

export const LIMITS = {
  CALLS_CONCURRENT: '1000',
  CALLS_PER_SECOND: '1000',
  CALLS_BURST: '10000',
  CALLS_PER_DAY: '100000',
  RINGING_TIMEOUT_S: '1',
};
/** Paces that stop nobody. */
export const FAST = { max_concurrent: 1_000, per_minute: 60_000, reserve_for_others: 0 };

/** A sandbox that notes which phones it dials; those that answer hang up at once, except for `lasting`. */
export function countingMedia(...lasting: string[]) {
  const dialled: DialRequest[] = [];
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 5 });
  const media: SandboxMedia = {
    ...sandbox,
    dial: async (request, canceled) => {
      dialled.push(request);
      const outcome = await sandbox.dial(request, canceled);
      const { room_name, identity, phone_number } = request;
      if (outcome.answered && !lasting.includes(phone_number)) setTimeout(() => sandbox.hangUp(room_name, identity), 5);
      return outcome;
    },
  };
  return { media, dialled, numbers: () => dialled.map(({ phone_number }) => phone_number) };
}

interface Shown {
  state: string;
  blocked: { reason: string; until: string | null } | null;
  abandonment: { answered: number; is_exceeded: boolean } | null;
  spent: string;
  recipients: Record<string, number>;
}

/** Requests about the campaigns of USER. */
export async function outreach(service: Pick<Service, 'request'>) {
  const agent_id = await createAgent(service);
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    service.request(method, path, { user: USER, body, headers });
  const ok = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await send(method, path, body, headers);
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const create = async (fields: object = {}): Promise<string> =>
    (await ok('POST', '/api/campaigns', { name: 'Renewals', agent_id, pacing: FAST, ...fields })).id;
  const add = (id: string, recipients: object[]) => ok('POST', `/api/campaigns/${id}/recipients`, { recipients });
  return {
    agent_id,
    send,
    ok,
    create,
    add,
    act: (id: string, action: string) => ok('POST', `/api/campaigns/${id}/${action}`),
    get: (id: string) => ok('GET', `/api/campaigns/${id}`),
    recipients: async (id: string) => (await ok('GET', `/api/campaigns/${id}/recipients?limit=100`)).items,
    becomes: (id: string, is: (campaign: Shown) => boolean) =>
      eventually(() => ok('GET', `/api/campaigns/${id}`), is, 100_000),
  };
}
