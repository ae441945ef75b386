import type { Mutant } from './mutants.ts';

type Changes = Record<string, [from: string, to: string]>;

/** One mutant for each change, by what it breaks. */
const mutants = (file: string, test: string, changes: Changes, name = ''): [string, Mutant][] =>
  Object.entries(changes).map(([what, [from, to]]) => [what, { file, test, name, from, to }]);

const DECISION = mutants('policies/evaluate.ts', 'policies.each-rule.test.ts', {
  'suppressions of all calls are not looked at': ["scope === 'user' ||", 'false ||'],
  'suppressions never expire': ['expires_at === null || Date.parse(expires_at) > Date.parse(at)', 'true'],
  'suppressions that expire do not count': [
    'expires_at === null || Date.parse(expires_at) > Date.parse(at)',
    'expires_at === null',
  ],
  'a suppression for an agent is for all agents': ['scope_id === agent_id', 'true'],
  'suppressions for an agent are not looked at': ["(scope === 'agent' && scope_id === agent_id)", 'false'],
  'a suppression for a campaign is for all campaigns': ['scope_id === campaign_id', 'true'],
  'suppressions for a campaign are not looked at': ["(scope === 'campaign' && scope_id === campaign_id)", 'false'],
  'a suppression for a purpose is for all purposes': [
    "scope === 'purpose' && scope_id === purpose",
    "scope === 'purpose'",
  ],
  'suppressions for a purpose are not looked at': ["(scope === 'purpose' && scope_id === purpose)", 'false'],
  'consents are asked for whatever the purpose': ['one.purpose === purpose && isFor(', 'isFor('],
  'a consent counts for all purposes': ['consents.filter((one) => one.purpose === purpose)', 'consents'],
  'a revoked consent counts': ['revoked_at === null && Date.parse(obtained_at) > revoked && ', ''],
  'a consent counts before it is obtained': [' && Date.parse(obtained_at) <= Date.parse(at)', ''],
  'a named policy that is not there allows all': [
    "[...suppressed, { rule: 'policy', detail, source: 'compliance.policy' }]",
    'suppressed',
  ],
  'transfers are decided like calls': ["inputs.kind === 'transfer' || ", ''],
  'one attempt more than the limit is allowed': ['(purposes)[count - 1]', '(purposes)[count]'],
  'attempts are counted over a day, whatever the days': ['oldest + days * DAY_MS', 'oldest + DAY_MS'],
  'attempts of all purposes are counted': ['purposes?.includes(one.purpose) ?? true', 'true'],
  'limits of other purposes apply': ['max_attempts.filter((limit) => isFor(limit, person, purpose))', 'max_attempts'],
  'the gap between calls is not kept': ['last + min_gap_s * 1000', 'last'],
  'the hours are not looked at': ['groups.map((group) => windowWait(group, inputs, policy, until))', '[]'],
});

/** The other tests of this file take seconds each. */
const TOGETHER = 'policies.rules.test.ts';
const ZONES = [
  ...mutants(
    'policies/evaluate.ts',
    TOGETHER,
    { 'a consent from before a revocation counts': ['> revoked &&', '> 0 &&'] },
    'attempts, consents and suppressions',
  ),
  ...mutants(
    'policies/evaluate.ts',
    TOGETHER,
    { 'an unknown zone is never denied': ["policy.rules.unknown_zone !== 'deny'", 'true'] },
    'windows of a region',
  ),
  ...mutants(
    'policies/evaluate.ts',
    TOGETHER,
    {
      'a number without a zone is called': ['person.zones.length > 0 && (isCertain', '(isCertain'],
      'of several zones only the first is looked at': ['...all.map((one) => one ?? at)', 'all[0] ?? at'],
      'who is never allowed is deferred': [
        "{ outcome: 'deny', not_before: null, reasons: [...reasons, never(policy)] }",
        "{ outcome: 'defer', not_before: new Date(time), reasons }",
      ],
    },
    'a prefix that spans zones',
  ),
];

const PLACES = [
  ...mutants('policies/groups.ts', 'policies.each-rule.test.ts', {
    'holidays are not looked at': ['if (holidays.has(date) || holidays.has(date.slice(5))) return [];', ''],
    'holidays of each year are not looked at': [' || holidays.has(date.slice(5))', ''],
    'holidays of other countries count': ['holidays.filter((one) => isFor(one, person, purpose))', 'holidays'],
    'windows of other purposes count': [
      'windows.filter(({ purposes }) => purposes?.includes(purpose) ?? true)',
      'windows',
    ],
    'windows are open on all days': [
      'windows.filter(({ days }) => days.some((day) => day === WEEKDAYS[weekday]))',
      'windows',
    ],
  }),
  ...mutants(
    'policies/groups.ts',
    TOGETHER,
    {
      'windows of a country come before those of its region': ['if (own.length > 0) return [own];', ''],
      'who may be in any region keeps to the hours of the country alone': [
        'if (region !== null || country === null) return lists;',
        'return lists;',
      ],
    },
    'windows of a region',
  ),
  ...mutants('policies/clock-time.ts', 'policies.each-rule.test.ts', {
    'a window is open in the minute of its end': ['minute >= from && minute < to', 'minute >= from && minute <= to'],
    'a window that has just ended opens next': ['filter(({ to }) => minute < to)', 'filter(({ to }) => minute <= to)'],
  }),
  ...mutants(
    'policies/clock-time.ts',
    TOGETHER,
    {
      'changes of clocks are not looked at': [
        'offsetAt(zone, next) === offset ? next : changeBetween(zone, now, next)',
        'next',
      ],
    },
    'a window that begins in the hour',
  ),
  ...mutants('policies/person.ts', 'policies.each-rule.test.ts', {
    'a zone that is given is not looked at': ['if (time_zone) return', 'if (false) return'],
    'a region that is given is not looked at': ['if (!region) return', 'if (true) return'],
  }),
];

const OUTCOMES = mutants('campaigns/states.ts', 'campaigns.states.test.ts', {
  'a canceled campaign goes on': ["if (state === 'canceled') return 'canceled';", ''],
  'a campaign does not expire': ['expires_at !== null && expires_at <= now', 'false'],
  'a draft expires': ["state !== 'draft' && ", ''],
  'a call that no agent took counts as answered': ["if (end_reason === 'agent_never_joined') return 'abandoned';", ''],
  'a machine counts as a person': ["MACHINES.find((machine) => machine === answered_by) ?? 'answered'", "'answered'"],
  'a call that is gone counts as failed': [
    "if (call === null) return 'interrupted';",
    "if (call === null) return 'failed';",
  ],
  'whatever came of a call, it is tried again': ['!retries.on.some((one) => one === outcome) || ', ''],
  'attempts have no end': [' || attempts >= retries.attempts', ''],
  'the first delay counts for all retries': ['Math.min(attempts, delays_s.length) - 1', '0'],
  'the spread of retries is left out': ['spread * (2 * random - 1)', '0'],
  'a campaign that has ended tries again': ['if (ending !== null) return final(ending);', ''],
  'dispositions do not matter': [" && (reached_dispositions?.includes(disposition ?? '') ?? true)", ''],
  'dispositions are not waited for': ['DISPOSITION_MS = 30_000', 'DISPOSITION_MS = 0'],
  'a suppressed number counts as refused': ["answer.rule === 'suppression' ? 'suppressed' : 'refused'", "'refused'"],
});

const PACE = mutants('campaigns/pacing.ts', 'campaigns.states.test.ts', {
  'abandoned calls do not stop a campaign': [
    "if (abandonment?.is_exceeded) return none('policy', abandonment.until);",
    '',
  ],
  'failures do not open the circuit': ['circuit && recent.calls', 'false && circuit && recent.calls'],
  'a few failures open the circuit': ['recent.calls >= circuit.min_calls && ', ''],
  'the budget is not looked at': [
    "if (isSpent || (affordable !== null && affordable <= 0 && open === 0)) return none('budget');",
    '',
  ],
  'a campaign places more calls than its budget is good for': ['    affordable ?? Number.POSITIVE_INFINITY,\n', ''],
  'calls that wait for a worker do not stop a campaign': ['unattended >= UNATTENDED && ', 'false && '],
  'campaigns use all calls of a day': ['partOf(user.per_day) - user.today', 'user.per_day - user.today'],
  'campaigns use all calls at the same time': ['partOf(user.concurrent) - user.open', 'user.concurrent - user.open'],
  'workers are not counted': ['workers ? partOf(workers.max_calls) - workers.open : ', ''],
  'campaigns use all of a burst': [' - Math.floor(user.burst * kept)', ''],
  'one campaign takes what is free': ['Math.min(free, today) / Math.max(1, campaigns)', 'Math.min(free, today)'],
  'open calls are not counted': ['pacing.max_concurrent - open', 'pacing.max_concurrent'],
  'calls a minute are not counted': ['    slots(pacing, situation),\n', ''],
  'a turn makes up for a minute': ['BURST_MS = 2_000', 'BURST_MS = 60_000'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the source text of a template.
  'people see any caller ID': ['weigh(`${number} ${phone_number}`)', 'weigh(phone_number)'],
});

const ABANDONED = mutants('campaigns/abandonment.ts', 'campaigns.abandonment.test.ts', {
  'the rate of abandoned calls is not looked at': ['abandoned > max_rate * answered', 'abandoned > answered'],
  'one abandoned call alone is too many': ['(abandoned > 1 || max_rate === 0)', 'true'],
  'the agent may come at any time': ['joined > until && ', 'joined === Number.POSITIVE_INFINITY && '],
  'who hangs up at once has been abandoned': ['(ended_at === null || ended_at.getTime() > until)', 'true'],
  'abandoned calls are forgotten after a day': [
    'Date.parse(leaving.day) + days * DAY_MS',
    'Date.parse(leaving.day) + DAY_MS',
  ],
});

/** Broken rules about whom a campaign calls, when, and how often, each with the test that finds it. */
export const RULE_MUTANTS = new Map([...DECISION, ...ZONES, ...PLACES, ...OUTCOMES, ...PACE, ...ABANDONED]);
