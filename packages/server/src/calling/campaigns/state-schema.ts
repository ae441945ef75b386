/** States of a recipient. The first four may change; the others are final. */
export const RECIPIENT_STATES = [
  'waiting',
  'deferred',
  'dialling',
  'connected',
  'reached',
  'exhausted',
  'suppressed',
  'refused',
  'expired',
  'canceled',
] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

/** Outcomes of an attempt. */
export const OUTCOMES = [
  'answered',
  'voicemail',
  'ivr',
  'screening',
  'ai',
  'busy',
  'no_answer',
  'declined',
  'unavailable',
  'invalid_number',
  'failed',
  'abandoned',
  'interrupted',
  'canceled',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes that may count as having reached somebody, and those after which it may be tried again. */
export const REACHING = ['answered', 'voicemail', 'ivr', 'screening', 'ai'] as const;
export const RETRIABLE = [
  'answered',
  'voicemail',
  'ivr',
  'screening',
  'ai',
  'busy',
  'no_answer',
  'declined',
  'unavailable',
  'failed',
  'abandoned',
  'interrupted',
] as const;

/** Outcomes that say something about the installation, its trunk or its workers rather than about the person. */
export const FAILURES: readonly Outcome[] = ['failed', 'abandoned', 'interrupted'];

/** A call as it was recorded; null once it is erased. */
export interface EndedCall {
  started_at: Date | null;
  ended_at: Date | null;
  end_reason: string | null;
  answered_by: string | null;
}

/** A policy's limit: the share of answered calls, from 0 to 1, in which no agent was there in time. */
export interface AbandonRule {
  max_rate: number;
  after_s: number;
  /** Days, today included, over which they are counted. */
  days: number;
}

/** The calls of a campaign that people answered on a day (UTC, `2026-01-15`). */
export interface DayCount {
  day: string;
  answered: number;
  abandoned: number;
}

/** By 47 CFR 64.1200(a)(7), where the policy says nothing else. */
export const AFTER_S = 2;
