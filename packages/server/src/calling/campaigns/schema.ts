import { type Static, Type } from 'typebox';
import { VersionNumber } from '../../conversations/versions/schema.ts';
import { CAMPAIGN_STATES } from '../../db/campaign-tables.ts';
import {
  DateTime,
  DateTimeInput,
  DecimalInput,
  Id,
  NumericString,
  nullable,
  oneOf,
  PhoneNumber,
} from '../../http/wire.ts';
import { Purpose } from '../policies/schema.ts';
import { OUTCOMES, REACHING, RECIPIENT_STATES, RETRIABLE } from './state-schema.ts';

export const MAX_CAMPAIGNS = 1_000;
export const MAX_FROM_NUMBERS = 100;
/** Attempts for one recipient, and calls at the same time and a minute of one campaign. */
export const MAX_ATTEMPTS = 10;
export const MAX_CONCURRENT = 1_000;
export const MAX_PER_MINUTE = 60_000;
export const MAX_DISPOSITIONS = 50;

const BLOCKS = ['agent', 'budget', 'capacity', 'circuit', 'disabled', 'number', 'policy', 'window'] as const;

export const CampaignState = oneOf(
  'CampaignState',
  CAMPAIGN_STATES,
  '`completed`: nobody is left to be dialled; recipients that are added make it run again.',
);
export const RecipientState = oneOf(
  'RecipientState',
  RECIPIENT_STATES,
  '`waiting` for its turn or the next attempt, `deferred` by a decision until `next_at`, `refused` by a decision. From `reached` on, the campaign is done with it.',
);
export const AttemptOutcome = oneOf(
  'AttemptOutcome',
  OUTCOMES,
  '`abandoned`: somebody answered, and no agent came. `interrupted`: what became of it is unknown. `failed`: everything else.',
);
const ReachedBy = oneOf('ReachedBy', REACHING, 'An outcome that counts as having reached somebody.');
const RetryOn = oneOf('RetryOn', RETRIABLE, 'An outcome after which it is tried again.');
const BlockReason = oneOf(
  'BlockReason',
  BLOCKS,
  'The agent is inactive or gone; the budget is spent; the user has no calls left, or workers no room, or none joins its calls; too many calls fail; calling is disabled; a number in `from_numbers` is not the user’s any more; the policy does not exist, or its rate of abandoned calls is exceeded; everybody who waits may only be dialled later.',
);

const Part = Type.Number({ minimum: 0, maximum: 1 });

const Pacing = Type.Object(
  {
    max_concurrent: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_CONCURRENT, description: 'Calls at the same time. Default: 10.' }),
    ),
    per_minute: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_PER_MINUTE, description: 'Calls that start in a minute. Default: 60.' }),
    ),
    reserve_for_others: Type.Optional({
      ...Part,
      description:
        'Share of the user’s concurrent, daily and burst limits, and of the calls that workers take, left to other calls. Default: 0.2.',
    }),
  },
  { title: 'CampaignPacing', additionalProperties: false },
);

const Retries = Type.Object(
  {
    attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_ATTEMPTS, description: 'For each recipient at most. Default: 1.' }),
    ),
    on: Type.Optional(
      Type.Array(RetryOn, {
        maxItems: RETRIABLE.length,
        uniqueItems: true,
        description: 'Default: `busy`, `no_answer`, `unavailable`, `failed`, `abandoned` and `interrupted`.',
      }),
    ),
    delays_s: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 30 * 86_400 }), {
        minItems: 1,
        maxItems: MAX_ATTEMPTS - 1,
        description:
          'Seconds after the first attempt, the second one, …; the last one for all later ones. Default: an hour.',
      }),
    ),
    spread: Type.Optional({ ...Part, description: 'Part of a delay by which it varies at random. Default: 0.1.' }),
  },
  { title: 'CampaignRetries', additionalProperties: false },
);

const Circuit = Type.Object(
  {
    failure_rate: { ...Part, description: 'Part of the calls that fail, are abandoned or interrupted.' },
    window_s: Type.Integer({ minimum: 10, maximum: 86_400, description: 'Of the calls that ended in these seconds.' }),
    min_calls: Type.Integer({ minimum: 1, maximum: 1_000, description: 'With fewer, nothing is concluded.' }),
  },
  {
    title: 'CampaignCircuit',
    additionalProperties: false,
    description: 'Stops dialling while too many calls fail; once these are out of the window, it tries again.',
  },
);

/** Fields that may be changed while it runs. */
const anytime = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  pacing: Type.Optional(Pacing),
  budget: Type.Optional(
    nullable({
      ...DecimalInput,
      description: 'What its calls may cost, in the currency of the usage events. Null: any.',
    }),
  ),
  circuit: Type.Optional(nullable(Circuit)),
  expires_at: Type.Optional(
    nullable({ ...DateTimeInput, description: 'Nobody is dialled from then on. Null: never.' }),
  ),
};
/** Fields that may be changed in a draft, and while it is paused. */
const atRest = {
  agent_id: Id,
  agent_version: Type.Optional(
    nullable({ ...VersionNumber, description: 'A version of the agent. Null: whatever is released.' }),
  ),
  from_numbers: Type.Optional(
    Type.Array(PhoneNumber, {
      maxItems: MAX_FROM_NUMBERS,
      uniqueItems: true,
      description:
        'Caller IDs, each of an agent of the user; a recipient always sees the same. Default: the agent’s own.',
    }),
  ),
  retries: Type.Optional(Retries),
  reached_by: Type.Optional(
    Type.Array(ReachedBy, {
      minItems: 1,
      maxItems: REACHING.length,
      uniqueItems: true,
      description: 'Default: `answered`.',
    }),
  ),
  reached_dispositions: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: MAX_DISPOSITIONS,
        uniqueItems: true,
        description:
          'Only calls with one of these as `disposition` count as having reached somebody. A call waits up to 30 seconds for its disposition. Null: any disposition, or none.',
      }),
    ),
  ),
  purpose: Type.Optional(Purpose),
  policy: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        description: 'A dial policy, in place of the one that the agent names. Null: as the agent says.',
      }),
    ),
  ),
};
export const AT_REST = Object.keys(atRest) as (keyof typeof atRest)[];

const AGENT = '01980000-0000-7000-8000-000000000000';
const example = {
  name: 'Renewals',
  agent_id: AGENT,
  agent_version: null,
  from_numbers: [],
  pacing: { max_concurrent: 20, per_minute: 120, reserve_for_others: 0.2 },
  retries: { attempts: 3, on: ['busy', 'no_answer'], delays_s: [600, 86_400], spread: 0.1 },
  reached_by: ['answered'],
  reached_dispositions: null,
  purpose: 'service',
  policy: null,
  budget: '250',
  circuit: { failure_rate: 0.5, window_s: 300, min_calls: 20 },
  expires_at: null,
};

export const CampaignCreate = Type.Object(
  { ...anytime, ...atRest },
  { title: 'CampaignCreate', additionalProperties: false, examples: [example] },
);
export const CampaignUpdate = Type.Partial(Type.Object({ ...anytime, ...atRest }), {
  title: 'CampaignUpdate',
  additionalProperties: false,
  examples: [{ pacing: { max_concurrent: 5 } }],
});
export type CampaignFields = Static<typeof CampaignUpdate>;

export const countsBy = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Integer({ minimum: 0 })]));

export const RecipientCounts = Type.Object(
  { total: Type.Integer({ minimum: 0 }), ...countsBy(RECIPIENT_STATES) },
  { title: 'RecipientCounts', description: 'Recipients by state.' },
);

const Count = Type.Integer({ minimum: 0 });
const CampaignAbandonment = Type.Object(
  {
    answered: { ...Count, description: 'Calls that people answered and that have ended, within `days`.' },
    abandoned: { ...Count, description: 'Those of them in which no agent was there in time.' },
    rate: { ...Part, description: 'The share of these.' },
    max_rate: { ...Part, description: 'The share that the policy allows.' },
    days: Type.Integer({ minimum: 1, description: 'Days, by UTC and today included, over which they are counted.' }),
    is_exceeded: Type.Boolean({ description: 'Whether nobody is dialled because of it.' }),
  },
  { title: 'CampaignAbandonment' },
);

const Block = Type.Object({ reason: BlockReason, until: nullable(DateTime) }, { title: 'CampaignBlock' });

export const zeros = Object.fromEntries(RECIPIENT_STATES.map((state) => [state, 0]));

export const Campaign = Type.Object(
  {
    id: Id,
    name: Type.String(),
    agent_id: Id,
    agent_version: nullable(Type.Integer()),
    state: CampaignState,
    blocked: nullable({ ...Block, description: 'Why a running campaign dials nobody; null if it does.' }),
    abandonment: nullable({
      ...CampaignAbandonment,
      description:
        'Calls that people answered and no agent took, when it had its last turn. Null if its policy has no `max_abandoned_rate`.',
    }),
    from_numbers: Type.Array(Type.String()),
    pacing: Type.Required(Pacing, { title: 'PacingInUse' }),
    retries: Type.Required(Retries, { title: 'RetriesInUse' }),
    reached_by: Type.Array(ReachedBy),
    reached_dispositions: nullable(Type.Array(Type.String())),
    purpose: Purpose,
    policy: nullable(Type.String()),
    budget: nullable(NumericString),
    spent: {
      ...NumericString,
      description:
        'What its ended calls have cost, by the ledger, until a day after each. Later corrections are in the cost reports alone.',
    },
    circuit: nullable(Circuit),
    expires_at: nullable(DateTime),
    recipients: RecipientCounts,
    created_at: DateTime,
    started_at: nullable(DateTime),
    ended_at: nullable(DateTime),
  },
  {
    title: 'Campaign',
    examples: [
      {
        id: '01980000-0000-7000-8000-000000000041',
        ...example,
        state: 'running',
        blocked: null,
        abandonment: null,
        spent: '12.5',
        recipients: { total: 3, ...zeros, waiting: 1, reached: 2 },
        created_at: '2026-01-15T09:00:00.000Z',
        started_at: '2026-01-15T09:30:00.000Z',
        ended_at: null,
      },
    ],
  },
);

/** The body of events about campaigns. */
export const CampaignEvent = Type.Object(
  { type: Type.String({ description: '`campaign.completed`, …' }), timestamp: DateTime, data: Campaign },
  {
    title: 'CampaignEvent',
    description: 'The campaign when the event was queued.',
    examples: [
      {
        type: 'campaign.completed',
        timestamp: '2026-01-15T09:45:00.000Z',
        data: (Campaign as { examples?: unknown[] }).examples?.[0],
      },
    ],
  },
);
