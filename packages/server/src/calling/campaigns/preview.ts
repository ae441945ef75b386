import type { Agent, Agents } from '../../conversations/agents/agents.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import { assertCallable, type CallingPolicy } from '../outbound/destinations.ts';
import { attemptOf } from '../outbound/dial-attempts.ts';
import type { Limits } from '../outbound/limits.ts';
import type { NumberHashes } from '../suppressions/suppressions.ts';
import { callTo } from './calling.ts';
import type { Campaigns } from './campaigns.ts';
import { MAX_PREVIEWED, MAX_REFUSALS } from './recipient-schema.ts';
import { listWaiting, type RecipientRow } from './recipients-store.ts';
import { recipientsIn } from './settings.ts';
import { type CampaignRow, countsOf } from './store.ts';

/** Recipients whose facts one statement reads. */
const PART = 200;
const HOUR_MS = 3_600_000;

interface Deps {
  db: Db;
  clock: Clock;
  agents: Agents;
  limits: Limits;
  hashes: NumberHashes;
  policy: CallingPolicy;
  campaigns: Campaigns;
}

/** The agent at the version that a call to a number gets. */
type AgentFor = (number: string) => Agent;

interface Decided {
  recipient: RecipientRow;
  /** When it may be dialled; null: never. */
  at: Date | null;
  refusal: { rule: string; detail: string } | null;
}

/** Previews of campaigns: whom they would dial when, if they were started now. */
export function createPreview({ db, clock, agents, limits, hashes, policy, campaigns }: Deps) {
  /** Decides about those who would be dialled first. Throws `not_found`, also for the agent. */
  async function preview(caller: string | null, id: string) {
    const campaign = await campaigns.findOwn(caller, id);
    const agent = await agents.ofCampaign(campaign);
    if (agent?.(null).user_id !== campaign.user_id) throw new AppError('not_found');
    const rows = await listWaiting(db, id, MAX_PREVIEWED);
    const decided: Decided[] = [];
    for (let from = 0; from < rows.length; from += PART)
      decided.push(...(await decide(campaign, agent, rows.slice(from, from + PART))));
    const { waiting, deferred } = recipientsIn(await countsOf(db, [id]));
    return summaryOf(decided, waiting + deferred, clock.now());
  }

  async function decide(campaign: CampaignRow, agent: AgentFor, recipients: RecipientRow[]): Promise<Decided[]> {
    const hash = await hashes();
    const { user_id } = campaign;
    const attempts = recipients.map((one) => attemptOf(user_id, agent(one.phone_number), callTo(campaign, one), hash));
    const evaluations = await limits.checkEach(db, user_id, attempts);
    return recipients.map((recipient, index) => {
      const barred = destinationProblem(recipient.phone_number);
      if (barred) return { recipient, at: null, refusal: { rule: 'destination_not_allowed', detail: barred } };
      const { outcome, not_before, reasons } = evaluations[index]?.evaluation ?? NO_EVALUATION;
      const later = latest([clock.now(), recipient.next_at, not_before]);
      const refusal = outcome === 'deny' ? (reasons[0] ?? { rule: 'policy', detail: '' }) : tooLate(campaign, later);
      return { recipient, at: refusal === null ? later : null, refusal };
    });
  }

  function destinationProblem(phone_number: string): string | null {
    try {
      assertCallable(phone_number, policy);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  return preview;
}

/** Whether a campaign ends before somebody may be dialled: nobody is dialled by one that has expired. */
function tooLate({ expires_at }: CampaignRow, at: Date): Decided['refusal'] {
  if (expires_at === null || at < expires_at) return null;
  return {
    rule: 'expires_at',
    detail: `The campaign ends at ${expires_at.toISOString()}, before the number may be called.`,
  };
}

const NO_EVALUATION = { outcome: 'deny', not_before: null, reasons: [] } as const;

const latest = (times: (Date | null)[]) => new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));

function summaryOf(decided: Decided[], waiting: number, now: Date) {
  const refused = decided.filter(({ refusal }) => refusal !== null);
  const times = decided.flatMap(({ at }) => (at === null ? [] : at.getTime()));
  const byHour = Map.groupBy(times, (time) => Math.floor(time / HOUR_MS) * HOUR_MS);
  return {
    waiting,
    decided: decided.length,
    is_sample: decided.length < waiting,
    same_number: decided.length - new Set(decided.map(({ recipient }) => canonicalNumber(recipient.phone_number))).size,
    now: times.filter((time) => time <= now.getTime()).length,
    hours: [...byHour]
      .sort(([one], [other]) => one - other)
      .map(([from, all]) => ({ from: new Date(from), recipients: all.length })),
    refused: refused.length,
    refusals: refused.slice(0, MAX_REFUSALS).map(({ recipient: { id, external_id }, refusal }) => {
      const { rule = '', detail = '' } = refusal ?? {};
      return { recipient_id: id, external_id, rule, detail };
    }),
  };
}
