/** Calls with recordings, in a service of the bench. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '@switchboard/testkit/service.ts';
import { createAgents, placeCalls } from './api.ts';

export type Requester = Pick<Service, 'request'>;

const ANSWERS = '+15005550100';
const PATIENCE_MS = 120_000;

/** A service of which only requests are known. */
function requester(url: string): Requester {
  return {
    request: async (method, path, { body, user, headers } = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(user !== undefined && { 'x-user-id': user }),
          ...(headers as Record<string, string>),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text && JSON.parse(text), headers: response.headers } as never;
    },
  };
}

/** A call, and the service to report on it. */
export async function callIn(url: string): Promise<{ call_id: string; service: Requester }> {
  const [call] = await placeCalls(url, await createAgents(url, 1), ANSWERS);
  if (!call) throw new Error('no call was placed');
  return { call_id: call.call_id, service: requester(url) };
}

export async function recordingOf({ request }: Requester, call_id: string) {
  return (await request('GET', `/api/calls/${call_id}/recordings`)).body.recordings[0];
}

/** Waits for the state of the only recording of a call. */
export async function untilState(service: Requester, call_id: string, state: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const recording = await recordingOf(service, call_id);
    if (recording?.state === state) return;
    if (Date.now() > until) throw new Error(`the recording is ${recording?.state} and not ${state}`);
    await sleep(250);
  }
}
