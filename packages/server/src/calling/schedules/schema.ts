import { Type } from 'typebox';
import { PageQuery } from '../../http/paging.ts';
import { DateTime, Id, nullable, oneOf, PhoneNumber } from '../../http/wire.ts';
import { CallMetadata, CallVariables, IfMissed, LOCAL_TIME, scheduleFields } from '../outbound/schema.ts';

/** Calls of one user that wait for their time. */
export const MAX_SCHEDULED = 10_000;
/** Characters of a note about a call back. */
const MAX_NOTE = 500;

const Status = oneOf(
  'ScheduledCallStatus',
  ['SCHEDULED', 'PLACED', 'CANCELED', 'EXPIRED', 'REFUSED'] as const,
  'From `SCHEDULED` to one of the others, which are final. `EXPIRED`: it was not allowed, or not possible, in its time. `REFUSED`: it may never be placed.',
);

const Hours = Type.Object(
  {
    earliest: Type.String({ description: 'A local time.' }),
    latest: Type.String(),
    time_zone: Type.String(),
    if_missed: IfMissed,
  },
  { title: 'ScheduledHours', description: 'The window, as it was asked for; null for an instant.' },
);

const eventFields = {
  scheduled_call_id: Type.String({ description: 'The `call_id` that the request was answered with.' }),
  status: Status,
  call_id: nullable({ ...Id, description: 'The call, once it is placed.' }),
  agent_id: Id,
  phone_number: Type.String(),
  due_at: { ...DateTime, description: 'When it is placed, or was to be.' },
  latest_at: { ...DateTime, description: 'From then on it is too late, or time for the next window.' },
  window: nullable(Hours),
  reason: nullable(
    Type.String({
      description:
        'Why it was moved or has ended: the code of an error, such as `dial_deferred`; `canceled`, `replaced`, `missed` or `agent_not_found`.',
    }),
  ),
  detail: nullable(Type.String({ description: 'The same in words.' })),
  booked_in: nullable({ ...Id, description: 'The conversation in which the agent has booked it.' }),
  callback_url: nullable(Type.String()),
  created_at: DateTime,
  updated_at: DateTime,
};

const eventExample = {
  scheduled_call_id: '01980000-0000-7000-8000-000000000034',
  status: 'SCHEDULED',
  call_id: null,
  agent_id: '01980000-0000-7000-8000-000000000000',
  phone_number: '+15005550100',
  due_at: '2026-01-16T14:00:00.000Z',
  latest_at: '2026-01-16T17:00:00.000Z',
  window: {
    earliest: '2026-01-16T09:00',
    latest: '2026-01-16T12:00',
    time_zone: 'America/New_York',
    if_missed: 'expire',
  },
  reason: null,
  detail: null,
  booked_in: null,
  callback_url: 'https://example.com/calls',
  created_at: '2026-01-15T09:30:00.000Z',
  updated_at: '2026-01-15T09:30:00.000Z',
};

export const ScheduledCall = Type.Object(
  { ...eventFields, variables: CallVariables, metadata: CallMetadata },
  { title: 'ScheduledCall', examples: [{ ...eventExample, variables: { name: 'Ada' }, metadata: {} }] },
);

export const ScheduledCallQuery = Type.Object(
  { ...PageQuery, status: Type.Optional(Status), phone_number: Type.Optional(PhoneNumber) },
  { additionalProperties: false },
);

export const ScheduledCallMove = Type.Object(
  { at: scheduleFields.at, window: scheduleFields.window, if_missed: scheduleFields.if_missed },
  { title: 'ScheduledCallMove', additionalProperties: false, examples: [{ at: '2026-01-17T14:00:00Z' }] },
);

const ChangedCall = Type.Object(eventFields, {
  title: 'ChangedScheduledCall',
  description: 'Without what the call is to be given, which is kept only until it is placed.',
  examples: [eventExample],
});

export const ScheduledCallChanged = Type.Object(
  { type: Type.String({ description: '`scheduled_call.changed`.' }), timestamp: DateTime, data: ChangedCall },
  {
    title: 'ScheduledCallChanged',
    examples: [{ type: 'scheduled_call.changed', timestamp: '2026-01-16T14:00:00.000Z', data: eventExample }],
  },
);

const date_time = Type.String({ pattern: LOCAL_TIME, description: 'By the clocks where the person is.' });

export const CallBackProposal = Type.Object(
  {
    date_time,
    time_zone: Type.Optional(
      nullable(
        Type.String({ maxLength: 64, description: 'Where the person is. Default: by the number, if that is certain.' }),
      ),
    ),
    phone_number: Type.Optional(
      nullable({ ...PhoneNumber, description: 'Only in conversations without a phone: whom to call.' }),
    ),
    note: Type.Optional(
      nullable(
        Type.String({ maxLength: MAX_NOTE, description: 'What it is about, as the variable `call_back_note`.' }),
      ),
    ),
  },
  {
    title: 'CallBackProposal',
    additionalProperties: false,
    examples: [{ date_time: '2026-01-16T15:00', note: 'The offer.' }],
  },
);

export const ProposedCallBack = Type.Object(
  {
    date_time: Type.String(),
    time_zone: Type.String(),
    due_at: DateTime,
    spoken: Type.String({ description: 'The time in words, to be read back.' }),
  },
  {
    title: 'ProposedCallBack',
    examples: [
      {
        date_time: '2026-01-16T15:00',
        time_zone: 'America/New_York',
        due_at: '2026-01-16T20:00:00.000Z',
        spoken: 'Friday, January 16, 2026 at 3:00 PM (America/New_York)',
      },
    ],
  },
);

export const CallBackConfirmation = Type.Object(
  { date_time: { ...date_time, description: 'As it was proposed.' } },
  { title: 'CallBackConfirmation', additionalProperties: false, examples: [{ date_time: '2026-01-16T15:00' }] },
);
