import { query } from '@switchboard/testkit/postgres.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { callRequests, createAgents, warmUp } from '../support/api.ts';
import type { Bench } from '../support/bench.ts';
import { load, writeRequests } from '../support/load.ts';
import { loadTable, type Section, show } from '../support/report.ts';

const USERS = 300;
const CONNECTIONS = 64;
const SECONDS = 15;
/** Answers, and hangs up after a second. */
const PHONE = '+15005550005';
const RINGS_ON = { SANDBOX_RING_MS: '60000', RINGING_TIMEOUT_S: '79' };

/** `POST /api/calls/outbound` on the sandbox's phones, with all consequences: answered, hung up, settled. */
export async function calls(bench: Bench): Promise<Section> {
  const database = await bench.database();
  const service = await bench.startService('Switchboard', { DATABASE_URL: database, SANDBOX_RING_MS: '100' });
  const requests = callRequests(await createAgents(service.url, USERS), PHONE);
  await warmUp(service.url, requests, CONNECTIONS, 3);
  const written = writeRequests(requests);
  const result = await load(service.url, written, CONNECTIONS, SECONDS);
  written.remove();
  const settled_s = await untilSettled(database);
  const commits = await commitsBeforeAnswer(bench);
  return {
    lines: [
      {
        what: 'calls a second, one process',
        measured: show(result.per_second),
        at_least: '300',
        reached: result.per_second >= 300,
      },
      {
        what: 'commits a call before the 201',
        measured: commits.toFixed(2),
        at_least: 'at most 2',
        reached: commits <= 2,
      },
    ],
    details: `${CONNECTIONS} connections for ${SECONDS} s; phones that answer and hang up after a second. After the last answer it took ${settled_s.toFixed(1)} s
until no call was open.\n\n${loadTable({ Switchboard: result })}`,
  };
}

async function untilSettled(database: string): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const [row] = await query<{ open: string }>(
      database,
      "select count(*) as open from sessions where status in ('CREATED', 'ACTIVE')",
    );
    if (Number(row?.open) === 0) return (performance.now() - begun) / 1000;
    await systemClock.sleep(100);
  }
}

/**
 * While phones keep ringing, the database's commits are those before the responses; the service's background work is
 * subtracted.
 */
async function commitsBeforeAnswer(bench: Bench): Promise<number> {
  const database = await bench.database();
  const { url } = await bench.startService('Switchboard', { DATABASE_URL: database, ...RINGS_ON });
  const agents = await createAgents(url, USERS);
  const count = async () => {
    // Processes report their counts when idle, at most once a second.
    await systemClock.sleep(2000);
    const [row] = await query<{ commits: string; sessions: string }>(
      database,
      `select xact_commit as commits, (select count(*) from sessions) as sessions from pg_stat_database where datname = current_database()`,
    );
    return { commits: Number(row?.commits), sessions: Number(row?.sessions), at: performance.now() };
  };
  const [first, before] = [await count(), await count()];
  await warmUp(url, callRequests(agents, PHONE), CONNECTIONS, 5);
  const after = await count();
  const background = ((before.commits - first.commits) / (before.at - first.at)) * (after.at - before.at);
  return (after.commits - before.commits - background) / (after.sessions - before.sessions);
}
