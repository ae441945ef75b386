import { Type } from 'typebox';
import { DateTime, nullable, oneOf } from '../../http/wire.ts';
import { ROLES } from '../../lib/principal.ts';

export const ConsoleSignIn = Type.Object(
  { api_key: Type.String({ minLength: 1, maxLength: 200, description: 'A key of any role but `worker`.' }) },
  { title: 'ConsoleSignIn', additionalProperties: false, examples: [{ api_key: 'sb_…' }] },
);

/** A worker has no use for the console. */
const CONSOLE_ROLES = ROLES.filter((role) => role !== 'worker');

const AuthMode = oneOf('AuthMode', ['open', 'required'], '`open`: nobody signs in.');

export const SignInMethods = Type.Object(
  {
    auth_mode: AuthMode,
    is_openid_configured: Type.Boolean({ description: 'Whether users can sign in at an OpenID provider.' }),
  },
  { title: 'SignInMethods', examples: [{ auth_mode: 'required', is_openid_configured: true }] },
);

export const SignOutQuery = Type.Object(
  {
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'A person who signed in at the OpenID provider, by its `sub`, instead of the caller.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const SignedOut = Type.Object(
  { sessions: Type.Integer({ description: 'How many sign-ins have ended.' }) },
  { title: 'SignedOut', examples: [{ sessions: 2 }] },
);

export const ConsoleSession = Type.Object(
  {
    auth_mode: AuthMode,
    role: nullable(oneOf('ConsoleRole', CONSOLE_ROLES, 'The role of the sign-in; null in open mode.')),
    user_id: nullable(Type.String({ description: 'The user that the sign-in is bound to; null for all users.' })),
    operations: Type.Array(Type.String(), {
      description: 'The operations that the caller may use, by their `operationId`: those of its role and its scopes.',
    }),
    expires_at: nullable(DateTime),
    is_media_simulated: Type.Boolean({ description: 'Whether phones are simulated.' }),
    is_carrier_simulated: Type.Boolean({ description: 'Whether the carrier is simulated.' }),
    currency: Type.String({ description: 'The currency of all amounts (ISO 4217).' }),
  },
  {
    title: 'ConsoleSession',
    examples: [
      {
        auth_mode: 'required',
        role: 'user',
        user_id: 'user-1',
        operations: ['listCalls', 'getCall'],
        expires_at: '2026-01-15T21:30:00.000Z',
        is_media_simulated: true,
        is_carrier_simulated: true,
        currency: 'USD',
      },
    ],
  },
);
