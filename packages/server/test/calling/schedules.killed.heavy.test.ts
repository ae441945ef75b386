// Calls that are due while processes are killed: each is placed once, and none is forgotten.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { request } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { killPrograms } from '@switchboard/testkit/program.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { makeCommandDatabase } from '../support/command-database.ts';

/** The embedded database serves one process at a time. */
const PROCESSES = process.env.TEST_DATABASE_URL === undefined ? 1 : 2;
const CALLS = 60;
const KILLS = 3;

after(killPrograms);

test('calls that are due are placed once each, however often processes are killed', { timeout: 300_000 }, async () => {
  const { where } = await makeCommandDatabase();
  const limits = { CALLS_CONCURRENT: '1000', CALLS_BURST: '1000', CALLS_PER_SECOND: '1000' };
  // The processes look for work every 100 ms.
  const start = () => startProcess({ ...where, ...limits, RECONCILE_INTERVAL_MS: '100' });
  const running: ServiceProcess[] = [];
  for (let index = 0; index < PROCESSES; index++) running.push(await start());
  const ask = async (method: string, path: string, body?: object) => {
    const { url } = running.at(-1) ?? assert.fail();
    const { status, body: answer } = await request(url, { method, path, user: USER, ...(body && { body }) });
    assert.ok(status < 500, JSON.stringify(answer));
    return answer;
  };
  const agent_id = (await ask('POST', '/api/agents/', { name: 'Front desk', user_id: USER })).id;
  const now = Date.now();
  for (let index = 0; index < CALLS; index++) {
    const at = new Date(now + 3_000 + index * 50).toISOString();
    const booked = await ask('POST', '/api/calls/outbound', { agent_id, phone_number: `+4930${200_000 + index}`, at });
    // Machines are slow at times: what is due already is called at once.
    if (booked.status !== 'SCHEDULED')
      await ask('POST', '/api/calls/outbound', {
        agent_id,
        phone_number: `+4930${200_000 + index}`,
        at: new Date(Date.now() + 5_000).toISOString(),
      });
  }
  const all = async () => (await ask('GET', '/api/scheduled-calls?limit=100')).items as Record<string, string>[];
  const placed = (rows: Record<string, string>[]) => rows.filter(({ status }) => status === 'PLACED').length;
  for (let kill = 1; kill <= KILLS; kill++) {
    await eventually(all, (rows) => placed(rows) >= (kill * CALLS) / (KILLS + 2), 120_000);
    await running.shift()?.end('SIGKILL');
    running.push(await start());
  }
  const rows = await eventually(all, (found) => placed(found) === CALLS, 200_000);
  assert.equal(new Set(rows.map(({ call_id }) => call_id)).size, CALLS);
  const calls = (await ask('GET', '/api/calls?limit=100')).items as Record<string, string>[];
  assert.equal(calls.length, CALLS);
  assert.equal(new Set(calls.map((one) => one.outbound_phone_number)).size, CALLS);
  for (const one of running) await one.end('SIGTERM');
});
