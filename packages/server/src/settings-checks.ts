import { isIP } from 'node:net';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { urlProblem } from './db/connection-url.ts';
import { isLoopback } from './lib/loopback.ts';
import { MAX_SIP_HEADERS, unusableNames } from './lib/sip-headers.ts';
import { trunksProblem } from './providers/trunks.ts';

/** Settings that only work together. The first one decides whether the others are required. */
const GROUPS = [
  [
    'LIVEKIT_URL',
    'LIVEKIT_API_KEY',
    'LIVEKIT_API_SECRET',
    'LIVEKIT_SIP_TRUNK_ID',
    'LIVEKIT_AGENT_NAME',
    'CALLING_COUNTRIES',
  ],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_TRUNK_SID'],
  ['OPENID_ISSUER', 'OPENID_CLIENT_ID', 'PUBLIC_URL'],
  ['RECORDINGS_S3_BUCKET', 'RECORDINGS_S3_ENDPOINT', 'RECORDINGS_S3_ACCESS_KEY_ID', 'RECORDINGS_S3_SECRET_ACCESS_KEY'],
  ['SECRETS_KMS_URL', 'SECRETS_KMS_KEY'],
  ['AUTH_JWT_ISSUER', 'AUTH_JWT_AUDIENCE', 'AUTH_JWT_JWKS_URL'],
] as const;

/** Formats that the schema does not express, each with an example instead of a regular expression. */
const SHAPES = {
  BOOTSTRAP_KEY: {
    pattern: /^sb_[\w-]{43,200}$/,
    expected: 'must be sb_ and at least 43 letters, digits, - or _, all random (echo sb_$(openssl rand -hex 32))',
  },
  SECRETS_KEY: {
    pattern: /^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$/,
    expected: 'must be 32 bytes in base64 (openssl rand -base64 32); several with commas between them',
  },
  CURRENCY: { pattern: /^[A-Z]{3}$/, expected: 'must be an ISO 4217 code, like USD' },
  CALLING_COUNTRIES: {
    pattern: /^[A-Z]{2}(,[A-Z]{2})*$/,
    expected: 'must be ISO country codes with commas and no spaces, like US,CA',
  },
  CALLING_BLOCKED_PREFIXES: {
    pattern: /^\+[1-9]\d{0,14}(,\+[1-9]\d{0,14})*$/,
    expected: 'must be beginnings of numbers with commas and no spaces, like +1900,+44871',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: { pattern: /^https?:\/\/[^\s]+$/, expected: 'must be a URL like http://127.0.0.1:4318' },
  CORS_ORIGINS: {
    pattern: /^(\*|https?:\/\/[^\s,/?#@]+)(,(\*|https?:\/\/[^\s,/?#@]+))*$/,
    expected: 'must be origins with commas and no path, like https://app.example.com,http://localhost:5173',
  },
  OTEL_TRACES_SAMPLER_ARG: { pattern: /^(0(\.\d+)?|1(\.0+)?)$/, expected: 'must be a share from 0 to 1, like 0.1' },
  ALLOWED_HOSTS: {
    pattern: /^[^\s,:/]+(,[^\s,:/]+)*$/,
    expected: 'must be host names with commas, without spaces and ports, like api.example.com,10.0.0.7',
  },
  LIVEKIT_URL: { pattern: /^(wss?|https?):\/\/[^\s]+$/, expected: 'must be a URL like wss://example.livekit.cloud' },
  TWILIO_ACCOUNT_SID: {
    pattern: /^AC[0-9a-fA-F]{32}$/,
    expected: 'must be AC and 32 hexadecimal digits, like AC0123456789abcdef0123456789abcdef',
  },
  TWILIO_TRUNK_SID: {
    pattern: /^TK[0-9a-fA-F]{32}$/,
    expected: 'must be TK and 32 hexadecimal digits, like TK0123456789abcdef0123456789abcdef',
  },
  AUTH_JWT_JWKS_URL: {
    pattern: /^https?:\/\/[^\s]+$/,
    expected: 'must be a URL like https://login.example.com/.well-known/jwks.json',
  },
  OPENID_ISSUER: { pattern: /^https?:\/\/[^\s?#@]+$/, expected: 'must be a URL like https://login.example.com' },
  OPENID_ROLES: {
    pattern:
      /^[^,]+=(viewer|supervisor|user|admin|(viewer|supervisor|user):[^,]+)(,[^,]+=(viewer|supervisor|user|admin|(viewer|supervisor|user):[^,]+))*$/,
    expected: 'must be group=role with commas, like calls-admins=admin,leads=supervisor,acme-staff=user:acme',
  },
  OPENID_SCOPE: { pattern: /^(.* )?openid( .*)?$/, expected: 'must contain openid, like openid groups' },
  PUBLIC_URL: { pattern: /^https?:\/\/[^\s,/?#@]+$/, expected: 'must be an origin like https://calls.example.com' },
  RECORDINGS_S3_ENDPOINT: {
    pattern: /^https?:\/\/[^\s?#@]+$/,
    expected: 'must be a URL like https://s3.eu-central-1.amazonaws.com',
  },
  SECRETS_KMS_URL: { pattern: /^https?:\/\/[^\s?#@]+$/, expected: 'must be a URL like https://vault.example.com:8200' },
  SECRETS_KMS_KEY: { pattern: /^\w([\w.-]*\w)?$/, expected: 'must be the name of a key, like switchboard' },
  SECRETS_KMS_MOUNT: { pattern: /^[\w-]+(\/[\w-]+)*$/, expected: 'must be a path like transit' },
  SECRETS_KMS_TOKEN: { pattern: /^[\x21-\x7e]+$/, expected: 'must be printable ASCII, without spaces and line breaks' },
  TWILIO_BASE_URL: { pattern: /^https?:\/\/[^\s]+$/, expected: 'must be a URL like http://127.0.0.1:4010' },
} as const;

/** Settings that must be valid URLs: their patterns do not check hosts and ports. */
const URLS: ReadonlySet<string> = new Set([
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'LIVEKIT_URL',
  'AUTH_JWT_JWKS_URL',
  'TWILIO_BASE_URL',
  'RECORDINGS_S3_ENDPOINT',
  'SECRETS_KMS_URL',
  'OPENID_ISSUER',
  'PUBLIC_URL',
]);

/** URLs that must not contain credentials: they would not be used, and would be logged. */
const WITHOUT_USER: ReadonlySet<string> = new Set(['LIVEKIT_URL', 'AUTH_JWT_JWKS_URL', 'TWILIO_BASE_URL']);

/** Problems of values that pass the schema, one sentence each. Never quotes a value that may contain a password. */
export function mistakesOf(values: Readonly<Record<string, unknown>>): string[] {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const mistakes: string[] = [];
  const host = text('HOST') ?? '';
  if (!values.AUTH_MODE && !isLoopback(host)) {
    mistakes.push(
      `AUTH_MODE: must be set to required, or explicitly to open, because HOST (${host}) is not a loopback address`,
    );
  }
  for (const [name, { pattern, expected }] of Object.entries(SHAPES)) {
    const value = text(name);
    if (value === undefined) continue;
    if (!pattern.test(value) || (URLS.has(name) && !URL.canParse(value))) mistakes.push(`${name}: ${expected}`);
    else if (WITHOUT_USER.has(name) && hasUser(value))
      mistakes.push(`${name}: must have no user and no password before the host`);
  }
  mistakes.push(...unknownCodes(text('CALLING_COUNTRIES')?.split(',') ?? [], text('CURRENCY')));
  const url = text('DATABASE_URL');
  const problem = url === undefined ? null : urlProblem(url);
  if (problem !== null) mistakes.push(`DATABASE_URL: ${problem}`);
  const trunks = trunksProblem(text('LIVEKIT_SIP_TRUNK_ID') ?? 'ST');
  if (trunks !== null) mistakes.push(`LIVEKIT_SIP_TRUNK_ID: ${trunks}`);
  if (
    text('TRUST_PROXY')
      ?.split(',')
      .some((range) => !isRange(range))
  )
    mistakes.push('TRUST_PROXY: must be addresses and ranges like 10.0.0.0/8, with commas');
  mistakes.push(...sipHeaderMistakes('SIP_HEADERS_IN', 'in', text('SIP_HEADERS_IN')));
  mistakes.push(...sipHeaderMistakes('SIP_HEADERS_OUT', 'out', text('SIP_HEADERS_OUT')));
  for (const name of ['OPENID_CLIENT_SECRET', 'OPENID_ROLES'])
    if (text(name) !== undefined && text('OPENID_ISSUER') === undefined)
      mistakes.push(`OPENID_ISSUER: must be set when ${name} is`);
  mistakes.push(...keyMistakes(text, values.ENCRYPT_CONTENT === true));
  for (const group of GROUPS) mistakes.push(...missingOf(group, values));
  return mistakes;
}

/** Mistakes about what encrypts. */
function keyMistakes(text: (name: string) => string | undefined, isContentEncrypted: boolean): string[] {
  const hasKms = text('SECRETS_KMS_URL') !== undefined;
  const tokens = [text('SECRETS_KMS_TOKEN'), text('SECRETS_KMS_TOKEN_FILE')].filter((one) => one !== undefined);
  return [
    ...(isContentEncrypted && !hasKms && text('SECRETS_KEY') === undefined
      ? ['SECRETS_KEY: must be set when ENCRYPT_CONTENT is true (openssl rand -base64 32)']
      : []),
    ...(hasKms && tokens.length !== 1
      ? ['SECRETS_KMS_TOKEN: set either it or SECRETS_KMS_TOKEN_FILE with SECRETS_KMS_URL, not both']
      : []),
  ];
}

/** Territories of ISO 3166-1 without a numbering plan: they may be listed, but have no numbers. */
const WITHOUT_PHONES = new Set(['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM']);

/** Mistakes about well-formed codes of countries and of a currency that do not exist. */
function unknownCodes(countries: string[], currency: string | undefined): string[] {
  const mistakes: string[] = [];
  const unknown = countries.filter(
    (code) => /^[A-Z]{2}$/.test(code) && !isSupportedCountry(code) && !WITHOUT_PHONES.has(code),
  );
  if (unknown.length > 0)
    mistakes.push(`CALLING_COUNTRIES: no country has the code ${unknown.join(', ')} (GB is the United Kingdom)`);
  if (currency !== undefined && SHAPES.CURRENCY.pattern.test(currency) && !isCurrency(currency))
    mistakes.push(`CURRENCY: no currency has the code ${currency} (USD is the US dollar)`);
  return mistakes;
}

function sipHeaderMistakes(setting: string, direction: 'in' | 'out', list: string | undefined): string[] {
  const names = list?.split(',') ?? [];
  if (names.length > MAX_SIP_HEADERS) return [`${setting}: must be at most ${MAX_SIP_HEADERS} names`];
  const unusable = unusableNames(names, direction);
  if (unusable.length === 0) return [];
  const what = 'must be names of SIP headers with commas and no spaces, like X-Account,Diversion';
  return [`${setting}: ${what}; not ${unusable.map((name) => JSON.stringify(name)).join(', ')}`];
}

/** Currencies of the runtime's own list, ISO 4217 with former ones. */
function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

/** The accepted values in words; undefined if the validator's own message is good enough. */
export function expectation(setting: unknown): string | undefined {
  const { type, enum: values, minimum, maximum } = setting as Record<string, unknown> & { enum?: readonly string[] };
  if (values) return `must be one of ${values.join(', ')}`;
  if (type === 'boolean') return 'must be true or false';
  return type === 'integer' ? `must be a whole number from ${minimum} to ${maximum}` : undefined;
}

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function missingOf(group: readonly string[], values: Record<string, unknown>): string[] {
  const [first = '', ...others] = group;
  const given = group.filter((name) => values[name] !== undefined);
  // CALLING_COUNTRIES may be set in advance, without a media provider.
  if (values[first] === undefined) {
    return given.filter((name) => name !== 'CALLING_COUNTRIES').map((name) => `${first}: must be set when ${name} is`);
  }
  return others.filter((name) => values[name] === undefined).map((name) => `${name}: must be set when ${first} is`);
}

function hasUser(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
