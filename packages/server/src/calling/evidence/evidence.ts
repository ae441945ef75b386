import { createHash } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';
import type { Agents } from '../../conversations/agents/agents.ts';
import { directionOf, isFinal, numbersOf, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import type { Platform } from '../../platform.ts';
import type { Compliance } from '../compliance/compliance.ts';
import type { Decisions } from '../outbound/decisions.ts';
import type { Policies } from '../policies/policies.ts';
import type { Suppressions } from '../suppressions/suppressions.ts';
import type { EvidenceKeys, Signer } from './keys.ts';
import {
  addDocument,
  type DocumentRow,
  deleteDocuments,
  lastOfCall,
  lastOfUser,
  lockChain,
  recordingsOf,
  wordsOf,
} from './store.ts';

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

/** Signed documents about what was decided, said and asked in calls. */
export function createEvidence(deps: Deps) {
  const { db, clock, agents, sessions, decisions, policies, suppressions, compliance, keys } = deps;

  /**
   * The evidence of an ended call, as canonical JSON (RFC 8785): the same bytes as long as nothing has changed. Throws
   * `not_found`, also for an erased call, `call_not_ended`, and `secret_unreadable`.
   */
  async function issue(id: string, caller: string | null): Promise<string> {
    const call = await sessions.get(id, caller);
    if (call.call_status === null || call.erased_at !== null) throw new AppError('not_found');
    if (!isFinal(call)) throw new AppError('call_not_ended');
    for (;;) {
      const before = await lastOfCall(db, call.id);
      const document = await certify(call, await contentOf(call), before?.position);
      if (document !== null) return document;
    }
  }

  /** The document with this content; null if another one was issued since the one at `position`, and it may be old. */
  async function certify(call: Session, content: object, position: number | undefined): Promise<string | null> {
    const signer = await keys.signer();
    return db.transaction().execute(async (trx) => {
      await lockChain(trx, call.user_id);
      // An erasure waits, or is found.
      const { erased_at } = await sessions.lock(trx, call.id);
      if (erased_at !== null) throw new AppError('not_found');
      const last = await lastOfCall(trx, call.id);
      if (last?.position !== position) return null;
      const row = await rowFor(trx, call, content, signer);
      return withSignature(textOf(content, row), row.signature);
    });
  }

  /** The newest document of the call, if it says the same; otherwise a new one at the end of the user's chain. */
  async function rowFor(trx: Db, { id: call_id, user_id }: Session, content: object, signer: Signer) {
    const content_hash = sha256(canonical(content));
    const before = await lastOfCall(trx, call_id);
    if (before?.content_hash === content_hash) return before;
    const last = await lastOfUser(trx, user_id);
    const { key_id } = signer;
    const unsigned = {
      user_id,
      call_id,
      position: (last?.position ?? 0) + 1,
      content_hash,
      key_id,
      previous_hash: last?.document_hash ?? null,
      issued_at: clock.now(),
    };
    const signature = signer.sign(textOf(content, unsigned));
    const document = withSignature(textOf(content, unsigned), signature);
    const row = { ...unsigned, signature, document_hash: sha256(document) };
    await addDocument(trx, row);
    return row;
  }

  /** The part of a document that says something about the call. */
  async function contentOf(call: Session) {
    const decided = await decisions.ofCall(call);
    const { disclosure, opt_out } = await compliance.ofCall(call.id);
    const transcript_id = opt_out?.transcript_id ?? null;
    const words = transcript_id === null ? null : await wordsOf(db, call.id, transcript_id);
    return {
      kind: 'switchboard.call-evidence',
      format: 1,
      call: factsOf(call),
      agent: await agentOf(call),
      decisions: decided,
      policies: await policiesOf(policies, call.user_id, decided),
      consents: await consentsOf(call),
      disclosure: disclosure && without(disclosure, 'call_id', 'user_id', 'created_at'),
      recordings: await recordingsOf(db, call.id),
      opt_out: opt_out && { ...without(opt_out, 'call_id', 'user_id'), words },
    };
  }

  /** The settings of the call's version of its agent; null where they are not kept. */
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
      opt_out: isObject(opt_out) && opt_out.enabled === true,
      recording_consent: recording.enabled === true ? (sectionOf(recording, 'consent').type ?? 'none') : null,
    };
  }

  /** Those that there were when the call was made, as far as they are known now. */
  async function consentsOf(call: Session) {
    const number = otherNumber(call);
    if (number === null) return [];
    const { items } = await suppressions.consents.list(
      call.user_id,
      number,
      { limit: MAX_CONSENTS, after: null },
      call.created_at,
    );
    return items.reverse();
  }

  return {
    issue,
    keys: keys.published,
    reseal: keys.reseal,
    erase: deleteDocuments,
  };
}

/** Versions of policies by which it was decided; without rules where they are not kept. */
async function policiesOf(policies: Policies, user_id: string, decided: Awaited<ReturnType<Decisions['ofCall']>>) {
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

const canonical = (value: object): string => stringify(value) ?? '';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

type Place = Pick<DocumentRow, 'position' | 'key_id' | 'issued_at' | 'previous_hash'>;

/** The text that is signed. */
function textOf(content: object, { position, key_id, issued_at, previous_hash: previous }: Place): string {
  return canonical({ ...content, issued_at, key_id, chain: { position, previous } });
}

/** The last member of the object: its name follows all others in the order of RFC 8785. */
function withSignature(text: string, signature: string): string {
  return `${text.slice(0, -1)},"signature":"${signature}"}`;
}
