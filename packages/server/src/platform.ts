import type { Audit } from './access/audit/audit.ts';
import type { Database } from './db/database.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import type { Work } from './work/work.ts';

/** Parts that any feature may take. One that needs few of them says which: `Pick<Platform, 'db' | 'clock'>`. */
export interface Platform {
  /** The connections; each statement is a transaction of its own. */
  db: Database['db'];
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  audit: Audit;
  work: Work;
}
