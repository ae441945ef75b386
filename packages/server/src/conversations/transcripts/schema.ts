import { Type } from 'typebox';
import { DateTime, DateTimeInput, Id, nullable, Speaker } from '../../http/wire.ts';

export const Transcript = Type.Object(
  { id: Id, session_id: Id, content: Type.String(), speaker: Speaker, timestamp: DateTime },
  {
    title: 'Transcript',
    examples: [
      {
        id: '01980000-0000-7000-8000-000000000001',
        session_id: '01980000-0000-7000-8000-000000000001',
        content: 'I would like to move my appointment.',
        speaker: 'USER',
        timestamp: '2026-01-15T09:30:00.000Z',
      },
    ],
  },
);

export const TranscriptCreate = Type.Object(
  {
    content: Type.String({ minLength: 1, maxLength: 65_536 }),
    speaker: Type.Optional(nullable(Speaker)),
    timestamp: Type.Optional(nullable(DateTimeInput)),
    started_at: Type.Optional(
      nullable({ ...DateTimeInput, description: 'When its sound begins: see `lines` of `getRecordingLevels`.' }),
    ),
  },
  { title: 'TranscriptCreate', examples: [{ content: 'I would like to move my appointment.', speaker: 'USER' }] },
);
