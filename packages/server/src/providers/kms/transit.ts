import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import type { Kms } from './kms.ts';

/** The transit engine of a Vault or an OpenBao. */
export interface TransitSettings {
  url: string;
  /** Where the engine is mounted. */
  mount: string;
  /** The name of an AEAD key. */
  key: string;
  token: string | null;
  /** Read at each request, because an agent renews it. */
  tokenFile: string | null;
}

/** For an answer, a repetition included: a transaction may wait for it. */
const TIMEOUT_MS = 1_000;
const TRIES = 2;
const PAUSE_MS = 200;
/**
 * The pauses after which a service that is away is asked again, in the background: each is twice the one before, up to
 * the longest. Until it has answered nobody waits for it.
 */
const [FIRST_REST_MS, LONGEST_REST_MS] = [200, 5_000];
/** Characters of a header: an error of `fetch` would quote a token with others. */
const TOKEN = /^[\x21-\x7e]+$/;
/** Characters of its answer in an error. */
const MAX_SAID = 300;

type Action = 'encrypt' | 'decrypt';

interface Request {
  action: Action;
  /** The name of the key. */
  name: string;
  body: object;
}

/** Failed in a way that may pass, unlike a refusal. */
class Passing extends Error {}
/** The same, for every request. */
class Away extends Passing {}
/** Nothing that it can decrypt: damaged, of another owner, or of a key that it does not have any more. */
class Undecryptable extends Error {}

/** Encrypts with the transit engine of HashiCorp Vault or OpenBao, over HTTP. */
export function createTransit({ url, mount, key, token, tokenFile }: TransitSettings): Kms {
  const base = `${url.replace(/\/+$/, '')}/v1/${mount}`;
  /** The failure of one that is away. */
  let away: Away | null = null;

  async function post({ action, name, body }: Request, signal: AbortSignal): Promise<Record<string, unknown>> {
    const sent = fetch(`${base}/${action}/${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-vault-request': 'true',
        'x-vault-token': await currentToken(token, tokenFile),
      },
      body: JSON.stringify(body),
      signal,
    });
    const read = sent.then(async (answer) => ({ status: answer.status, text: await answer.text() }));
    const { status, text } = await read.catch((cause: Error) => {
      throw new Away(`no answer: ${(cause.cause as Error | undefined)?.message ?? cause.message}`, { cause });
    });
    const { data } = parsed(text);
    if (status === 200 && isObject(data)) return data;
    const said = `${status} ${text.slice(0, MAX_SAID)}`;
    // Sealed, or without a leader: the same failure whatever it was asked, and logged once.
    if (status >= 500) throw new Away(said);
    throw new (kindOf(status, action))(`${action}: ${said}`);
  }

  /** Repeats a request once that has failed before its time was over. */
  async function patient(request: Request): Promise<Record<string, unknown>> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    for (let tried = 1; ; tried++) {
      try {
        return await post(request, signal);
      } catch (error) {
        if (!(error instanceof Passing) || tried === TRIES || signal.aborted) throw error;
        await pause(PAUSE_MS);
      }
    }
  }

  /** Asks one that is away to encrypt a word until it answers, if only with a refusal. */
  function probe(restMs = FIRST_REST_MS): void {
    setTimeout(async () => {
      const failed = await patient(toWrap('probe', '')).then(
        () => null,
        (error: unknown) => error,
      );
      away = failed instanceof Away ? failed : null;
      if (away) probe(Math.min(2 * restMs, LONGEST_REST_MS));
    }, restMs).unref();
  }

  function toWrap(text: string, owner: string): Request {
    return { action: 'encrypt', name: key, body: { plaintext: base64(text), associated_data: associated(owner) } };
  }

  /** One field of the answer. */
  async function ask(request: Request, field: string): Promise<string> {
    try {
      if (away) throw away;
      const value = (await patient(request))[field];
      if (typeof value !== 'string' || value === '') throw new Error(`${request.action}: the answer has no ${field}`);
      return value;
    } catch (cause) {
      if (cause instanceof Undecryptable) throw new AppError('secret_unreadable', { cause });
      if (cause instanceof Away && !away) {
        away = cause;
        probe();
      }
      const detail = 'The key management service failed.';
      throw new AppError('provider_unavailable', { detail, cause, retry_after_s: LONGEST_REST_MS / 1000 });
    }
  }

  return {
    key,
    wrap: (text, owner) => ask(toWrap(text, owner), 'ciphertext'),
    unwrap: async (ciphertext, owner, name) => {
      const body = { ciphertext, associated_data: associated(owner) };
      return Buffer.from(await ask({ action: 'decrypt', name, body }, 'plaintext'), 'base64').toString();
    },
  };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Never empty, which would mean none. */
const associated = (owner: string) => base64(`data_keys/${owner}`);

async function currentToken(token: string | null, file: string | null): Promise<string> {
  const current = file === null ? (token ?? '') : (await readFile(file, 'utf8')).trim();
  if (!TOKEN.test(current)) throw new Error('the token is empty, or has characters other than printable ASCII');
  return current;
}

/** The kind of a failure of one request, by the status of the answer. */
function kindOf(status: number, action: Action) {
  // A replica that is behind; too many requests of this kind, or from here.
  if (status === 412 || status === 429) return Passing;
  return status === 400 && action === 'decrypt' ? Undecryptable : Error;
}

/** An object; empty for a text that is none, like the page of a proxy. */
function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
