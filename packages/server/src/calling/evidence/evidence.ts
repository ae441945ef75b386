import type { Agents } from '../../conversations/agents/agents.ts';
import { directionOf, isFinal, numbersOf, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import type { Platform } from '../../platform.ts';
import type { Compliance } from '../compliance/compliance.ts';
import type { Decisions } from '../outbound/dial-decisions.ts';
import type { Policies } from '../policies/policies.ts';
import type { Suppressions } from '../suppressions/suppressions.ts';
import { createChain } from './chain.ts';
import type { EvidenceKeys } from './keys.ts';
import { deleteDocuments, deleteDocumentsOfUser, lockChain, recordingsOf, wordsOf } from './store.ts';

export type Evidence = ReturnType<typeof createEvidence>;

/** Consents of one number in a document. */
export const MAX_CONSENTS = 100;

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  agents: Agents;
  sessions: Sessions;
  decisions: Decisions;
  policies: Policies;
  suppressions: Pick<Suppressions, 'consents'>;
  compliance: Compliance;
  keys: EvidenceKeys;
}

/** Signed documents about what was decided, and about what was said and asked in calls. */
export function createEvidence(deps: Deps) {
  const { db, agents, sessions, decisions, policies, suppressions, compliance, keys } = deps;
  const { issue } = createChain(deps);

  /** The evidence of an ended call. Throws `not_found`, also for an erased call, `call_not_ended`, and as `issue`. */
  async function ofCall(id: string, caller: string | null): Promise<string> {
    const call = await sessions.get(id, caller);
    if (call.call_status === null || call.erased_at !== null) throw new AppError('not_found');
    if (!isFinal(call)) throw new AppError('call_not_ended');
    const hold = async (trx: Db) => {
      const { erased_at } = await sessions.lock(trx, call.id);
      if (erased_at !== null) throw new AppError('not_found');
    };
    const about = { call_id: call.id, decision_id: null };
    return issue({ user_id: call.user_id, about, content: () => contentOf(call), hold });
  }

  /** The evidence of a decision, whether or not it led to a call. Throws `not_found`, and as `issue`. */
  async function ofDecision(id: string, caller: string | null): Promise<string> {
    const decision = await decisions.get(db, id, caller);
    const { user_id, phone_number, evaluated_at } = decision;
    const content = async () => ({
      kind: 'switchboard.decision-evidence',
      format: 1,
      decision,
      policies: await policiesOf(policies, user_id, [decision]),
      consents: await consentsOf(user_id, phone_number, evaluated_at),
    });
    // The chain is locked: an erasure waits for that.
    const hold = async (trx: Db) => void (await decisions.get(trx, id, caller));
    return issue({ user_id, about: { call_id: null, decision_id: decision.id }, content, hold });
  }

  async function contentOf(call: Session) {
    const decided = await decisions.ofCall(call);
    const { disclosure, opt_out } = await compliance.ofCall(call.id);
    const number = otherNumber(call);
    const transcript_id = opt_out?.transcript_id ?? null;
    const words = transcript_id === null ? null : await wordsOf(db, call.id, transcript_id);
    return {
      kind: 'switchboard.call-evidence',
      format: 1,
      call: factsOf(call),
      agent: await agentOf(call),
      decisions: decided,
      policies: await policiesOf(policies, call.user_id, decided),
      consents: number === null ? [] : await consentsOf(call.user_id, number, call.created_at),
      disclosure: disclosure && without(disclosure, 'call_id', 'user_id', 'created_at'),
      recordings: await recordingsOf(db, call.id),
      opt_out: opt_out && { ...without(opt_out, 'call_id', 'user_id'), words },
    };
  }

  /** The settings of the call's version of its agent; null if it is not kept. */
  async function agentOf(call: Session) {
    const { agent_id, agent_version } = call;
    if (agent_id === null) return null;
    const found = await agents.ofSession(call);
    const config = found?.version === agent_version ? found?.config : undefined;
    const { disclosure, opt_out, policy } = sectionOf(config, 'compliance');
    const recording = sectionOf(config, 'recording');
    return {
      agent_id,
      agent_version,
      policy: policy ?? null,
      disclosure: isObject(disclosure) ? (disclosure.text ?? null) : null,
      opt_out: config ? isObject(opt_out) && opt_out.enabled === true : null,
      recording_consent: recording.enabled === true ? (sectionOf(recording, 'consent').type ?? 'none') : null,
    };
  }

  /** Those that there were at this time, as far as they are known now. */
  async function consentsOf(user_id: string, number: string, at: Date) {
    const page = { limit: MAX_CONSENTS, after: null };
    const { items } = await suppressions.consents.list(user_id, number, page, at);
    return items.reverse();
  }

  return {
    ofCall,
    ofDecision,
    keys: keys.published,
    reseal: keys.reseal,
    erase: deleteDocuments,
    /** Those about decisions: those about calls are gone by then. */
    eraseUser: async (trx: Db, user_id: string): Promise<void> => {
      // A document that is being issued is waited for: the next one finds its decision gone.
      await lockChain(trx, user_id);
      await deleteDocumentsOfUser(trx, user_id);
    },
  };
}

type Decided = Awaited<ReturnType<Decisions['ofCall']>>[number];

/** Versions of policies by which it was decided; without rules where they are not kept. */
async function policiesOf(policies: Policies, user_id: string, decided: Decided[]) {
  const versions = new Map(
    decided.flatMap(({ policy: name, policy_version: version }) =>
      name === null || version === null ? [] : [[`${name} ${version}`, { name, version }] as const],
    ),
  );
  return Promise.all(
    [...versions.values()].map(async ({ name, version }) => {
      const found = await policies.get(user_id, name, version).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return null;
        throw error;
      });
      return { name, version, rules: found?.rules ?? null, created_at: found?.created_at ?? null };
    }),
  );
}

function otherNumber(call: Session): string | null {
  const { from_number, to_number } = numbersOf(call);
  return call.call_direction === 'INBOUND' ? from_number : to_number;
}

function factsOf(call: Session) {
  const { id: call_id, user_id, call_status: status, created_at, started_at, ended_at } = call;
  const { end_reason, sip_status_code, answered_by } = call;
  const direction = directionOf(call) ?? 'WEB';
  const facts = { call_id, user_id, direction, ...numbersOf(call), status, answered_by };
  return { ...facts, created_at, started_at, ended_at, end_reason, sip_status_code };
}

function sectionOf(config: unknown, name: string): Record<string, unknown> {
  const section = isObject(config) ? config[name] : undefined;
  return isObject(section) ? section : {};
}

function without<T extends object, K extends keyof T>(row: T, ...names: K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name as K))) as Omit<T, K>;
}
