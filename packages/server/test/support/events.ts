import assert from 'node:assert/strict';
import { USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { listen, type StreamEvent } from '@switchboard/testkit/event-stream.ts';
import { startService } from '@switchboard/testkit/service.ts';

/** Two replicas on one database, and what a client of `GET /api/events` does with them. */
export async function startReplicas() {
  const database = await openTestDatabase();
  const [here, elsewhere] = [await startService({ database }), await startService({ database })];

  async function follow(
    last?: string,
    {
      service = here,
      user = USER,
      headers = {},
    }: { service?: typeof here; user?: string | null; headers?: Record<string, string> } = {},
  ) {
    const stream = await listen(`${service.url}/api/events`, {
      ...(user !== null && { 'x-user-id': user }),
      ...(last !== undefined && { 'last-event-id': last }),
      ...headers,
    });
    assert.equal(stream.status, 200);
    if (headers.paused === undefined) await stream.until(() => stream.lastId() !== '');
    return stream;
  }

  return {
    database,
    here,
    elsewhere,
    follow,
    say: (room_name: string, content: string, service = here) =>
      service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content } }),
    end: (call_id: string, service = here) => service.request('POST', `/api/calls/${call_id}/end`),
    use: (session_id: string, user_id = USER) =>
      here.request('POST', '/api/usage/events', {
        body: {
          session_id,
          user_id,
          provider: 'openai',
          event_type: 'llm_tokens',
          quantity: 100,
          unit_cost: '0.0000150',
          total_cost: '0.0015',
        },
      }),
    close: async () => {
      await Promise.all([here.close(), elsewhere.close()]);
      await database.close();
    },
  };
}

/** Names each event in a word. */
export function labels(events: StreamEvent[]): string[] {
  return events.map(({ event, data }) => {
    if (event === 'call') return `${data.call_id} ${data.call_status}`;
    return event === 'transcript' ? data.content : event;
  });
}
