import assert from 'node:assert/strict';
import type { Service } from '@switchboard/testkit/service.ts';
import { newId } from '../../src/lib/ids.ts';

type Asked = Pick<Service, 'request'>;

const START = Date.parse('2026-01-30T20:00:00Z');

/** Open calls of a user, from some days, as the service has them once they were placed or answered. */
export async function openCalls(of: Service, user_id: string, agents: string[], count: number): Promise<string[]> {
  const directions = ['OUTBOUND', 'INBOUND', null] as const;
  const rows = Array.from({ length: count }, (_, index) => {
    const created_at = new Date(START + index * 1_234_567);
    const isAnswered = index % 3 !== 0;
    const started_at = isAnswered ? new Date(created_at.getTime() + Math.round(300 * 1.05 ** (index % 90))) : null;
    return {
      id: newId(),
      room_name: `call-${user_id}-${index}`,
      user_id,
      agent_id: agents[index % agents.length] ?? null,
      status: isAnswered ? ('ACTIVE' as const) : ('CREATED' as const),
      call_status: isAnswered ? ('ANSWERED' as const) : ('RINGING' as const),
      call_direction: directions[index % directions.length] ?? null,
      session_data: '{}',
      session_data_bytes: 2,
      created_at,
      updated_at: created_at,
      started_at,
    };
  });
  await of.database.db.insertInto('sessions').values(rows).execute();
  return rows.map(({ id }) => id);
}

/** Ends calls: in the ways in which their users and workers do, at the same time. */
export async function endAll(of: Asked, ids: string[]): Promise<void> {
  await Promise.all(
    ids.map(async (id, index) => {
      const reported = { answered_by: ['human', 'voicemail', 'ivr'][index % 3], hang_up: index % 2 === 0 };
      if (index % 4 === 1) await of.request('POST', `/api/calls/${id}/outcome`, { body: reported });
      const { status } =
        index % 5 === 0
          ? await of.request('POST', `/api/calls/${id}/end`)
          : await of.request('PATCH', `/api/sessions/${id}`, {
              body: { duration: Math.round(1.03 ** (index % 200)) + 0.25 },
            });
      assert.equal(status, 200);
      if (index % 4 === 3) await of.request('POST', `/api/calls/${id}/outcome`, { body: { answered_by: 'human' } });
    }),
  );
}

/** The answer to `GET /api/stats/calls`. */
export async function callStats(of: Asked, query = '', user?: string) {
  const answer = await of.request('GET', `/api/stats/calls${query}`, { ...(user !== undefined && { user }) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}
