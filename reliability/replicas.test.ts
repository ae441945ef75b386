// Two processes on one PostgreSQL, on machines whose clocks are 10 s apart: what is limited is limited over both, and what one has begun the other carries on.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '../test/support/service.ts';
import { startPostgres } from './support/postgres.ts';
import { verifyRollups } from './support/rollups.ts';
import { writeSection } from './support/section.ts';
import { type ServiceProcess, startProcess } from './support/service.ts';
import { wrongClock } from './support/wrong-clock.ts';

const REQUESTS = 1000;
/** Of the two machines. */
const CLOCKS = ['-5s', '+5s'];
const USER = 'user-1';
const postgres = await startPostgres(25110);
const rows: string[] = [];
after(() => postgres.remove());
after(() =>
  writeSection(
    7,
    'replicas',
    `## Two processes on one PostgreSQL

${REQUESTS} calls of one user at once, half of them to each process. The clock of one is 5 s behind, that of the other 5 s ahead.

| Limit | Allowed | Placed | Refused with 429 and \`Retry-After\` |
| --- | --- | --- | --- |
${rows.join('\n')}`,
  ),
);

// The sandbox allows ten times what is configured, which is a tenth here. A number that is busy ends its call at once.
const LIMITS = {
  'at the same time': {
    allowed: 20,
    env: { CALLS_CONCURRENT: '2', CALLS_BURST: '10000' },
    phone_number: '+15005550100',
  },
  'a day': {
    allowed: 30,
    env: { CALLS_PER_DAY: '3', CALLS_CONCURRENT: '10000', CALLS_BURST: '10000' },
    phone_number: '+15005550001',
  },
  'in a burst': {
    allowed: 20,
    env: { CALLS_BURST: '2', CALLS_PER_SECOND: '1', CALLS_CONCURRENT: '10000' },
    phone_number: '+15005550001',
  },
};

for (const [limit, { allowed, env, phone_number }] of Object.entries(LIMITS)) {
  test(`${REQUESTS} requests at once over two processes never exceed the limit on calls ${limit}`, async () => {
    const DATABASE_URL = await postgres.createDatabase(`limit_${limit.replaceAll(' ', '_')}`);
    // Both at once on an empty database: each must find its way.
    const starts = await Promise.allSettled(
      CLOCKS.map((by) => startProcess({ DATABASE_URL, CALLS_PER_DAY: '10000', ...env, ...wrongClock({ by }) })),
    );
    const replicas = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    try {
      assert.equal(replicas.length, 2, JSON.stringify(starts));
      const agent_id = await createAgent(replicas[0] as ServiceProcess);
      const begun = performance.now();
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, (_, index) =>
          post(replicas[index % 2] as ServiceProcess, '/api/calls/outbound', { agent_id, phone_number }),
        ),
      );
      const seconds = (performance.now() - begun) / 1000;
      const placed = answers.filter(({ status }) => status === 201).length;
      const refused = answers.filter(({ status, wait }) => status === 429 && Number(wait) >= 1).length;
      assert.equal(placed + refused, REQUESTS);
      // While the requests run, a burst is refilled by ten calls a second.
      const most = limit === 'in a burst' ? allowed + Math.ceil(seconds * 10) : allowed;
      assert.ok(placed >= allowed && placed <= most, `${placed} of ${allowed} to ${most}`);
      rows.push(
        `| ${limit} | ${most === allowed ? allowed : `${allowed}, and 10 a second`} | ${placed} | ${refused} |`,
      );
    } finally {
      for (const replica of replicas) await replica.end('SIGTERM');
    }
  });
}

test('a call of a process that was killed is ended by the other', async () => {
  const DATABASE_URL = await postgres.createDatabase('takeover');
  const env = { DATABASE_URL, RECONCILE_INTERVAL_MS: '200' };
  const start = (by: string) => startProcess({ ...env, ...wrongClock({ by }) });
  const [first, second] = [await start('+5s'), await start('-5s')];
  try {
    const agent_id = await createAgent(first);
    const { body } = await post(first, '/api/calls/outbound', { agent_id, phone_number: '+15005550100' });
    const state = async () =>
      (await fetch(`${second.url}/api/calls/${body.call_id}`)).json() as Promise<{ status: string }>;
    await eventually(state, ({ status }) => status === 'ACTIVE');
    await first.end('SIGKILL');
    await eventually(state, ({ status }) => status === 'COMPLETED');
    verifyRollups({ DATABASE_URL });
  } finally {
    await second.end('SIGTERM');
  }
});

async function createAgent(service: ServiceProcess): Promise<string> {
  const { body } = await post(service, '/api/agents/', { name: 'Front desk', user_id: USER });
  return body.id ?? '';
}

async function post({ url }: ServiceProcess, path: string, body: object) {
  const headers = { 'content-type': 'application/json', 'x-user-id': USER };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return {
    status: answer.status,
    wait: answer.headers.get('retry-after'),
    body: (await answer.json()) as Record<string, string>,
  };
}
