import { isIPv4 } from 'node:net';
import path from 'node:path';
import { KEYED, keyVariable } from './conversation/providers.ts';

export type Settings = ReturnType<typeof readSettings>;
type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORT = 8081;

/**
 * The folder of unsent reports. Two workers must not send each other's items. Workers on one machine have
 * different ports, so by default they have different folders.
 */
export function readSpoolDir({ SPOOL_DIR, WORKER_PORT }: Environment): string {
  return path.resolve(SPOOL_DIR || path.join('.spool', WORKER_PORT || String(DEFAULT_PORT)));
}

/** Every variable the worker reads. Throws one error that lists all problems. The README has the list. */
export function readSettings(env: Environment) {
  const mistakes: string[] = [];
  const read = createReader(env, mistakes);
  const port = read.whole('WORKER_PORT', DEFAULT_PORT, 1, 65_535);
  const settings = {
    livekitUrl: read.address('LIVEKIT_URL', ['ws', 'wss']),
    livekitApiKey: read.text('LIVEKIT_API_KEY'),
    livekitApiSecret: read.text('LIVEKIT_API_SECRET'),
    agentName: read.text('LIVEKIT_AGENT_NAME'),
    switchboardUrl: read.address('SWITCHBOARD_URL', ['http', 'https'], 'http://127.0.0.1:8000'),
    switchboardApiKey: env.SWITCHBOARD_API_KEY || null,
    host: read.text('WORKER_HOST', '127.0.0.1'),
    port,
    maxCalls: read.whole('WORKER_MAX_CALLS', 10, 1, 1000),
    maxChats: read.whole('WORKER_MAX_CHATS', 4, 0, 100),
    maxAnalyses: read.whole('WORKER_MAX_ANALYSES', 2, 0, 100),
    maxTests: read.whole('WORKER_MAX_TESTS', 2, 0, 100),
    phoneHost: read.ip('TEST_PHONE_HOST'),
    idleProcesses: read.whole('WORKER_IDLE_PROCESSES', 1, 1, 100),
    drainMs: read.whole('WORKER_DRAIN_S', 60, 0, 86_400) * 1000,
    spoolDir: readSpoolDir(env),
    soundsDir: env.SOUNDS_DIR ? path.resolve(env.SOUNDS_DIR) : null,
    ...modelsIn(env, read),
    functions: {
      secret: read.secret('FUNCTIONS_SECRET'),
      allowPrivate: env.FUNCTIONS_ALLOW_PRIVATE === 'true',
    },
    logLevel: read.text('LOG_LEVEL', 'info'),
  };
  return assertRight(settings, mistakes);
}

/** Those of the variables that say which models may be asked, and what they cost. Throws as `readSettings` does. */
export function readModelSettings(env: Environment) {
  const mistakes: string[] = [];
  return assertRight(modelsIn(env, createReader(env, mistakes)), mistakes);
}

function modelsIn(env: Environment, read: ReturnType<typeof createReader>) {
  return {
    models: {
      keys: Object.fromEntries(KEYED.map((provider) => [provider, env[keyVariable(provider)] || null])),
      azureEndpoint: env.AZURE_OPENAI_ENDPOINT ? read.address('AZURE_OPENAI_ENDPOINT', ['https']) : null,
      baseUrls: read.baseUrls('MODEL_BASE_URLS'),
    },
    pricesFile: env.PRICES_FILE ? path.resolve(env.PRICES_FILE) : null,
  };
}

function assertRight<T>(settings: T, mistakes: readonly string[]): T {
  if (mistakes.length > 0) throw new Error(`The configuration is wrong:\n  ${mistakes.join('\n  ')}`);
  return settings;
}

/** Reads variables of the environment; adds those that are wrong to `mistakes`. */
function createReader(env: Environment, mistakes: string[]) {
  function text(name: string, fallback?: string): string {
    const value = env[name] || fallback;
    if (value === undefined) mistakes.push(`${name} must be set`);
    return value ?? '';
  }

  function address(name: string, schemes: string[], fallback?: string): string {
    const value = text(name, fallback);
    const url = URL.parse(value);
    if (value && !schemes.includes(url?.protocol.slice(0, -1) ?? ''))
      mistakes.push(`${name} must be a URL that begins with ${schemes.join(' or ')}`);
    // Without the URL, because of the password.
    if (url?.username || url?.password) mistakes.push(`${name} must be a URL without a user name or a password`);
    return value.replace(/\/+$/, '');
  }

  function whole(name: string, fallback: number, minimum: number, maximum: number): number {
    const value = Number(env[name] || fallback);
    if (!Number.isInteger(value) || value < minimum || value > maximum)
      mistakes.push(`${name} must be a whole number from ${minimum} to ${maximum}`);
    return value;
  }

  /** An IPv4 address. */
  function ip(name: string): string | null {
    const value = env[name] || null;
    if (value !== null && !isIPv4(value)) mistakes.push(`${name} must be an IPv4 address`);
    return value;
  }

  /** A secret of the Standard Webhooks format. */
  function secret(name: string): string | null {
    const value = env[name] || null;
    if (value !== null && !/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(value))
      mistakes.push(`${name} must be whsec_ and at least 24 bytes in base64 (openssl rand -base64 32)`);
    return value;
  }

  /** URLs separated by spaces, each with the variable that holds its key: `https://host/v1=HOST_API_KEY`. */
  function baseUrls(name: string): Map<string, string | null> {
    const urls = new Map<string, string | null>();
    for (const entry of (env[name] ?? '').split(/\s+/).filter(Boolean)) {
      const [, url = entry, variable] = /^(.+?)=(\w+)$/.exec(entry) ?? [];
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) mistakes.push(`${name}: ${url} must be an http(s) URL`);
      if (variable && !env[variable]) mistakes.push(`${name}: ${variable} must be set`);
      urls.set(url.replace(/\/+$/, ''), (variable && env[variable]) || null);
    }
    return urls;
  }

  return { text, address, whole, ip, secret, baseUrls };
}
