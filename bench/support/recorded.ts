/** Calls with recordings, in a service of the bench. */
import { request } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { createAgents, placeCalls } from './api.ts';

export type Requester = Pick<Service, 'request'>;

const ANSWERS = '+15005550100';
const PATIENCE_MS = 120_000;

/** A service of which only requests are known. */
const requester = (url: string): Requester => ({
  request: (method, path, options) => request(url, { method, path, ...options }),
});

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
  await eventually(
    () => recordingOf(service, call_id),
    (recording) => recording?.state === state,
    PATIENCE_MS,
  );
}
