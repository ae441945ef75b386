import { createAudit } from './access/audit/audit.ts';
import { createContent } from './access/data-keys/content.ts';
import { createDataKeys } from './access/data-keys/data-keys.ts';
import { createQuotas } from './access/quotas/quotas.ts';
import { createSeals } from './adapters.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { createCallbacks } from './delivery/callbacks/callbacks.ts';
import type { Feature } from './feature.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import { createRevocations } from './lib/revocations.ts';
import type { Carrier } from './providers/carrier.ts';
import type { Media } from './providers/media.ts';
import type { Storage } from './providers/storage/storage.ts';
import type { Kinds } from './work/kinds.ts';
import { createRunner } from './work/runner.ts';
import { createServing } from './work/serving.ts';
import { createTasks, type TaskKinds } from './work/tasks.ts';
import { createWork } from './work/work.ts';

/** Resources that `main.ts` or a test has opened. */
export interface OperationDeps {
  config: Config;
  database: Database;
  media: Media;
  carrier: Carrier;
  storage: Storage;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

/** Parts that any feature may take, and what is below all of them: encryption, durable work, callbacks, quotas. */
export function createBase(deps: OperationDeps, features: () => Feature[]) {
  const { config, database, media, carrier, storage, clock, log, metrics } = deps;
  const { db } = database;
  const { callbacks: delivery, reconcileIntervalMs: intervalMs } = config;
  const audit = createAudit({ db, clock });
  const revocations = createRevocations();
  let known: { kinds: Kinds; taskKinds: TaskKinds } | undefined;
  const allKinds = () => (known ??= kindsOf(features()));
  const runner = createRunner({ db, clock, log, metrics, intervalMs, kinds: () => allKinds().kinds });
  const serving = createServing({ db, workers: media });
  const tasks = createTasks({ db, clock, log, kinds: () => allKinds().taskKinds, serving });
  const wake = (added: string[]) => void [runner.wake(), tasks.wake(), serving.noteAsked(added)];
  const work = createWork({ db, clock, metrics, wake });
  const ports = { carrier, storage, media, rooms: media, browsers: media, phones: media, workers: media };
  const platform = { db, clock, log, metrics, audit, revocations, work, serving, ...ports };

  const { seal, kms, ofKeys } = createSeals(config);
  const dataKeys = createDataKeys({ ...platform, ...ofKeys });
  const content = createContent({ dataKeys, isOn: config.encryptContent });
  database.opening.open = content.open;
  const callbacks = createCallbacks({ ...platform, content, reportDelayMs: delivery.reportDelayMs });
  const quotas = createQuotas({ ...platform, limits: config.quota, callbacks });
  return {
    base: { ...platform, content, callbacks },
    runner,
    tasks,
    seal,
    kms,
    dataKeys,
    quotas,
  };
}

function kindsOf(features: Feature[]): { kinds: Kinds; taskKinds: TaskKinds } {
  return {
    kinds: Object.assign({}, ...features.map((feature) => feature.work)),
    taskKinds: Object.assign({}, ...features.map((feature) => feature.tasks)),
  };
}
