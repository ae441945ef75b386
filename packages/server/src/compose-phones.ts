import { type Config, callingRules } from './config.ts';
import type { Database } from './db/database.ts';
import type { Agents } from './features/agents/agents.ts';
import type { Audit } from './features/audit/audit.ts';
import type { Callbacks } from './features/callbacks/callbacks.ts';
import { createDialling } from './features/dialling/dialling.ts';
import { createLimits } from './features/dialling/limits.ts';
import { createOutbound } from './features/dialling/outbound.ts';
import { createPlacing } from './features/dialling/placing.ts';
import type { Line } from './features/line/line.ts';
import type { Sessions } from './features/sessions/sessions.ts';
import { createSettleAbandoned } from './features/transfers/abandoned.ts';
import { createBeginTransfer } from './features/transfers/begin.ts';
import { createColdTransfers } from './features/transfers/cold-transfer.ts';
import { createTransferLimits } from './features/transfers/limits.ts';
import { createTransferRecords } from './features/transfers/transfer-records.ts';
import { createTransfers } from './features/transfers/transfers.ts';
import { createWarmTransfers } from './features/transfers/warm-transfer.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/log.ts';
import type { Media } from './providers/media/media.ts';

/** Everything below the features that dial phones. */
interface Parts {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  media: Media;
  audit: Audit;
  agents: Agents;
  sessions: Sessions;
  callbacks: Callbacks;
  line: Line;
}

/** The features that dial phones: outbound calls and transfers, under the same policy and limits. */
export function createPhones(parts: Parts, config: Config) {
  const { durations } = config.calls;
  const { policy, callLimits, countedMs } = callingRules(config, parts.media.simulated);

  // Outbound calls
  const limits = createLimits({ ...parts, limits: callLimits });
  const dialling = createDialling({ ...parts, limits: durations });
  const place = createPlacing({ ...parts, policy, limits, durations });
  const outbound = createOutbound({ ...parts, dialling, place });

  // Transfers
  const countTransfer = createTransferLimits({ ...parts, limits, ...config.transfers.limits });
  const records = createTransferRecords(parts);
  const begin = createBeginTransfer({ ...parts, countTransfer, countedMs });
  const cold = createColdTransfers({ ...parts, records, countedMs: countedMs.COLD });
  const warm = createWarmTransfers({ ...parts, dialling, records });
  const settleTransfers = createSettleAbandoned({ ...parts, records, endIfAlone: warm.endIfAlone });
  const defaultType = config.transfers.defaultType;
  const transfers = createTransfers({ ...parts, policy, defaultType, begin, cold, warm });

  return { limits, dialling, outbound, transfers, settleTransfers };
}
