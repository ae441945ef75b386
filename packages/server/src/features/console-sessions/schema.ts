import { Type } from 'typebox';
import { DateTime, nullable, oneOf } from '../../http/wire.ts';

export const ConsoleSignIn = Type.Object(
  { api_key: Type.String({ minLength: 1, maxLength: 200, description: 'A key of role `service` or `user`.' }) },
  { title: 'ConsoleSignIn', additionalProperties: false, examples: [{ api_key: 'sb_…' }] },
);

const AuthMode = oneOf('AuthMode', ['open', 'required'], '`open`: nobody signs in.');

export const SignInMethods = Type.Object(
  {
    auth_mode: AuthMode,
    is_openid_configured: Type.Boolean({ description: 'Whether users can sign in at an OpenID provider.' }),
  },
  { title: 'SignInMethods', examples: [{ auth_mode: 'required', is_openid_configured: true }] },
);

export const ConsoleSession = Type.Object(
  {
    auth_mode: AuthMode,
    role: nullable(oneOf('ConsoleRole', ['service', 'user'], '`service` acts for any user, `user` for its own.')),
    user_id: nullable(Type.String({ description: 'The user that the key or token is bound to.' })),
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
        expires_at: '2026-01-15T21:30:00.000Z',
        is_media_simulated: true,
        is_carrier_simulated: true,
        currency: 'USD',
      },
    ],
  },
);
