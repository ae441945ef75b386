import { type Static, Type } from 'typebox';
import { nullable } from '../../http/wire.ts';

const Setting = Type.Object(
  {
    name: Type.String({ description: 'The variable of the environment.' }),
    value: nullable(
      Type.String({ description: 'Null if unset, and for secrets. URLs are reduced to scheme and host.' }),
    ),
    default: nullable(Type.String()),
    is_set: Type.Boolean({ description: 'Whether the value differs from the default.' }),
    is_secret: Type.Boolean({ description: 'Whether its value is never shown.' }),
    description: Type.String(),
  },
  { title: 'Setting' },
);

/** A setting as operators see it. */
export type SettingView = Static<typeof Setting>;

export const ServiceSettings = Type.Object(
  { settings: Type.Array(Setting) },
  {
    title: 'ServiceSettings',
    examples: [
      {
        settings: [
          {
            name: 'TRANSCRIPT_RETENTION_DAYS',
            value: '90',
            default: null,
            is_set: true,
            is_secret: false,
            description: 'Days after which transcripts are deleted. Unset: never.',
          },
        ],
      },
    ],
  },
);
