// Two processes on one PostgreSQL: limits hold across both, and one continues the work that the other has begun.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { read, sendPatiently } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startPostgres } from '@switchboard/testkit/postgres.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';

const REQUESTS = 1000;
const USER = 'user-1';
const postgres = await startPostgres(await freePort());
const rows: string[] = [];
after(() => postgres.remove());
after(() =>
  writeSection(
    9,
    'replicas',
    `## Two processes on one PostgreSQL

${REQUESTS} calls of one user at once, half of them to each process.

| Limit | Allowed | Placed | Refused with 429 and \`Retry-After\` |
| --- | --- | --- | --- |
${rows.join('\n')}`,
  ),
);

// The sandbox allows ten times the configured limits, which are a tenth here. A busy number ends its call at once.
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
  test(`${REQUESTS} concurrent requests over two processes never exceed the limit on calls ${limit}`, async () => {
    const DATABASE_URL = await postgres.createDatabase(`limit_${limit.replaceAll(' ', '_')}`);
    // Both start at once on an empty database.
    const starts = await Promise.allSettled(
      [1, 2].map(() => startProcess({ DATABASE_URL, CALLS_PER_DAY: '10000', ...env })),
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
      const refused = answers.filter(
        ({ status, headers }) => status === 429 && Number(headers.get('retry-after')) >= 1,
      ).length;
      assert.equal(placed + refused, REQUESTS);
      // While the requests run, ten calls a second refill a burst.
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

test('concurrent calls and transfers over two processes never dial more phones than the limits allow', async () => {
  for (const [limit, allowed, env] of [
    ['at the same time', 40, { CALLS_CONCURRENT: '4', CALLS_PER_DAY: '10000' }],
    ['a day', 40, { CALLS_PER_DAY: '4', CALLS_CONCURRENT: '10000' }],
  ] as const) {
    const DATABASE_URL = await postgres.createDatabase(`transfers_${limit.replaceAll(' ', '_')}`);
    const first = await startProcess({ DATABASE_URL, CALLS_BURST: '10000', ...env });
    const second = await startProcess({ DATABASE_URL, CALLS_BURST: '10000', ...env });
    try {
      const agent_id = await createAgent(first);
      const call = (replica: ServiceProcess) =>
        post(replica, '/api/calls/outbound', { agent_id, phone_number: '+15005550100' });
      const calls = await Promise.all(Array.from({ length: 20 }, () => call(first)));
      for (const { body } of calls)
        await eventually(
          () => read(first.url, `/api/calls/${body.call_id}/status`, USER),
          ({ call_status }) => call_status === 'ANSWERED',
        );
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, index) => {
          const replica = Math.floor(index / 20) % 2 ? first : second;
          if (index % 10 === 0) return call(replica);
          const transfer = { phone_number: '+15005550101', type: 'WARM' };
          return post(replica, `/api/sessions/${calls[index % 20]?.body.call_id}/transfer`, transfer);
        }),
      );
      const dialled = answers.filter(({ status }) => status === 200 || status === 201).length;
      const refused = answers.filter(({ status }) => status === 429 || status === 409).length;
      assert.equal(dialled + refused, answers.length);
      assert.ok(calls.length + dialled <= allowed, `${calls.length + dialled} of ${allowed} ${limit}`);
      // Exactly as many were counted: both refuse the next one.
      for (const replica of [first, second]) assert.equal((await call(replica)).status, 429);
    } finally {
      await first.end('SIGTERM');
      await second.end('SIGTERM');
    }
  }
});

test('a call of a process that was killed is ended by the other', async () => {
  const DATABASE_URL = await postgres.createDatabase('takeover');
  const env = { DATABASE_URL, RECONCILE_INTERVAL_MS: '200' };
  const [first, second] = [await startProcess(env), await startProcess(env)];
  try {
    const agent_id = await createAgent(first);
    const { body } = await post(first, '/api/calls/outbound', { agent_id, phone_number: '+15005550100' });
    const state = async () =>
      (await fetch(`${second.url}/api/calls/${body.call_id}`)).json() as Promise<{ status: string }>;
    await eventually(state, ({ status }) => status === 'ACTIVE');
    await first.end('SIGKILL');
    await eventually(state, ({ status }) => status === 'COMPLETED');
  } finally {
    await second.end('SIGTERM');
  }
});

async function createAgent(service: ServiceProcess): Promise<string> {
  const { body } = await post(service, '/api/agents/', { name: 'Front desk', user_id: USER });
  return body.id ?? '';
}

/**
 * The response once the service accepts the request: on a busy machine requests that wait too long for the database get
 * 503.
 */
function post({ url }: ServiceProcess, path: string, body: object) {
  return sendPatiently(url, { method: 'POST', path, user: USER, key: randomUUID(), body });
}
