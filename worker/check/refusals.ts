/** The status with which a server refuses a WebSocket, of which some plugins keep only that they could not connect. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';

interface Noted {
  /** Status of the last refused request; null for none. */
  status: number | null;
}

const current = new AsyncLocalStorage<Noted>();
const byRequest = new WeakMap<object, Noted>();

subscribe('http.client.request.start', (message) => {
  const noted = current.getStore();
  if (noted) byRequest.set((message as { request: object }).request, noted);
});
subscribe('http.client.response.finish', (message) => {
  const { request, response } = message as { request: object; response: { statusCode?: number } };
  const noted = byRequest.get(request);
  if (noted && (response.statusCode ?? 0) >= 400) noted.status = response.statusCode ?? null;
});

/** Runs `work`, and notes the refusals of requests that begin in it. */
export function noteRefusals<T>(noted: Noted, work: () => T): T {
  return current.run(noted, work);
}
