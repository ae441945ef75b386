import { createSwitchboard } from '@switchboard/client';
import { type Json, request } from '@switchboard/testkit/client.ts';

const WAIT_S = 30;

/** Sends a request of a worker. Throws if the answer is no success. */
async function ask(url: string, path: string, body: object, signal?: AbortSignal): Promise<Json> {
  const answer = await request(url, { method: 'POST', path: `/api/worker/tasks/${path}`, body }, signal);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/**
 * Milliseconds from when a worker sends the first word of an answer until it is with the client that streams it, for
 * each of so many messages of a chat. The stand-in for a worker answers each with one word.
 */
export async function firstWords(url: string, user: string, agent_id: string, messages: number): Promise<number[]> {
  const client = createSwitchboard({ baseUrl: url, userId: user });
  const { chat_id } = await client.chats.start({ agent_id });
  const times: number[] = [];
  for (let message = 0; message < messages; message++) {
    const claimed = ask(url, 'claim', { kind: 'chat_turn', wait_s: WAIT_S });
    let sentAt = 0;
    const answering = claimed.then(async ({ tasks: [{ task_id, lease_token }] }) => {
      sentAt = performance.now();
      await ask(url, `${task_id}/events`, { lease_token, events: [{ type: 'words', text: 'Hello.' }] });
      await ask(url, `${task_id}/complete`, { lease_token, result: { content: 'Hello.' } });
    });
    for await (const { event } of client.chats.stream(chat_id, { content: 'Hello?' }))
      if (event === 'words') times.push(performance.now() - sentAt);
    await answering;
  }
  return times;
}

/** So many workers that wait for tasks, of which there are none, until they are told to stop. */
export function waitForTasks(url: string, workers: number): { stop(): Promise<void> } {
  const stopping = new AbortController();
  async function wait(): Promise<void> {
    while (!stopping.signal.aborted)
      await ask(url, 'claim', { kind: 'scenario', wait_s: WAIT_S }, stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error;
      });
  }
  const all = Array.from({ length: workers }, wait);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(all);
    },
  };
}
