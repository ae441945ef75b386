import type { CallVariables } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { JsonObject } from '../../lib/json.ts';
import { AGENT_IS_CHANGING, type OutboundCall, type Started } from '../outbound/placing.ts';
import { type Blocked, numberFor } from './pacing.ts';
import type { RecipientRow } from './recipients-store.ts';
import { settingsOf } from './settings.ts';
import { type Answer, afterDecision, type Step } from './states.ts';
import type { CampaignRow } from './store.ts';

/** How long a campaign waits after a refusal that says nothing about when to try again. */
const RETRY_MS = 1_000;
/** The same for one that somebody has to remedy. */
const REMEDY_MS = 5_000;

/** The campaign cannot dial anybody now. */
export interface Block {
  /** Null for what is over in a moment: nobody is told. */
  blocked: Blocked | null;
  until: Date;
}

/** The outcome of a turn for one recipient. */
export type Result = { step: Step; decision_id: string | null; started: Started | null } | Block;

/** The call to a recipient, as `POST /api/calls/outbound` would describe it. */
export function callTo(campaign: CampaignRow, recipient: RecipientRow): OutboundCall {
  const { from_numbers, purpose, policy } = settingsOf(campaign);
  const { phone_number, variables, metadata, time_zone, region } = recipient;
  return {
    agent_id: campaign.agent_id,
    agent_version: campaign.agent_version,
    phone_number,
    from_number: numberFor(phone_number, from_numbers),
    variables: variables === null ? null : (JSON.parse(variables) as CallVariables),
    metadata: metadata === null ? null : (JSON.parse(metadata) as JsonObject),
    purpose,
    policy,
    campaign_id: campaign.id,
    time_zone,
    region,
  };
}

interface Decision {
  id: string | null;
  not_before: Date | null;
  reasons: { rule: string }[];
}

/** Says what follows from the wish to place a call: for its recipient, or for the campaign. */
export function resultOf(placed: Started | Error, now: Date): Result {
  if (!(placed instanceof Error))
    return { step: afterDecision({ kind: 'placed' }), decision_id: null, started: placed };
  const block = blockOf(placed, now);
  if (block) return block;
  const { id, not_before, reasons } = decisionIn(placed);
  const rules = reasons.map(({ rule }) => rule);
  const rule = rules.find((one) => one === 'suppression') ?? rules[0] ?? 'destination_not_allowed';
  const answer: Answer = not_before === null ? { kind: 'denied', rule } : { kind: 'deferred', not_before, rule };
  return { step: afterDecision(answer), decision_id: id, started: null };
}

/** The decision that refused a call; a destination that is not allowed needs none. */
function decisionIn(error: Error): Decision {
  const { id = null, not_before = null, reasons = [] } = ((error as AppError).decision ?? {}) as Partial<Decision>;
  return { id, not_before, reasons };
}

/** Refusals that are not about the recipient: the next one would meet the same. */
function blockOf(error: Error, now: Date): Block | null {
  const after = (ms: number) => new Date(now.getTime() + ms);
  if (error instanceof InvalidFields) {
    const [problem] = error.problems;
    return { blocked: problem?.field === 'from_number' ? 'number' : 'agent', until: after(REMEDY_MS) };
  }
  if (error === AGENT_IS_CHANGING) return { blocked: null, until: after(RETRY_MS) };
  if (!(error instanceof AppError)) throw error;
  switch (error.code) {
    case 'dial_denied':
      return isAboutPolicy(error) ? { blocked: 'policy', until: after(REMEDY_MS) } : null;
    case 'dial_deferred':
    case 'destination_not_allowed':
      return null;
    case 'too_many_calls':
      return { blocked: 'capacity', until: after((error.retry_after_s ?? 1) * 1000) };
    case 'budget_exceeded':
      return { blocked: 'budget', until: after(REMEDY_MS) };
    case 'calling_disabled':
      return { blocked: 'disabled', until: after(REMEDY_MS) };
    case 'not_found':
    case 'agent_inactive':
      return { blocked: 'agent', until: after(REMEDY_MS) };
    default:
      throw error;
  }
}

const isAboutPolicy = (error: AppError) => decisionIn(error).reasons.every(({ rule }) => rule === 'policy');
