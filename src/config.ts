import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Convert, Default } from 'typebox/value';

const optional = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));
const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description });
const oneOf = <const T extends readonly string[]>(values: T, value: T[number], description: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values, default: value, description });
const whole = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: value, minimum, maximum, description });

/** Every variable the service reads. `docs/configuration.md` is generated from this. */
export const SETTINGS = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', minLength: 1, description: 'Address to listen on.' }),
  PORT: whole(8000, 0, 65535, 'Port to listen on; 0 takes any free one.'),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'PostgreSQL 15 or newer, `postgres://user:password@host:port/database`. Unset: the embedded database.',
    }),
  ),
  DATABASE_POOL_MAX: whole(10, 1, 1000, 'Connections to PostgreSQL that one process holds at most.'),
  DATA_DIR: Type.String({
    default: '.data',
    minLength: 1,
    description: 'Directory of the embedded database; one process at a time.',
  }),
  AUTH_MODE: Type.Optional(
    Type.Unsafe<'open'>({
      type: 'string',
      enum: ['open'],
      description:
        '`open`: the `x-user-id` header is believed. The default on a loopback address; on any other it must be set by hand.',
    }),
  ),
  LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'Least severe level that is logged.',
  ),
  LOG_FORMAT: oneOf(['auto', 'pretty', 'json'], 'auto', '`auto` is readable in a terminal, JSON lines otherwise.'),
  TRANSFER_TYPE: oneOf(
    ['COLD', 'WARM'],
    'COLD',
    'How a call is transferred when neither the request nor the agent says.',
  ),
  RINGING_TIMEOUT_S: whole(45, 1, 79, 'Seconds a phone rings before the call ends as NO_ANSWER.'),
  MAX_CALL_DURATION_S: whole(7200, 1, 86400, 'Seconds after which a call is hung up.'),
  AGENT_JOIN_TIMEOUT_S: whole(
    20,
    1,
    300,
    "Seconds after the answer by which the agent's worker must be in the room, or the call is hung up.",
  ),
  RECONCILE_INTERVAL_MS: whole(
    5000,
    100,
    3_600_000,
    'Milliseconds between two comparisons of the open calls with the media provider.',
  ),
  SANDBOX_RING_MS: whole(
    100,
    0,
    60_000,
    'Milliseconds a sandbox phone rings before it is answered; ringing out takes ten times that.',
  ),
  CALLBACK_ALLOW_PRIVATE: flag(
    false,
    'Whether `callback_url` may lead to private, loopback and link-local addresses. For development.',
  ),
  CALLBACK_TIMEOUT_MS: whole(10_000, 100, 60_000, 'Milliseconds a callback receiver has to answer.'),
  SHUTDOWN_TIMEOUT_MS: whole(
    10_000,
    100,
    300_000,
    'Milliseconds that requests under way have to finish after SIGTERM.',
  ),
  LIVEKIT_URL: optional('Media server, `wss://…` or `ws://…`. Unset: the sandbox phone network.'),
  TWILIO_ACCOUNT_SID: optional('Carrier account, `AC…`. Unset: the sandbox carrier.'),
});

export type Config = Readonly<Static<typeof SETTINGS> & { AUTH_MODE: 'open' }>;

/** The configuration is wrong. The message holds every mistake, a line each, with the variable's name and what is expected. */
export class ConfigError extends Error {
  constructor(mistakes: string[]) {
    super(['The configuration is wrong:', ...mistakes.map((mistake) => `  ${mistake}`)].join('\n'));
    this.name = 'ConfigError';
  }
}

const settings = Compile(SETTINGS);

/** Reads and checks the settings of `env`; an empty variable counts as unset. Throws `ConfigError` with all mistakes at once. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in SETTINGS.properties && value));
  const values = Default(SETTINGS, Convert(SETTINGS, given)) as Static<typeof SETTINGS>;
  const mistakes = settings.Errors(values).map(({ instancePath, keyword, params, message }) => {
    const name = instancePath.slice(1);
    const expected = keyword === 'enum' ? `must be one of ${params.allowedValues.join(', ')}` : message;
    return `${name}: ${expected} (got ${JSON.stringify(given[name])})`;
  });
  if (!values.AUTH_MODE && !isLoopback(values.HOST)) {
    mistakes.push(
      `AUTH_MODE: must be set to open by hand to serve everybody who reaches ${values.HOST} (HOST is not a loopback address)`,
    );
  }
  if (values.LIVEKIT_URL) mistakes.push('LIVEKIT_URL: this release has the sandbox phone network only; leave it unset');
  if (values.TWILIO_ACCOUNT_SID)
    mistakes.push('TWILIO_ACCOUNT_SID: this release has the sandbox carrier only; leave it unset');
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return Object.freeze({ ...values, AUTH_MODE: values.AUTH_MODE ?? 'open' });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
