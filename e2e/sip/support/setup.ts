import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startPostgres } from '@switchboard/testkit/postgres.ts';
import { type LabOptions, type SipLab, startSipLab } from './network.ts';
import { type LabWorker, type Switchboard, startLabWorker, startSwitchboard } from './switchboard.ts';

/** Number of runs of each scenario, and number of calls in scenarios with many. */
export const FULL = process.env.SIP_SCALE === 'full';

/** As short as a busy machine allows, so that scenarios are fast. */
const SETTINGS = {
  RINGING_TIMEOUT_S: '15',
  AGENT_JOIN_TIMEOUT_S: '15',
  RECONCILE_INTERVAL_MS: '500',
};

export interface Setup {
  lab: SipLab;
  worker: LabWorker;
  service: Switchboard;
  /** The trunk to the phones. */
  trunkId: string;
  databaseUrl: string;
  /** Another process of the service on the same database. */
  startService(env?: Record<string, string>, trunkId?: string): Promise<Switchboard>;
}

/** The lab with a worker and the service on PostgreSQL; everything ends with the test file. */
export async function setUp(env: Record<string, string> = {}, options: LabOptions = {}): Promise<Setup> {
  const opened: (() => Promise<unknown>)[] = [];
  const services: Switchboard[] = [];
  let logs = () => {};
  after(async () => {
    logs();
    for (const close of opened.reverse()) await close();
  });
  const starting = [startSipLab(options), startPostgres(await freePort())] as const;
  // If one of them does not start, the other one has to end nevertheless.
  const [labStarted, postgresStarted] = await Promise.allSettled(starting);
  if (labStarted.status === 'fulfilled') opened.push(labStarted.value.stop);
  if (postgresStarted.status === 'fulfilled') opened.push(postgresStarted.value.remove);
  const [lab, postgres] = await Promise.all(starting);
  logs = () => keepLogs(lab, services);
  const [trunkId, DATABASE_URL] = [await lab.createTrunk(), await postgres.createDatabase('switchboard')];
  async function startService(more: Record<string, string> = {}, trunk = trunkId): Promise<Switchboard> {
    const service = await startSwitchboard(lab, trunk, { DATABASE_URL, ...SETTINGS, ...env, ...more });
    opened.push(() => service.end('SIGKILL'));
    services.push(service);
    return service;
  }
  const [worker, service] = await Promise.all([startLabWorker(lab), startService()]);
  opened.push(worker.kill);
  return { lab, worker, service, trunkId, databaseUrl: DATABASE_URL, startService };
}

/** Writes the output of all processes, and the phones' messages, to a directory in `SIP_LOGS`, if that is set. */
function keepLogs({ dir, redis, server, bridge }: SipLab, services: Switchboard[]): void {
  if (!process.env.SIP_LOGS) return;
  const logs = path.join(process.env.SIP_LOGS, path.basename(process.argv[1] ?? '', '.test.ts'));
  mkdirSync(logs, { recursive: true });
  for (const [name, { output }] of Object.entries({ redis, server, bridge }))
    writeFileSync(path.join(logs, `${name}.log`), output());
  for (const [index, { output }] of services.entries())
    writeFileSync(path.join(logs, `service-${index}.log`), output());
  for (const file of globSync('*.log', { cwd: dir })) copyFileSync(path.join(dir, file), path.join(logs, file));
}
