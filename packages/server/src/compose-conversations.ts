import { createAnalysisRequests, wantedIn } from './calling/analyses/ended.ts';
import { createChatEnds } from './calling/chats/ends.ts';
import { createCompliance } from './calling/compliance/compliance.ts';
import { optOutIn } from './calling/compliance/opt-out.ts';
import { createLateEnds } from './calling/conductor/late-ends.ts';
import { createMediaReports } from './calling/media-events/departures.ts';
import { createAttempts } from './calling/outbound/ring.ts';
import { createSuppressions } from './calling/suppressions/suppressions.ts';
import { createGate } from './calling/test-runs/gate.ts';
import { createLineEnds } from './calling/transfers/transfer-records.ts';
import type { createBase } from './compose-base.ts';
import { createWorkerReports } from './compose-worker.ts';
import type { Config } from './config.ts';
import { createAgents } from './conversations/agents/agents.ts';
import {
  auditCorrection,
  createEndCounter,
  createRoomCloser,
  createSessions,
  type Sessions,
} from './conversations/sessions/sessions.ts';
import { countEndedCalls, recountCall } from './conversations/stats/stats.ts';
import { createTranscripts } from './conversations/transcripts/transcripts.ts';
import { createTurns } from './conversations/turns/turns.ts';
import { createHistory, createVersionMemo, createVersions } from './conversations/versions/versions.ts';
import { createLineCharges } from './ledger/line-charges/line-charges.ts';
import { createPricing } from './ledger/prices/prices.ts';
import { createUsage } from './ledger/usage/usage.ts';
import type { Seal } from './lib/seal.ts';

type Base = ReturnType<typeof createBase>['base'];

/**
 * Agents and their versions, sessions, transcripts, turns and usage, with what listens to a session's states, and the
 * parts of a call that dialling needs.
 */
export function createConversations(base: Base, { callbacks: delivery }: Config, seal: Seal) {
  const { callbacks, media, metrics, audit, clock } = base;
  const agents = createAgents({ ...base, history: createHistory(callbacks) });
  const versions = createVersions({ ...base, agents, gate: createGate(base) });
  const versionFacts = createVersionMemo((config) => ({ wanted: wantedIn(config), optOut: optOutIn(config) }));
  const usage = createUsage({ ...base, price: createPricing() });
  const lineCharges = createLineCharges(base);
  const closeRoom = createRoomCloser(base);
  const reports = createMediaReports({ ...base, source: media });
  const lateEnds = createLateEnds({ ...base, ...reports, lineCharges });
  const attempts = createAttempts();
  const analysisRequests = createAnalysisRequests({ ...base, versionFacts, delayMs: delivery.reportDelayMs });
  const markTransferred: Sessions['markTransferred'] = (...args) => sessions.markTransferred(...args);
  const endLines = createLineEnds({ clock, lineCharges, callbacks, markTransferred });
  const sessions: Sessions = createSessions({
    ...base,
    agents,
    closeRoom,
    leftAt: lateEnds.leftAt,
    // Run in this order, in the transaction that changes a session's state.
    listeners: [callbacks.announce, createChatEnds(callbacks), endLines, countEndedCalls, analysisRequests],
    // Run for a session that has ended, after that transaction has committed.
    afterEnd: [attempts.cancel, closeRoom, createEndCounter(metrics)],
    aroundCorrection: (trx, correction, correct) =>
      recountCall(trx, correction.before.id, () => auditCorrection(audit, trx, correction, correct)),
  });
  const suppressions = createSuppressions({ ...base, seal });
  const compliance = createCompliance({ ...base, sessions, suppressions, versionFacts });
  const transcripts = createTranscripts({ ...base, sessions, hear: compliance.hear });
  const turns = createTurns({ ...base, agents, sessions });
  media.reportTo?.(createWorkerReports({ ...base, sessions, transcripts, turns, usage, compliance }));
  return {
    said: { agents, versions, versionFacts, sessions, transcripts, turns, usage, suppressions, compliance },
    dialled: { ...reports, ...lateEnds, attempts, lineCharges },
  };
}
