/** Versions of agents while the service is killed: what was acknowledged of them is what there is afterwards. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { type Json, read, send } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { LOAD_SETTINGS } from './support/load.ts';

const ROUNDS = 3;
/** Calls acknowledged before each kill. */
const CALLS = 15;
const USER = 'me';
const VERSIONS = [1, 2, 3, 4];
const greetingOf = (version: number) => `This is version ${version}.`;

const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-versions-killed-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const started: ServiceProcess[] = [];
after(() => started.at(-1)?.end('SIGKILL'));

async function start(): Promise<ServiceProcess> {
  const service = await startProcess({ ...LOAD_SETTINGS, DATA_DIR: dir });
  started.push(service);
  return service;
}

/** The body of the answer; null without one, because the service has died. */
async function ask({ url }: ServiceProcess, method: string, route: string, body?: object): Promise<Json | null> {
  const reply = await send(url, { method, path: route, user: USER, body });
  if (reply.status === 0) return null;
  assert.ok(reply.status < 300, `${method} ${route}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** An agent with a version for each number, each with its greeting. */
async function makeVersions(service: ServiceProcess): Promise<string> {
  const content = (version: number) => ({ name: 'Desk', config: { greeting: greetingOf(version) } });
  const agent = await ask(service, 'POST', '/api/agents/', { ...content(1), user_id: USER });
  for (const version of VERSIONS.slice(1)) {
    await ask(service, 'PUT', `/api/agents/${agent?.id}/draft`, content(version));
    await ask(service, 'POST', `/api/agents/${agent?.id}/versions`, {});
  }
  return agent?.id;
}

/** Releases one version or two, and rolls back, until the service is gone. */
async function releaseOn(service: ServiceProcess, route: string): Promise<void> {
  for (let turn = 0; ; turn++) {
    const [one = 1, other = 2] = [VERSIONS[turn % 4], VERSIONS[(turn + 1) % 4]];
    const split = [one, other].map((version) => ({ version, weight: 50 }));
    const arms = turn % 2 === 0 ? split : [{ version: one, weight: 100 }];
    const released = await ask(service, 'PUT', `${route}/release`, { arms, sticky_by: 'number' });
    const isBack = turn % 3 === 2 && released && (await ask(service, 'POST', `${route}/rollback`));
    if (!released || isBack === null) return;
  }
}

/** Places calls until the service is gone; records which version each had when it was acknowledged. */
async function callOn(service: ServiceProcess, agent_id: string, versions: Map<string, number>): Promise<void> {
  for (let turn = 0; ; turn++) {
    const phone_number = `+1500555${String(100 + (turn % 100)).padStart(4, '0')}`;
    const call = await ask(service, 'POST', '/api/calls/outbound', { agent_id, phone_number });
    const shown = call && (await ask(service, 'GET', `/api/calls/${call.call_id}`));
    if (!shown) return;
    versions.set(shown.call_id, shown.agent_version);
  }
}

test('calls keep their version, and an agent is what its release says, through kills while it is released', {
  timeout: 600_000,
}, async () => {
  let service = await start();
  const agent_id = await makeVersions(service);
  const route = `/api/agents/${agent_id}`;
  const seen = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const versions = new Map<string, number>();
    const work = Promise.all([releaseOn(service, route), callOn(service, agent_id, versions)]);
    await Promise.race([
      work,
      eventually(
        async () => versions.size,
        (count) => count >= CALLS,
        60_000,
      ),
    ]);
    await service.end('SIGKILL');
    await work;
    service = await start();
    const { arms } = await read(service.url, `${route}/release`, USER);
    const [main] = arms.toSorted((a: Json, b: Json) => b.weight - a.weight);
    const { config } = await read(service.url, route, USER);
    assert.equal(config.greeting, greetingOf(main.version), JSON.stringify(arms));
    for (const [call_id, version] of versions) {
      seen.add(version);
      assert.equal((await read(service.url, `/api/calls/${call_id}`, USER)).agent_version, version);
      const { job } = await read(service.url, `/api/calls/${call_id}/job`, USER);
      assert.deepEqual([job.agent_version, job.config.greeting], [version, greetingOf(version)]);
    }
  }
  assert.ok(seen.size > 1, 'calls have had several versions');
});
