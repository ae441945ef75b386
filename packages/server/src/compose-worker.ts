import type { Compliance } from './calling/compliance/compliance.ts';
import type { Sessions } from './conversations/sessions/sessions.ts';
import type { Transcripts } from './conversations/transcripts/transcripts.ts';
import type { Turns } from './conversations/turns/turns.ts';
import type { Usage } from './ledger/usage/usage.ts';
import { AppError } from './lib/errors.ts';
import type { Logger } from './lib/log.ts';
import type { Actor } from './lib/principal.ts';
import type { WorkerReports } from './providers/workers.ts';

interface Parts {
  log: Logger;
  sessions: Sessions;
  transcripts: Transcripts;
  turns: Turns;
  usage: Usage;
  compliance: Compliance;
}

/** As who outcomes of calls that have ended are corrected. */
const WORKER: Actor = { actor: 'sandbox', user_id: null, ip: null };

/** The operations behind the endpoints of workers, for one inside this process, as the user of its session. */
export function createWorkerReports({ log, sessions, transcripts, turns, usage, compliance }: Parts): WorkerReports {
  return {
    addTranscript: ({ room_name, user_id }, said) => transcripts.add(room_name, said, user_id, null),
    reportTurn: ({ session_id, user_id }, turn) => turns.add(session_id, { turns: [turn] }, user_id),
    logUsage: async ({ session_id, user_id, agent_id }, used) => {
      // The ledger takes any session; that of an erased user is somebody else's.
      await sessions.get(session_id, user_id);
      return usage.logBatch(
        used.map((one) => ({ ...one, session_id, user_id, agent_id })),
        null,
        user_id,
      );
    },
    reportDisclosure: async ({ session_id, user_id }, disclosure) =>
      compliance.disclosed(await sessions.get(session_id, user_id), disclosure),
    reportVoicemail: ({ session_id, user_id }, hangUp) =>
      sessions.reportOutcome(session_id, { answered_by: 'voicemail' }, hangUp, user_id, WORKER),
    reportLine: ({ session_id, user_id }, sip) => sessions.reportOutcome(session_id, { sip }, false, user_id, WORKER),
    end: async ({ session_id, user_id }) => sessions.end(await sessions.get(session_id, user_id), 'ended_by_agent'),
    onFailure: ({ session_id }, err) => {
      const isGone = err instanceof AppError && ['not_found', 'session_ended'].includes(err.code);
      if (!isGone) log.warn({ err, session_id }, 'a conversation of the sandbox has ended early');
    },
  };
}
