import { type Static, Type } from 'typebox';
import { DateTime, nullable, oneOf } from '../../http/wire.ts';

/** Policies of one user, versions of one policy, and rules of one kind in a policy. */
export const MAX_POLICIES = 100;
export const MAX_POLICY_VERSIONS = 1_000;
export const MAX_RULES = 200;
/** Calls of one kind that a policy can allow in a period: as many attempts are read for a decision. */
export const MAX_ATTEMPTS = 100;

export const PURPOSES = ['marketing', 'service', 'emergency'] as const;
export type PurposeName = (typeof PURPOSES)[number];
export const Purpose = oneOf('Purpose', PURPOSES, 'Why somebody is called. Absent: `marketing`, the strictest.');

export const PRESETS = ['us-federal', 'us-tx', 'us-fl', 'eu'] as const;
const PresetName = oneOf('PresetName', PRESETS, 'Rules that come with the service. They are no legal advice.');

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const Weekday = Type.Enum([...WEEKDAYS], { type: 'string', title: 'Weekday' });

/** Hours and minutes; 24:00 is the end of a day. */
const TIME = '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$';
const Source = Type.String({ maxLength: 500, description: 'Where the rule comes from: a law, a page, a date.' });

/** Whom a rule is for; absent: everybody. */
const forWhom = {
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1, for example `DE`.' })),
  region: Type.Optional(
    Type.String({ pattern: '^[A-Z0-9]{1,3}$', description: 'ISO 3166-2 without the country, for example `TX`.' }),
  ),
  purposes: Type.Optional(
    Type.Array(Purpose, { minItems: 1, maxItems: PURPOSES.length, uniqueItems: true, description: 'Absent: all.' }),
  ),
  source: Type.Optional(Source),
};

const Window = Type.Object(
  {
    ...forWhom,
    days: Type.Array(Weekday, { minItems: 1, maxItems: 7, uniqueItems: true }),
    from: Type.String({ pattern: TIME, description: 'In the time of the person.' }),
    to: Type.String({ pattern: TIME, description: 'The first minute after it; at most `24:00`.' }),
  },
  { title: 'DialWindow', additionalProperties: false },
);

const Holiday = Type.Object(
  {
    ...forWhom,
    date: Type.String({
      pattern: '^(\\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
      description: '`2026-12-25`, or `12-25` for every year. Nobody is called on it.',
    }),
    name: Type.Optional(Type.String({ maxLength: 100 })),
  },
  { title: 'DialHoliday', additionalProperties: false },
);

const AttemptLimit = Type.Object(
  {
    ...forWhom,
    count: Type.Integer({ minimum: 1, maximum: MAX_ATTEMPTS }),
    days: Type.Integer({ minimum: 1, maximum: 30, description: 'Of 24 hours each.' }),
  },
  { title: 'AttemptLimit', additionalProperties: false },
);

const ConsentRule = Type.Object(
  { country: forWhom.country, region: forWhom.region, purpose: Purpose, source: Type.Optional(Source) },
  { title: 'ConsentRule', additionalProperties: false },
);

const list = <T extends ReturnType<typeof Type.Object>>(item: T, description: string) =>
  Type.Optional(Type.Array(item, { maxItems: MAX_RULES, description }));

const ruleFields = {
  windows: list(
    Window,
    'When phones may ring. Of the windows for a person’s region, country, and everybody, the first of these that there are apply; without any, any time is allowed.',
  ),
  holidays: list(Holiday, 'Days without calls.'),
  max_attempts: list(AttemptLimit, 'At most so many calls to one number in a period, whatever came of them.'),
  min_gap_s: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 2_592_000, description: 'Seconds between two calls to one number.' })),
  ),
  requires_consent: list(ConsentRule, 'Purposes for which there must be a consent.'),
  unknown_zone: Type.Optional(
    oneOf(
      'UnknownZone',
      ['strictest', 'deny'] as const,
      'What follows where zone or region are not known for certain. `strictest`, the default: it must be allowed in all that are possible. `deny`: nobody is called.',
    ),
  ),
  max_abandoned_rate: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'Part of the calls of a campaign that people answer and no agent takes in time, at most: beyond it, the campaign dials nobody (`blocked.reason` is `policy`).',
      }),
    ),
  ),
  abandoned_after_s: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 60,
        description: 'Seconds after the answer in which an agent is in time; 2 by default.',
      }),
    ),
  ),
  abandoned_days: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 30,
        description: 'Days, by UTC, over which they are counted; 30 by default.',
      }),
    ),
  ),
  abandoned_source: Type.Optional(Source),
};

const Rules = Type.Object(ruleFields, { title: 'DialRules', additionalProperties: false });
/** The rules of a policy as they are stored: what is absent does not apply. */
export type Rules = Static<typeof Rules>;

const window = { country: 'US', days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' };
const rules = { windows: [window], max_attempts: [{ count: 3, days: 7 }], min_gap_s: 14_400 };

export const PolicyPut = Type.Object(
  {
    ...ruleFields,
    preset: Type.Optional({
      ...PresetName,
      description: 'Takes its rules, except for the kinds of rules that are given beside it.',
    }),
    is_default: Type.Optional(
      Type.Boolean({ description: 'Whether it applies to agents that name none. At most one policy is the default.' }),
    ),
  },
  { title: 'DialPolicyPut', additionalProperties: false, examples: [{ ...rules, is_default: false }] },
);

export const Policy = Type.Object(
  {
    name: Type.String(),
    version: Type.Integer({ description: 'Each change of rules makes a new one; versions never change.' }),
    is_default: Type.Boolean(),
    rules: Rules,
    created_at: { ...DateTime, description: 'Of this version.' },
  },
  {
    title: 'DialPolicy',
    examples: [{ name: 'office-hours', version: 1, is_default: true, rules, created_at: '2026-01-15T09:30:00.000Z' }],
  },
);

export const Preset = Type.Object(
  {
    name: PresetName,
    label: Type.String(),
    date: Type.String({ description: 'When its rules were written down. Read the sources before you rely on them.' }),
    rules: Rules,
  },
  {
    title: 'DialPreset',
    examples: [{ name: 'us-federal', label: 'United States, federal law', date: '2026-11-26', rules }],
  },
);

export const PolicyList = Type.Object(
  { policies: Type.Array(Policy), presets: Type.Array(Preset) },
  {
    title: 'DialPolicyList',
    examples: [
      {
        policies: (Policy as { examples?: unknown[] }).examples,
        presets: (Preset as { examples?: unknown[] }).examples,
      },
    ],
  },
);

export const DialReason = Type.Object(
  {
    rule: Type.String({
      description: '`suppression`, `consent`, `window`, `max_attempts`, `min_gap`, `zone`, `policy`.',
    }),
    detail: Type.String({ description: 'For people.' }),
    source: Type.String({ description: 'Where the rule comes from: as it says itself, otherwise the policy.' }),
  },
  { title: 'DialReason' },
);
