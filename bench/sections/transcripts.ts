import { query } from '@switchboard/testkit/postgres.ts';
import { createSessions } from '../support/api.ts';
import type { Bench } from '../support/bench.ts';
import { post } from '../support/inputs.ts';
import { type Sent, writeRequests } from '../support/load.ts';
import { loadTable, ratio, type Section } from '../support/report.ts';
import { interleave } from '../support/rounds.ts';

const ROOMS = 500;
const CONNECTIONS = [64, 256];
const CONTENT = 'I would like to move my appointment to Thursday, if that is possible, at any time after four.';

/** `POST /api/sessions/by-room/{room_name}/transcripts`. */
export async function transcripts(bench: Bench): Promise<Section> {
  const asyncpg = await bench.startFastApi('FastAPI + asyncpg', 'fastapi_asyncpg');
  const service = await bench.startService('Switchboard', { DATABASE_URL: await bench.database() });
  const rooms = Array.from({ length: ROOMS }, (_, index) => `room-${index}`);
  await createSessions(service.url, rooms);
  await query(
    asyncpg.database,
    `insert into sessions (id, user_id, room_name, status) select gen_random_uuid(), 'user-1', 'room-' || i, 'ACTIVE' from generate_series(0, ${ROOMS - 1}) as i`,
  );
  const requests = writeRequests(rooms.flatMap(transcriptsOf));
  const section: Section = { lines: [], details: '' };
  for (const connections of CONNECTIONS) {
    const by = await interleave([service, asyncpg], connections, () => requests);
    const [ours, theirs] = [by.Switchboard?.per_second ?? 0, by[asyncpg.name]?.per_second ?? 0];
    section.lines.push(ratio(`${connections} connections: FastAPI + asyncpg`, ours, theirs, 4));
    section.details += `${connections} connections.\n\n${loadTable(by)}\n\n`;
  }
  requests.remove();
  return section;
}

function transcriptsOf(room: string): Sent[] {
  return ['USER', 'AGENT'].map((speaker) =>
    post(`/api/sessions/by-room/${room}/transcripts`, { speaker, content: CONTENT }),
  );
}
