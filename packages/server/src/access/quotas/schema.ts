import { Type } from 'typebox';
import { nullable } from '../../http/wire.ts';

const Bytes = (description: string) => Type.Integer({ minimum: 0, description });

export const Quota = Type.Object(
  {
    user_id: Type.String(),
    stored_bytes: Bytes(
      'Bytes stored for the user, as text, with a constant for each row: sessions, transcripts, calls of tools, agents (deleted ones too) with their versions and tests, recordings, analyses, outreach, callbacks, responses kept for repeated requests, and entries of the audit log.',
    ),
    stored_bytes_limit: nullable(Bytes('`STORED_BYTES_PER_USER`. Null: any number.')),
    written_bytes_this_minute: Bytes('Bytes written in the current minute, with any key.'),
    written_bytes_limit: nullable(Bytes('`WRITTEN_BYTES_PER_USER`. Null: any number.')),
  },
  {
    title: 'Quota',
    examples: [
      {
        user_id: 'user-1',
        stored_bytes: 73_400_320,
        stored_bytes_limit: 10_737_418_240,
        written_bytes_this_minute: 4096,
        written_bytes_limit: 67_108_864,
      },
    ],
  },
);
