import assert from 'node:assert/strict';
import { asksToRetryLater, type Json, type Reply, type Request } from '@switchboard/testkit/client.ts';

export type Kind = 'event' | 'transcript' | 'call' | 'agent';

/** A request that creates something, and the response that the client got. */
export interface Attempt {
  kind: Kind;
  /** Found again in the service's lists; unique among the attempts of a kind in a stint. */
  tag: string;
  request: Request;
  /** The body of the 201. Null: there was none, so the resource may exist or not, but never partially or twice. */
  answer: Json | null;
}

/** Work of one client between two interruptions: an agent and a session of its own, and everything it sent for them. */
export interface Stint {
  user: string;
  agent_id: string;
  session_id: string;
  room_name: string;
  attempts: Attempt[];
  /** The calls whose hang-up was acknowledged, with the `call_status` in the response. */
  ended: Map<string, string>;
  /** The events found there by the last comparison. */
  events: Json[];
}

/** A number that one client assigns and releases. */
export interface Holding {
  phone_number: string;
  /** The agent that has it, according to the responses. */
  holder: string | null;
  /** The agent of an assignment or a release without a response. */
  pending: string | null;
  /** Such a request may be incomplete until it is repaired; the number is refused (409) meanwhile. */
  mayBeIncomplete: boolean;
}

export interface Ledger {
  stints: Stint[];
  holdings: Holding[];
  requests: number;
  acknowledged: Record<Kind | 'number', number>;
  /** Requests without a response, or with a 503. */
  unanswered: number;
  /** Requests among them whose response was a 503 with `Retry-After`. */
  refused: number;
  /** Requests among them that were repeated under their Idempotency-Key. */
  repeated: number;
  longestAnswerMs: number;
  lost: string[];
  doubled: string[];
  /** Invalid responses, and any other fault. */
  faults: string[];
}

export function createLedger(clients: number): Ledger {
  const holdings = Array.from({ length: clients }, (_, index) => ({
    phone_number: `+150055500${10 + index}`,
    holder: null,
    pending: null,
    mayBeIncomplete: false,
  }));
  return {
    stints: [],
    holdings,
    requests: 0,
    unanswered: 0,
    refused: 0,
    repeated: 0,
    longestAnswerMs: 0,
    acknowledged: { event: 0, transcript: 0, call: 0, agent: 0, number: 0 },
    lost: [],
    doubled: [],
    faults: [],
  };
}

/** Counts a response. True if it says that the request succeeded. */
export function count(ledger: Ledger, kind: Kind | 'number' | null, reply: Reply): boolean {
  const isDone = reply.status >= 200 && reply.status < 300;
  ledger.requests++;
  ledger.longestAnswerMs = Math.max(ledger.longestAnswerMs, reply.ms);
  if (asksToRetryLater(reply)) ledger.refused++;
  if (isUnknown(reply)) ledger.unanswered++;
  else if (isDone && kind) ledger.acknowledged[kind]++;
  return isDone;
}

/** Whether the response leaves open whether the request succeeded. */
export function isUnknown({ status }: Reply): boolean {
  return status === 0 || status === 503;
}

/** The rows of the table of counts, the same for every kind of interruption. */
export function countedRows({ acknowledged, ...ledger }: Ledger): [string, number][] {
  return [
    ['requests', ledger.requests],
    ['requests without an answer, or with 503', ledger.unanswered],
    ['of those, with 503 and `Retry-After`', ledger.refused],
    ['of those without an answer or with 503, sent again under their `Idempotency-Key`', ledger.repeated],
    ['usage events acknowledged', acknowledged.event],
    ['transcripts acknowledged', acknowledged.transcript],
    ['calls acknowledged', acknowledged.call],
    ['agents acknowledged', acknowledged.agent],
    ['assignments and releases of numbers acknowledged', acknowledged.number],
    ['acknowledged and lost', ledger.lost.length],
    ['stored twice', ledger.doubled.length],
  ];
}

/** Fails unless nothing is lost, duplicated or wrong. */
export function assertSound({ lost, doubled, faults }: Ledger, when: string): void {
  assert.deepEqual({ lost, doubled, faults }, { lost: [], doubled: [], faults: [] }, when);
}
