import { Type } from 'typebox';
import { DateTime, Id, nullable } from '../http/wire.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Kind = Type.String({ description: 'For instance `number_watch`.' });

const ITEM = {
  id: '01980000-0000-7000-8000-000000000009',
  kind: 'number_watch',
  subject: '+15005550010',
  due_at: '2026-01-15T09:40:00.000Z',
  attempts: 3,
  last_error: 'The carrier did not answer in time.',
  is_running: false,
  created_at: '2026-01-15T09:30:00.000Z',
};
const COUNTS = { kind: 'number_watch', waiting: 1, running: 0, failing: 1, oldest_due_at: null };

export const WorkItem = Type.Object(
  {
    id: Id,
    kind: Kind,
    subject: Type.String({ description: 'What it is about, for instance a phone number.' }),
    due_at: DateTime,
    attempts: Count('Attempts since it was added or last succeeded.'),
    last_error: nullable(Type.String()),
    is_running: Type.Boolean(),
    created_at: DateTime,
  },
  { title: 'WorkItem', examples: [ITEM] },
);

const WorkKind = Type.Object(
  {
    kind: Kind,
    waiting: Count('Not begun, due or not; work that is tried again is part of it.'),
    running: Count('Held by a process.'),
    failing: Count('Whose last attempt has failed.'),
    oldest_due_at: nullable(DateTime),
  },
  { title: 'WorkKind', examples: [COUNTS] },
);

export const WorkList = Type.Object(
  {
    kinds: Type.Array(WorkKind, { description: 'Every kind of which work is stored.' }),
    failing: Type.Array(WorkItem, {
      description: 'Work whose last attempt has failed; `kinds` has the counts of all.',
    }),
  },
  { title: 'WorkList', examples: [{ kinds: [COUNTS], failing: [ITEM] }] },
);

export const WorkQuery = Type.Object(
  { kind: Type.Optional(Type.String({ description: 'Lists failing work of this kind alone.' })) },
  { additionalProperties: false },
);
