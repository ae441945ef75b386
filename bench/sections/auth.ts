import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createAgents, placeCalls } from '../support/api.ts';
import type { Bench } from '../support/bench.ts';
import { post, usageRequests } from '../support/inputs.ts';
import { type Sent, writeRequests } from '../support/load.ts';
import { loadTable, type Section, share, show } from '../support/report.ts';
import { type Contender, interleave } from '../support/rounds.ts';

const CONNECTIONS = 64;
const SESSIONS = 200;
const AT_LEAST = 85;
const OPEN = 'open';
const REQUIRED = 'required';
const KEYS = path.resolve(import.meta.dirname, '../../packages/server/scripts/keys.ts');

/** Requests that work in both modes; `{id}` and `{room}` stand for a session of the process under test. */
const READS: Record<string, string> = {
  'GET /api/calls/{call_id}/status': '/api/calls/{id}/status',
  'GET /api/sessions/{session_id}': '/api/sessions/{id}',
  'GET /api/sessions/by-room/{room_name}': '/api/sessions/by-room/{room}',
  'GET /api/sessions/': '/api/sessions/?limit=20',
  'GET /api/agents/': '/api/agents/',
  'GET /api/costs/summary': '/api/costs/summary',
};

interface Side extends Contender {
  headers: Record<string, string>;
  calls: { id: string; room: string }[];
}

/** API keys against open mode, on both databases: the overhead of `AUTH_MODE=required` on each path. */
export async function auth(bench: Bench): Promise<Section> {
  const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-'));
  const section: Section = { lines: [], details: '' };
  const databases: Record<string, () => Promise<Record<string, string>>> = {
    PostgreSQL: async () => ({ DATABASE_URL: await bench.database() }),
    'the embedded database': async () => ({ DATA_DIR: mkdtempSync(path.join(dir, 'data-')) }),
  };
  for (const [name, open] of Object.entries(databases)) {
    const sides = [await start(bench, OPEN, await open()), await start(bench, REQUIRED, await open())];
    for (const [what, requestsOf] of Object.entries(paths()))
      await compare(section, `${name}, ${what}`, sides, requestsOf);
    await bench.end();
  }
  rmSync(dir, { recursive: true });
  return section;
}

function paths(): Record<string, (side: Side) => Sent[]> {
  const events = usageRequests(20_000);
  const read = (template: string) => (side: Side) =>
    side.calls.map(({ id, room }) => ({
      method: 'GET' as const,
      headers: { ...side.headers, 'x-user-id': 'user-0' },
      path: template.replace('{id}', id).replace('{room}', room),
    }));
  return {
    'POST /api/usage/events': (side) => events.map((one) => ({ ...one, headers: side.headers })),
    'POST …/transcripts': (side) =>
      side.calls.map(({ room }) =>
        post(`/api/sessions/by-room/${room}/transcripts`, { content: 'Hello' }, side.headers),
      ),
    ...Object.fromEntries(Object.entries(READS).map(([what, template]) => [what, read(template)])),
  };
}

async function compare(
  section: Section,
  what: string,
  sides: Side[],
  requestsOf: (side: Side) => Sent[],
): Promise<void> {
  const written = new Map(sides.map((side) => [side.name, writeRequests(requestsOf(side))]));
  const by = await interleave(sides, CONNECTIONS, ({ name }) => written.get(name) as ReturnType<typeof writeRequests>);
  for (const { remove } of written.values()) remove();
  const [open, required] = [by[OPEN]?.per_second ?? 0, by[REQUIRED]?.per_second ?? 0];
  section.lines.push(
    share(`${what}: required of open, ${show(required)} of ${show(open)} a second`, required, open, AT_LEAST),
  );
  section.details += `${what}, ${CONNECTIONS} connections.\n\n${loadTable(by)}\n\n`;
}

/**
 * A service with calls of one user, and headers with a valid key. The first key is created before the start, as an
 * operator does.
 */
async function start(
  bench: Bench,
  name: typeof OPEN | typeof REQUIRED,
  database: Record<string, string>,
): Promise<Side> {
  const env = { ...database, AUTH_MODE: name };
  const key = name === OPEN ? undefined : await firstKey(env);
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const service = await bench.startService(name, env);
  const [agent] = await createAgents(service.url, 1, key);
  const started = await placeCalls(service.url, Array(SESSIONS).fill(agent), '+15005550100', key);
  const calls = started.map(({ call_id, room_name }) => ({ id: call_id, room: room_name }));
  return { ...service, headers, calls };
}

async function firstKey(env: Record<string, string>): Promise<string> {
  const args = [KEYS, 'create', '--name', 'bench', '--role', 'service'];
  const options = { env: { PATH: process.env.PATH, ...env } };
  return (await promisify(execFile)(process.execPath, args, options)).stdout.split('\n')[0] ?? '';
}
