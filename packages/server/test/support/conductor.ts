import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide, needsRoom } from '../../src/calling/conductor/decide.ts';
import type { Limits } from '../../src/calling/conductor/ends.ts';
import type { Cause, Decision, Round, Transfer } from '../../src/calling/conductor/seen.ts';
import type { Session } from '../../src/conversations/sessions/sessions.ts';
import type { Leaving } from '../../src/providers/events.ts';
import type { Participant, PhoneState } from '../../src/providers/rooms.ts';

const CREATED = Date.parse('2026-01-05T10:00:00Z');
/** The moment this many seconds after the call was created. */
export const at = (seconds: number) => new Date(CREATED + seconds * 1000);
const secondsOf = (time: Date) => (time.getTime() - CREATED) / 1000;

export const LIMITS: Limits = {
  max_duration_s: 3_600,
  ringing_timeout_s: 30,
  agent_join_timeout_s: 20,
  browser_join_timeout_s: 60,
};

const RINGING = { status: 'CREATED', call_status: 'RINGING', started_at: null, agent_joined_at: null } as const;
const ANSWERED = { status: 'ACTIVE', call_status: 'ANSWERED', started_at: at(10), agent_joined_at: at(5) } as const;

function session(fields: Partial<Session>): Session {
  const state = { ended_at: null, duration: null, end_reason: null, sip_status_code: null };
  const rest = { id: 'call', room_name: 'room', created_at: at(0), max_duration_s: null, ringing_timeout_s: null };
  return { ...rest, ...state, call_direction: 'OUTBOUND', transfer_type: null, ...fields } as Session;
}

export const ringing = (call_direction: Session['call_direction'], fields: Partial<Session> = {}) =>
  session({ ...RINGING, call_direction, ...fields });
/** A call that was answered after ten seconds. */
export const answered = (call_direction: Session['call_direction'], fields: Partial<Session> = {}) =>
  session({ ...ANSWERED, call_direction, ...fields });
export const ended = (fields: Partial<Session> = {}) =>
  session({ ...ANSWERED, status: 'COMPLETED', call_status: 'COMPLETED', ...fields });
export const conversation = () => session({ ...ANSWERED, call_status: null, call_direction: null });

export function transfer(fields: Partial<Transfer> = {}): Transfer {
  const times = { created_at: at(20), updated_at: at(20) };
  return { id: 't', session_id: 'call', transfer_type: 'WARM', status: 'pending', ...times, ...fields } as Transfer;
}

function participant(identity: string, kind: Participant['kind'], fields: Partial<Participant>): Participant {
  const joined_at = at(1);
  return {
    sid: `${identity}-1`,
    identity,
    kind,
    joined_at,
    phone: null,
    agent_name: null,
    audio_at: null,
    ...fields,
  };
}

export function phone(state: PhoneState | null, identity = 'phone', fields: Partial<Participant> = {}): Participant {
  const numbers = { number: null, caller_id: null, our_number: null };
  const ids = { sip_call_id: null, bridge_call_id: null, trunk_id: null, carrier_call_sid: null, headers: {} };
  return participant(identity, 'SIP', { phone: { state, ...numbers, ...ids }, ...fields });
}
/** The target of the warm transfer `t`. */
export const target = (state: PhoneState) => phone(state, 'transfer-t');
export const agent = (fields: Partial<Participant> = {}) =>
  participant('agent', 'AGENT', { agent_name: 'worker', ...fields });
export const browser = participant('browser', 'STANDARD', {});
/** Somebody who talks in place of the agent. */
export const colleague = participant('colleague-1', 'STANDARD', {});

/** Received at `seconds`, and dated at `created_at` by the provider. */
export function left(who: Participant, leaving: Leaving = 'left', seconds = 30, created_at: Date | null = null): Cause {
  return { kind: 'left', participant: { ...who, leaving, time: { created_at, received_at: at(seconds) } } };
}
export const joined = (who: Participant): Cause => ({ kind: 'joined', participant: who });
export function round(fields: Partial<Round> = {}): Cause {
  return { kind: 'round', people: 1, isAbandoned: false, isSampled: true, missingSince: null, ...fields };
}

/** A decision in words: `answered 30`, `hangup 30`, `failed media_lost 30`, then the actions, then `look`. */
export function inWords({ signals, actions, isMissed }: Decision): string {
  return [
    ...signals.map((signal) => {
      const reason = 'end_reason' in signal ? signal.end_reason : 'answered';
      return `${signal.kind === 'failed' ? 'failed ' : ''}${reason} ${secondsOf(signal.at)}`;
    }),
    ...actions.map(inWord),
    ...(isMissed && signals.length === 0 ? ['look'] : []),
  ].join(', ');
}

function inWord(action: Decision['actions'][number]): string {
  if (action.kind === 'recordAgent') return `${action.kind} ${secondsOf(action.at)}`;
  return 'end_reason' in action ? `${action.kind} ${action.end_reason}` : action.kind;
}

/** A call as it is seen, and the decision in words. */
interface Row {
  call: Session;
  cause: Cause;
  present?: Participant[];
  /** Everybody of whom the stored events tell. */
  known?: Participant[];
  transfer?: Transfer;
  isDialed?: boolean;
  /** Seconds after the creation of the call; 30 by default. */
  now?: number;
  decision: string;
}

/** Declares a test for each row. A row whose room does not matter must not name participants. */
export function checkDecisions(table: Record<string, Row>): void {
  for (const [name, row] of Object.entries(table)) {
    const { call, cause, present, known = [], transfer, isDialed = false, now = 30, decision } = row;
    test(`decision: ${name}`, () => {
      const time = { at: at(now), limits: LIMITS };
      const isNeeded = needsRoom({ call, cause, isDialed }, time);
      if (!isNeeded) assert.equal(present?.length ?? 0, 0, 'the room does not matter');
      const everybody = isNeeded ? (present ?? []) : null;
      assert.equal(inWords(decide({ call, transfer, cause, present: everybody, known, isDialed }, time)), decision);
    });
  }
}
