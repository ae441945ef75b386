import { Type } from 'typebox';

const ProviderReadiness = Type.Object({ name: Type.String(), status: Type.String() }, { title: 'ProviderReadiness' });

export const Readiness = Type.Object(
  {
    status: Type.String({ description: '`ok` or `unavailable`, by the database and its migrations only.' }),
    database: Type.String(),
    migrations: Type.String(),
    installation: Type.Union([Type.String(), Type.Null()], {
      description: 'The same for every process on one database; null until it has been read once. Not a secret.',
    }),
    providers: Type.Object({ media: ProviderReadiness, carrier: ProviderReadiness }, { title: 'ProvidersReadiness' }),
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
      },
    ],
    description: '`ok` for each part, or its problem.',
  },
);

export const Health = Type.Object({ status: Type.String() }, { title: 'Health', examples: [{ status: 'ok' }] });
