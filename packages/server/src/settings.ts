import { type Static, Type } from 'typebox';
import { RECORDING_SETTINGS } from './settings-recordings.ts';
import { SIP_SETTINGS } from './settings-sip.ts';

const optional = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));
const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description });
const oneOf = <const T extends readonly string[]>(values: T, value: T[number], description: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values, default: value, description });
const whole = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: value, minimum, maximum, description });

const days = (description: string) => Type.Integer({ minimum: 1, maximum: 36_500, description });

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;

/** Every variable that the service reads; the source of `docs/configuration.md`. */
export const SETTINGS = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', minLength: 1, description: 'Address to listen on.' }),
  PORT: whole(8000, 0, 65535, 'Port to listen on; 0 takes any free one.'),
  DATABASE_URL: Type.Optional(
    Type.String({
      description:
        'PostgreSQL 15 or newer, `postgres://user:password@host:port/database`. Unset: the embedded database.',
    }),
  ),
  DATABASE_PREPARE: flag(
    true,
    'Whether frequent statements are prepared once per connection. With `true` the service tests at each start whether they survive a pooler in front of PostgreSQL, and does without them if not.',
  ),
  DATABASE_POOL_MAX: whole(10, 1, 1000, 'Maximum number of connections to PostgreSQL of one process.'),
  DATA_DIR: Type.String({
    default: '.data',
    minLength: 1,
    description: 'Directory of the embedded database; one process at a time.',
  }),
  AUTH_MODE: Type.Optional(
    Type.Unsafe<'open' | 'required'>({
      type: 'string',
      enum: ['open', 'required'],
      description:
        '`required`: each request needs an API key or a JWT. `open`: the `x-user-id` header is trusted. `open` is the default on a loopback address; on any other address this must be set.',
    }),
  ),
  ALLOWED_HOSTS: Type.Optional(
    Type.String({
      description:
        'Host names without ports, comma-separated, that are accepted in the `Host` header in open mode beside loopback ones and HOST (`switchboard.example.com,192.0.2.7`): names, and IP addresses of the machine. Protects against DNS rebinding by web pages.',
    }),
  ),
  AUTH_JWT_ISSUER: optional('Issuer (`iss`) of accepted JWTs: an OpenID provider. The user is `sub`.'),
  AUTH_JWT_AUDIENCE: optional('Audience (`aud`) of accepted JWTs.'),
  AUTH_JWT_JWKS_URL: optional('URL of the provider’s public keys, `https://…/jwks.json`.'),
  OPENID_ISSUER: optional('OpenID provider at which users sign in to the console, by its issuer. The user is `sub`.'),
  OPENID_CLIENT_ID: optional('Client id of the console at that provider.'),
  OPENID_CLIENT_SECRET: optional('Secret of that client. Unset: a public client. PKCE is always used.'),
  OPENID_SCOPE: Type.String({
    default: 'openid',
    description:
      'Scopes requested from that provider. Some send groups only for a scope of their own (`openid groups`).',
  }),
  OPENID_ROLE_CLAIM: Type.String({
    default: 'groups',
    minLength: 1,
    description:
      'Claim of the ID token that holds the groups, a text or a list. Dots lead into objects (`realm_access.roles`).',
  }),
  OPENID_ROLES: optional(
    'Roles of the members of groups, comma-separated `group=role`, the first that matches counts: `calls-admins=admin,calls-leads=supervisor`. `viewer`, `supervisor` and `admin` act for all users; `viewer:ID`, `supervisor:ID` and `user:ID` for one. Everybody else is the user of its own `sub`.',
  ),
  PUBLIC_URL: optional(
    'Origin at which browsers reach the service; the provider redirects to `/console/openid/callback` there.',
  ),
  BOOTSTRAP_KEY: optional(
    'A first API key of role service, created at startup unless it exists: `sb_` and at least 43 random characters (`echo sb_$(openssl rand -hex 32)`). Only its hash is stored. Unset it once there are other keys; a revoked key stays revoked.',
  ),
  CURRENCY: Type.String({
    default: 'USD',
    description: 'Currency of all amounts (ISO 4217), shown in reports. Nothing is converted.',
  }),
  SECRETS_KEY: Type.Optional(
    Type.String({
      description:
        'Encrypts the secrets in the database, and the keys of users that encrypt recordings: 32 random bytes in base64 (`openssl rand -base64 32`). Several, comma-separated, while one is being replaced: the first encrypts, all of them decrypt. Unset: secrets are stored unencrypted, and so are new recordings without SECRETS_KMS_URL.',
    }),
  ),
  TRUST_PROXY: optional(
    'Addresses and ranges of trusted proxies in front of the service, comma-separated (`10.0.0.0/8`): their `x-forwarded-for` header is trusted for the client’s address.',
  ),
  RATE_LIMIT_USER: whole(
    3000,
    1,
    1_000_000_000,
    'Requests a minute of one user with its own keys and tokens, per process.',
  ),
  RATE_LIMIT_SERVICE: whole(
    600_000,
    1,
    1_000_000_000,
    'Requests a minute of one key of role service or worker; in open mode, of one user or address. Per process.',
  ),
  RATE_LIMIT_PUBLIC: whole(
    6000,
    1,
    1_000_000_000,
    'Requests a minute from one address to endpoints that need no key: the API description, the reference, `/readyz`. Ten times as many to the media webhook. Per process.',
  ),
  MAX_REQUESTS_PER_ADDRESS: whole(2000, 1, 1_000_000, 'Concurrent requests from one address, per process.'),
  MAX_STREAMS_PER_USER: whole(100, 1, 100_000, 'Concurrent event streams of one user, per process.'),
  MAX_CONNECTIONS: whole(
    10_000,
    1,
    1_000_000,
    'Maximum number of client connections per process; further ones are closed.',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: whole(
    2000,
    1,
    1_000_000,
    'Maximum number of connections from one address, per process; further ones are closed. The proxies in TRUST_PROXY are exempt.',
  ),
  OVERLOAD_DELAY_MS: whole(
    2000,
    10,
    600_000,
    'Mean delay of the event loop, over two seconds, above which requests are answered with 503.',
  ),
  TRANSCRIPT_RETENTION_DAYS: Type.Optional(days('Days after which transcripts are deleted. Unset: never.')),
  TURN_RETENTION_DAYS: Type.Optional(
    days('Days after which turns are deleted; reports keep their figures. Unset: never.'),
  ),
  CALLBACK_RETENTION_DAYS: Type.Optional(
    days('Days after which delivered and failed callbacks are deleted. Unset: never.'),
  ),
  ...RECORDING_SETTINGS,
  AUDIT_RETENTION_DAYS: Type.Optional(days('Days after which entries of the audit log are deleted. Unset: never.')),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'Collector for traces, by OTLP over HTTP: `http://127.0.0.1:4318`. Unset: no tracing. The other OTEL_EXPORTER_OTLP_… variables, OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES apply too.',
  ),
  OTEL_TRACES_SAMPLER: oneOf(
    [
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ],
    'parentbased_always_on',
    'Which requests are traced.',
  ),
  OTEL_TRACES_SAMPLER_ARG: optional('Fraction of requests that a `traceidratio` sampler traces: 0 to 1.'),
  LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'Minimum severity that is logged.',
  ),
  LOG_FORMAT: oneOf(['auto', 'pretty', 'json'], 'auto', '`auto` is readable in a terminal, JSON lines otherwise.'),
  TRANSFER_TYPE: oneOf(
    ['COLD', 'WARM'],
    'COLD',
    'How a call is transferred when neither the request nor the agent specifies it.',
  ),
  TRANSFER_CONSULTATION_S: whole(
    120,
    10,
    3600,
    'Seconds that an agent talks to the target of an attended transfer, before the caller gets it back.',
  ),
  RINGING_TIMEOUT_S: whole(45, 1, 79, 'Seconds a phone rings before the call ends as NO_ANSWER.'),
  MAX_CALL_DURATION_S: whole(7200, 1, 86400, 'Seconds after which a call is hung up.'),
  AGENT_JOIN_TIMEOUT_S: whole(
    20,
    1,
    300,
    "Seconds after the answer within which the agent's worker must join the room, or the call is hung up.",
  ),
  BROWSER_JOIN_TIMEOUT_S: whole(
    60,
    5,
    600,
    'Seconds within which a browser must join its call, or the call is ended; the token expires then.',
  ),
  RECONCILE_INTERVAL_MS: whole(
    5000,
    100,
    3_600_000,
    'Milliseconds between rounds of the reconciler, which compares open calls with the media provider.',
  ),
  SANDBOX_RING_MS: whole(
    100,
    0,
    60_000,
    'Milliseconds a sandbox phone rings before it is answered; ringing out takes ten times that.',
  ),
  SANDBOX_CONVERSATIONS: whole(
    20,
    0,
    1000,
    'Simulated conversations at the same time in the sandbox, each with a transcript, turns and usage; in further calls nobody speaks. 0: none.',
  ),
  CHAT_ANSWER_TIMEOUT_S: whole(60, 1, 300, 'Seconds within which a worker must answer a message of a chat.'),
  CALLBACK_ALLOW_PRIVATE: flag(
    false,
    'Whether `callback_url` and webhook endpoints may point to private, loopback and link-local addresses; otherwise they are refused with 422. For development.',
  ),
  CALLBACK_TIMEOUT_MS: whole(10_000, 100, 60_000, 'Milliseconds within which a callback receiver must respond.'),
  CALL_REPORT_DELAY_S: whole(
    30,
    0,
    600,
    'After the end of a call, seconds without a new transcript, usage event or outcome before its `call.report` is sent.',
  ),
  REQUEST_TIMEOUT_MS: whole(
    30_000,
    1000,
    600_000,
    'Milliseconds within which a request must arrive, including its body.',
  ),
  ANSWER_TIMEOUT_MS: whole(
    30_000,
    1000,
    600_000,
    'Milliseconds after which the connection of a client that does not read its response is closed.',
  ),
  SHUTDOWN_TIMEOUT_MS: whole(
    10_000,
    100,
    300_000,
    'Milliseconds for requests in progress to finish after SIGTERM, plus CALLBACK_TIMEOUT_MS for callbacks.',
  ),
  CALLS_CONCURRENT: whole(
    10,
    1,
    100_000,
    'Phones that may be connected for one user at the same time, by outbound calls and transfers. The sandbox allows ten times as many; the same goes for the next three settings.',
  ),
  CALLS_PER_SECOND: whole(1, 1, 10_000, 'Phones that may be dialled for one user per second, on average.'),
  CALLS_BURST: whole(5, 1, 100_000, 'Phones that may be dialled for one user at once after a pause.'),
  CALLS_PER_DAY: whole(1000, 1, 100_000_000, 'Phones that may be dialled for one user per day (UTC).'),
  TRANSFERS_PER_CALL: whole(10, 1, 1000, 'Transfers of one call, failed attempts included. The same in the sandbox.'),
  PHONES_PER_CALL: whole(
    4,
    2,
    100,
    'Phones in the room of one call: its own and the targets of warm transfers. The same in the sandbox.',
  ),
  COLD_TRANSFER_COUNTS_S: whole(
    1800,
    0,
    86_400,
    'Seconds that the phones of a cold transfer count towards CALLS_CONCURRENT. The carrier connects them directly, so the service cannot see when they hang up.',
  ),
  NUMBERS_PER_USER: whole(
    5,
    1,
    1_000_000,
    'Phone numbers that the agents of one user may have. A key of role service may assign more.',
  ),
  STORED_BYTES_PER_USER: whole(
    10 * GIBIBYTE,
    0,
    Number.MAX_SAFE_INTEGER,
    'Bytes that may be stored for one user before its own keys and tokens can add no more; a key of role service or worker may. 0: any number.',
  ),
  WRITTEN_BYTES_PER_USER: whole(
    64 * MEBIBYTE,
    0,
    Number.MAX_SAFE_INTEGER,
    'Bytes that one user may write in a minute with its own keys and tokens, in all processes together. 0: any number.',
  ),
  CALLING_ENABLED: flag(true, '`false` stops all dialling immediately: calls and transfers are refused with 403.'),
  CALLING_COUNTRIES: optional(
    'Countries that may be dialled, comma-separated ISO codes (`US,CA`). Required before real phones are dialled; ignored in the sandbox.',
  ),
  CORS_ORIGINS: optional(
    'Origins whose pages may call the API from a browser, comma-separated (`https://app.example.com`); `*` allows any. Unset: none.',
  ),
  CALLING_BLOCKED_PREFIXES: Type.Optional(
    Type.String({
      description:
        'Prefixes of numbers that must not be dialled, comma-separated (`+4487,+1712`), in addition to those that are always refused. Ignored in the sandbox.',
    }),
  ),
  ...SIP_SETTINGS,
  LIVEKIT_URL: optional('Media server, `wss://…` or `ws://…`. Unset: the sandbox phone network.'),
  LIVEKIT_API_KEY: optional('API key of the media server.'),
  LIVEKIT_API_SECRET: optional('Secret of LIVEKIT_API_KEY, which signs requests and verifies webhooks.'),
  LIVEKIT_SIP_TRUNK_ID: optional(
    'Outbound SIP trunk that calls are dialled through, `ST_…`. Several with commas between them: each takes the calls that the one before it refuses. Alternatives, weights and carriers: docs/telephony.md, “Several trunks”.',
  ),
  LIVEKIT_AGENT_NAME: optional("Name under which the agent's worker registers for dispatch."),
  TWILIO_ACCOUNT_SID: optional('Carrier account, `AC…`. Unset: the sandbox carrier.'),
  TWILIO_AUTH_TOKEN: optional('Auth token of the carrier account.'),
  TWILIO_TRUNK_SID: optional('Elastic SIP trunk to the media server, `TK…`; assigned numbers are attached to it.'),
  TWILIO_BASE_URL: optional("Replaces the carrier's API hosts, for tests and proxies."),
});

/** The settings by variable name, validated, with defaults. */
export type Settings = Readonly<Static<typeof SETTINGS> & { AUTH_MODE: 'open' | 'required' }>;
