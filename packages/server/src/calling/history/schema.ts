import { type Static, Type } from 'typebox';
import { SessionListQuery } from '../../conversations/sessions/schema.ts';
import { VersionNumber } from '../../conversations/versions/schema.ts';
import { CalledNumber, CallStatus, Direction, EndReason } from '../../http/wire.ts';
import type { Columns } from '../../lib/csv.ts';
import { ValueFilters, ValueSort } from './values-schema.ts';

const { limit, cursor, ...sessionFilters } = SessionListQuery.properties;

export const CallExportQuery = Type.Object(
  {
    ...sessionFilters,
    agent_version: Type.Optional({ ...VersionNumber, description: 'The version of the agent that the call has had.' }),
    call_status: Type.Optional(CallStatus),
    direction: Type.Optional(Direction),
    end_reason: Type.Optional(EndReason),
    number: Type.Optional({ ...CalledNumber, description: 'A number of either side, with or without its plus sign.' }),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Words of the transcript: all of them, in any order; the last may be a beginning, except of words that are encrypted (`ENCRYPT_CONTENT`).',
      }),
    ),
    analysis: ValueFilters,
    sort: ValueSort,
  },
  { additionalProperties: false },
);

const FIELDS = ['total_cost', 'last_transcript', 'analysis'] as const;
const FIELD = `(${FIELDS.join('|')})`;

export const CallListQuery = Type.Object(
  {
    limit,
    cursor,
    ...CallExportQuery.properties,
    include: Type.Optional(
      Type.String({
        pattern: `^${FIELD}(,${FIELD})*$`,
        maxLength: 50,
        description: `Fields that are left out otherwise, separated by commas: ${FIELDS.map((name) => `\`${name}\``).join(', ')}.`,
      }),
    ),
  },
  { additionalProperties: false },
);

export type CallListInput = Static<typeof CallListQuery>;

export const CALL_COLUMNS = {
  call_id: 'text',
  created_at: 'text',
  user_id: 'text',
  agent_id: 'text',
  direction: 'text',
  from_number: 'text',
  to_number: 'text',
  status: 'text',
  call_status: 'text',
  end_reason: 'text',
  sip_status_code: 'number',
  started_at: 'text',
  ended_at: 'text',
  duration: 'number',
  total_cost: 'number',
  agent_version: 'number',
} as const satisfies Columns;
