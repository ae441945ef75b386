import type { Client } from './client.ts';
import { pause } from './pace.ts';
import * as screen from './screen.ts';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Sends a request and shows it with its outcome. */
export async function show<T>(client: Client, send: () => Promise<T>, outcome: (answer: T) => string): Promise<T> {
  await pause(350);
  const answer = await send();
  const { method, path, status } = client.last();
  screen.request(method, path.replaceAll(UUID, '…'), status, outcome(answer));
  return answer;
}
