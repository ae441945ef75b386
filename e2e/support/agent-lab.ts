import assert from 'node:assert/strict';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';

interface Task {
  task_id: string;
  lease_token: number;
}

/** Makes agents, drafts and calls, and does what a worker does. */
export function createLab(service: Pick<Service, 'request'>) {
  const ask = async (method: string, route: string, body?: object) => {
    // Tasks of a claim with a user are those of this user: checks of providers are nobody's.
    const user = route.startsWith('/api/worker/') ? {} : { user: 'me' };
    const answer = await service.request(method, route, { ...user, ...(body && { body }) });
    assert.ok(answer.status < 300, `${method} ${route}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const description = 'Answers questions.';
  return {
    ask,
    createAgent: async (name: string, config: object): Promise<string> =>
      (await ask('POST', '/api/agents/', { name, description, user_id: 'me', config })).id,
    putDraft: (id: string, name: string, config: object) =>
      ask('PUT', `/api/agents/${id}/draft`, { name, description, config }),
    /** Takes the next task of a kind. */
    claim: async (kind: string): Promise<Task> =>
      (await ask('POST', '/api/worker/tasks/claim', { kind, wait_s: 30 })).tasks[0] ?? assert.fail(`no ${kind}`),
    complete: ({ task_id, lease_token }: Task, result: object) =>
      ask('POST', `/api/worker/tasks/${task_id}/complete`, { lease_token, result }),
    /** A call of an agent that has ended, and in which something was said. */
    call: async (agent_id: string): Promise<void> => {
      const variables = { first_name: 'Ada' };
      const placed = await ask('POST', '/api/calls/outbound', { agent_id, phone_number: '+15005550100', variables });
      await eventually(
        () => ask('GET', `/api/calls/${placed.call_id}/status`),
        ({ call_status }) => call_status === 'ANSWERED',
      );
      const said = { speaker: 'USER', content: 'Hello?' };
      await ask('POST', `/api/sessions/by-room/${placed.room_name}/transcripts`, said);
      await ask('POST', `/api/calls/${placed.call_id}/end`);
    },
  };
}
