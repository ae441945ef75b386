import { type Static, Type } from 'typebox';
import { dateRange } from '../../http/date-range.ts';
import { PageQuery } from '../../http/paging.ts';
import { DateTime, Id, nullable, oneOf, ShortText } from '../../http/wire.ts';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type AuditAction } from '../../lib/audit.ts';
import type { Columns } from '../../lib/csv.ts';
import type { JsonObject } from '../../lib/json.ts';

const ACTIONS = Object.keys(AUDIT_ACTIONS) as AuditAction[];
const MEANINGS = ACTIONS.map((action) => `- \`${action}\`: ${AUDIT_ACTIONS[action]}`);

const Action = oneOf('AuditAction', ACTIONS, `What was done:\n\n${MEANINGS.join('\n')}`);
const Outcome = oneOf(
  'AuditOutcome',
  AUDIT_OUTCOMES,
  '`refused`: answered with a 4xx; nothing was changed. `failed`: with a 5xx. `detail` has status and code.',
);
const Values = nullable(
  Type.Unsafe<JsonObject>({
    title: 'AuditValues',
    type: 'object',
    additionalProperties: true,
    description: 'The fields that differ, by their path. Long values are given as size and SHA-256.',
  }),
);

export const AuditEntry = Type.Object(
  {
    id: Id,
    at: DateTime,
    actor: Type.String({
      description:
        '`api_key/…`, `token` (a JWT), `openid` (signed in to the console), `open` (no authentication), `unauthenticated`, `command`, `repair` or `retention`.',
    }),
    actor_name: nullable(Type.String({ description: 'The name of the key, or the address of the OpenID user.' })),
    actor_user_id: nullable(Type.String({ description: 'The user whose own key or token it is.' })),
    user_id: nullable(Type.String({ description: 'The user whose data it concerns, if any.' })),
    ip: nullable(Type.String()),
    action: Type.String({ description: 'See the filter `action`.' }),
    target: Type.String({ description: 'The resource, as `kind/id`.' }),
    outcome: Outcome,
    detail: nullable(Type.String()),
    before: Values,
    after: Values,
    count: Type.Integer({
      description: 'Refusals and reads that repeat within a minute share an entry; `at` is the first of them.',
    }),
    seq: nullable(Type.Integer({ description: 'The place in the hash chain; null for some seconds.' })),
    hash: nullable(Type.String({ description: 'The hash of this entry and of all before it.' })),
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: '01980000-0000-7000-8000-000000000004',
        at: '2026-01-15T09:30:00.000Z',
        actor: 'api_key/01980000-0000-7000-8000-000000000002',
        actor_name: 'Dashboard',
        actor_user_id: null,
        user_id: 'user-1',
        ip: '192.0.2.7',
        action: 'budget.changed',
        target: 'budget',
        outcome: 'succeeded',
        detail: null,
        before: { monthly_limit: '50' },
        after: { monthly_limit: '80' },
        count: 1,
        seq: 42,
        hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    ],
  },
);

export const AuditQuery = Type.Object(
  {
    ...PageQuery,
    action: Type.Optional(Action),
    actor: Type.Optional({ ...ShortText, description: 'For instance `api_key/…`.' }),
    target: Type.Optional({ ...ShortText, description: 'For instance `agent/…`.' }),
    user_id: Type.Optional({ ...ShortText, description: 'The user whose data it concerns.' }),
    outcome: Type.Optional(Outcome),
    ...dateRange,
  },
  { additionalProperties: false },
);

export type AuditInput = Static<typeof AuditQuery>;

export const AUDIT_COLUMNS = {
  id: 'text',
  at: 'text',
  actor: 'text',
  actor_name: 'text',
  actor_user_id: 'text',
  user_id: 'text',
  ip: 'text',
  action: 'text',
  target: 'text',
  outcome: 'text',
  detail: 'text',
  before: 'text',
  after: 'text',
  count: 'number',
  seq: 'number',
  hash: 'text',
} as const satisfies Columns;
