import path from 'node:path';
import type { Switchboard } from '@switchboard/client';
import type { Settings } from '../settings.ts';
import { askApart } from '../tasks/apart.ts';
import type { Attempt, TaskLog } from '../tasks/attempt.ts';
import { type Claims, serveTasks, type TaskOf } from '../tasks/claims.ts';
import { Failure } from '../tasks/failure.ts';
import type { Held } from './process.ts';

interface Deps {
  tasks: Switchboard['tasks'];
  settings: Pick<
    Settings,
    'models' | 'pricesFile' | 'maxTests' | 'livekitUrl' | 'livekitApiKey' | 'livekitApiSecret' | 'phoneHost'
  >;
  log: TaskLog;
  /** A third of a lease. */
  extendMs?: number;
}

type ScenarioTask = TaskOf<'scenario'>;

const EXTEND_MS = 20_000;
const MODULE = path.join(import.meta.dirname, 'process.ts');
/** Megabytes for the conversations and their world, which the scenario decides. */
const MEMORY = '--max-old-space-size=512';

/** Holds the conversations of scenarios until it is stopped, `maxTests` scenarios at a time. */
export function serveScenarios({ settings, extendMs = EXTEND_MS, ...deps }: Deps): Claims {
  const { models, pricesFile, phoneHost } = settings;
  const { livekitUrl: url, livekitApiKey: apiKey, livekitApiSecret: apiSecret } = settings;
  const shared = { media: { url, apiKey, apiSecret }, phoneHost, models, pricesFile };

  async function run({ task_id, payload: task }: ScenarioTask, { signal }: Attempt): Promise<object> {
    const execArgv = [...process.execArgv, MEMORY];
    const held = await askApart<Held>(MODULE, { task, task_id, ...shared }, signal, execArgv);
    if ('error' in held) throw new Failure(held.error, { retryable: held.isRetryable });
    return held.outcome;
  }

  return serveTasks({ ...deps, kind: 'scenario', what: 'tests of agents', capacity: settings.maxTests, run, extendMs });
}
