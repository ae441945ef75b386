import { campaignsFeature } from './calling/campaigns/feature.ts';
import { createConductor } from './calling/conductor/conductor.ts';
import { createRungCheck, type MediaReports } from './calling/media-events/departures.ts';
import { createDecisions, type Decisions } from './calling/outbound/dial-decisions.ts';
import { createFailoverDial } from './calling/outbound/failover.ts';
import { outboundFeature } from './calling/outbound/feature.ts';
import { createLimits } from './calling/outbound/limits.ts';
import { createOutbound, type Outbound } from './calling/outbound/outbound.ts';
import { createPlacing } from './calling/outbound/placing.ts';
import { type Attempts, createRing } from './calling/outbound/ring.ts';
import { createTrunks } from './calling/outbound/trunks.ts';
import { createBookings } from './calling/schedules/bookings.ts';
import { createCallBacks } from './calling/schedules/call-backs.ts';
import { createDue } from './calling/schedules/due.ts';
import { schedulesFeature } from './calling/schedules/feature.ts';
import { createRecords } from './calling/schedules/records.ts';
import { createSchedules } from './calling/schedules/schedules.ts';
import type { Suppressions } from './calling/suppressions/suppressions.ts';
import { createBeginTransfer } from './calling/transfers/begin.ts';
import { createColdTransfers } from './calling/transfers/cold-transfer.ts';
import { createConsultations } from './calling/transfers/consultations.ts';
import { createFallbacks } from './calling/transfers/fallback.ts';
import { createTransferRecords } from './calling/transfers/transfer-records.ts';
import { createTransfers } from './calling/transfers/transfers.ts';
import { createWarmTransfers } from './calling/transfers/warm-transfer.ts';
import { type Config, callingRules } from './config.ts';
import type { Agents } from './conversations/agents/agents.ts';
import type { Session, Sessions } from './conversations/sessions/sessions.ts';
import type { Callbacks } from './delivery/callbacks/callbacks.ts';
import type { Feature } from './feature.ts';
import type { LineCharges } from './ledger/line-charges/line-charges.ts';
import type { Platform } from './platform.ts';
import type { Media } from './providers/media.ts';
import type { Phones } from './providers/phones.ts';
import type { Rooms } from './providers/rooms.ts';
import type { Serving } from './work/serving.ts';

/** Everything below the features that dial phones. */
interface Parts extends Pick<Platform, 'db' | 'clock' | 'log' | 'metrics' | 'audit' | 'work'> {
  media: Media;
  serving: Serving;
  rooms: Rooms;
  phones: Phones;
  attempts: Attempts;
  agents: Agents;
  sessions: Sessions;
  callbacks: Callbacks;
  lineCharges: LineCharges;
  /** Bills an ended call until the provider's own time of its end. */
  adjustLine: (call: Session) => Promise<void>;
  reportsOf: MediaReports['reportsOf'];
  /** Accepts the inbound caller in a room. */
  receive: (room_name: string) => Promise<void>;
}

/** The features that dial phones: outbound calls and transfers, under the same policy and limits. */
export function createPhones(parts: Parts, config: Config, { hashes, consents }: Suppressions) {
  const { durations } = config.calls;
  const { policy, callLimits, countedMs } = callingRules(config, parts.media.simulated);

  // Judgement of calls
  const records = createTransferRecords(parts);
  const { isDialing } = parts.attempts;
  const { consultation_s } = config.transfers;
  const consultations = createConsultations({ ...parts, records, consultation_s });
  const recorded = { ...records, ...consultations.conducted };
  const conductor = createConductor({ ...parts, transfers: recorded, isDialing, limits: durations });

  // Outbound calls
  const limits = createLimits({ ...parts, limits: callLimits, max_duration_s: durations.max_duration_s });
  const { place, placeWithin } = createPlacing({ ...parts, hashes, policy, limits, durations });
  const decisions = createDecisions({ ...parts, limits, policy, hashes, durations });
  const trunks = createTrunks({ groups: parts.media.trunks });
  const mayHaveRung = createRungCheck({ ...parts, source: parts.media });
  const ring = createRing({
    ...parts,
    dialWithFailover: createFailoverDial({ ...parts, trunks, mayHaveRung }),
    limits: durations,
  });
  const outbound = createOutbound({ ...parts, conductor, deciding: { ...decisions, place }, ring, limits: durations });

  // Transfers
  const begin = createBeginTransfer({ ...parts, limits, hashes, ...config.transfers.limits, countedMs });
  const cold = createColdTransfers({ ...parts, conductor, records, countedMs: countedMs.COLD });
  const warm = createWarmTransfers({ ...parts, conductor, ring, records, consultations });
  const defaultType = config.transfers.defaultType;
  const transfers = createTransfers({ ...parts, policy, defaultType, begin, cold, warm });

  const fallbacks = createFallbacks({ ...parts, policy, begin, warm, limits: durations });

  const scheduling = createScheduling({ ...parts, outbound, decisions });
  const { connect } = outbound;
  const paceOfTrunks = trunks.pace;
  const calling = { ...parts, hashes, consents, placeWithin, limits, connect, policy, paceOfTrunks };
  const { auditLog: days } = config.retention;
  const features: Feature[] = [
    outboundFeature({ outbound: scheduling.schedules, limits, decisions }, days),
    schedulesFeature(scheduling, days),
    campaignsFeature(calling, days),
  ];
  const { listStale: listStaleTransfers } = records;
  return { conductor, limits, decisions, transfers, consultations, fallbacks, listStaleTransfers, features };
}

/** The feature that places calls later. */
function createScheduling(parts: Parts & { outbound: Outbound; decisions: Decisions }) {
  const records = createRecords(parts);
  const bookings = createBookings(parts);
  const deps = { ...parts, records, bookings };
  return { schedules: createSchedules(deps), callBacks: createCallBacks(deps), due: createDue(deps) };
}
