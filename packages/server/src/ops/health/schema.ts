import { Type } from 'typebox';
import { nullable, oneOf } from '../../http/wire.ts';

const ProviderReadiness = Type.Object({ name: Type.String(), status: Type.String() }, { title: 'ProviderReadiness' });

const ServedBy = oneOf(
  'ServedBy',
  ['ok', 'simulated', 'unused', 'nobody'],
  '`ok`: a worker claims tasks of this kind, or did so within a minute. `nobody`: such tasks are waiting, or were requested within the last six hours, but no worker claims them. `unused`: neither. `simulated`: the sandbox does them.',
);
const WorkersReadiness = Type.Object(
  { chat_turn: ServedBy, scenario: ServedBy, analysis: ServedBy, provider_check: ServedBy, function_check: ServedBy },
  {
    title: 'WorkersReadiness',
    description: 'Who does the tasks of each kind (`POST /api/worker/tasks/claim`); null if it could not be read.',
  },
);

export const Readiness = Type.Object(
  {
    status: Type.String({ description: '`ok` or `unavailable`, by the database and its migrations only.' }),
    database: Type.String(),
    migrations: Type.String(),
    installation: Type.Union([Type.String(), Type.Null()], {
      description: 'The same for every process on one database; null until it has been read once. Not a secret.',
    }),
    providers: Type.Object({ media: ProviderReadiness, carrier: ProviderReadiness }, { title: 'ProvidersReadiness' }),
    workers: nullable(WorkersReadiness),
  },
  {
    title: 'Readiness',
    examples: [
      {
        status: 'ok',
        database: 'ok',
        migrations: 'ok',
        installation: '0197a3c8-6b1e-4d27-9f0a-5c8e2d417b93',
        providers: { media: { name: 'sandbox', status: 'ok' }, carrier: { name: 'sandbox', status: 'ok' } },
        workers: {
          chat_turn: 'simulated',
          scenario: 'simulated',
          analysis: 'simulated',
          provider_check: 'simulated',
          function_check: 'simulated',
        },
      },
    ],
    description: '`ok` for each part, or its problem.',
  },
);

export const Health = Type.Object({ status: Type.String() }, { title: 'Health', examples: [{ status: 'ok' }] });
