import { Type } from 'typebox';
import { oneOf } from '../../http/wire.ts';

/** Timeout of all checks together, in milliseconds. */
export const DOCTOR_MS = 60_000;

const CheckState = oneOf(
  'CheckState',
  ['ok', 'failed', 'not_checked'],
  '`not_checked`: it could not be determined, or there is nothing to check; `text` says which.',
);

export const Diagnosis = Type.Object(
  {
    checks: Type.Array(
      Type.Object(
        {
          check: Type.String(),
          state: CheckState,
          text: Type.String({ description: 'The finding, with the remedy for a failure.' }),
        },
        { title: 'Check' },
      ),
    ),
    is_complete: Type.Boolean({ description: 'False if the checks timed out after a minute.' }),
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
