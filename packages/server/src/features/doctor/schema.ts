import { Type } from 'typebox';
import { oneOf } from '../../http/wire.ts';

/** How long the checks may take together. Milliseconds. */
export const DOCTOR_MS = 60_000;

const CheckState = oneOf(
  'CheckState',
  ['ok', 'failed', 'not_checked'],
  '`not_checked`: it could not be told, or there is nothing to check; the sentence says which.',
);

export const Diagnosis = Type.Object(
  {
    checks: Type.Array(
      Type.Object(
        {
          check: Type.String(),
          state: CheckState,
          text: Type.String({ description: 'What was found, and of a failure what to do.' }),
        },
        { title: 'Check' },
      ),
    ),
    is_complete: Type.Boolean({ description: 'False where the checks took longer than a minute, and were ended.' }),
  },
  {
    title: 'Diagnosis',
    examples: [
      {
        checks: [{ check: 'database', state: 'ok', text: 'PostgreSQL 17 at db:5432/calls, its tables are up to date' }],
        is_complete: true,
      },
    ],
  },
);
