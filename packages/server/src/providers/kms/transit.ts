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

/** For an answer: a transaction may wait for it. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
const PAUSE_MS = 200;
/** After this time a service that was away is asked again: until then nobody waits for it. */
const REST_MS = 5_000;
/** Characters of its answer in an error. */
const MAX_SAID = 300;

type Action = 'encrypt' | 'decrypt';

/** Failed in a way that may pass, unlike a refusal. */
class Away extends Error {}

/** Encrypts with the transit engine of HashiCorp Vault or OpenBao, over HTTP. */
export function createTransit({ url, mount, key, token, tokenFile }: TransitSettings): Kms {
  const base = `${url.replace(/\/+$/, '')}/v1/${mount}`;
  let away: { until: number; error: Error } | null = null;

  async function post(action: Action, name: string, body: object): Promise<Record<string, unknown>> {
    const headers = {
      'content-type': 'application/json',
      'x-vault-request': 'true',
      'x-vault-token': tokenFile === null ? (token ?? '') : (await readFile(tokenFile, 'utf8')).trim(),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = fetch(`${base}/${action}/${encodeURIComponent(name)}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    const read = sent.then(async (answer) => ({ status: answer.status, text: await answer.text() }));
    const { status, text } = await read.catch((cause: Error) => {
      throw new Away(`${action}: no answer: ${(cause.cause as Error | undefined)?.message ?? cause.message}`, {
        cause,
      });
    });
    const { data } = parsed(text);
    if (status === 200 && isObject(data)) return data;
    // 412: a replica that is behind; 429 and 5xx: too busy, sealed, or without a leader.
    const mayPass = status === 412 || status === 429 || status >= 500;
    throw new (mayPass ? Away : Error)(`${action}: ${status} ${text.slice(0, MAX_SAID)}`);
  }

  async function patient(...request: Parameters<typeof post>): Promise<Record<string, unknown>> {
    if (away && performance.now() < away.until) throw away.error;
    for (let tried = 1; ; tried++) {
      try {
        return await post(...request);
      } catch (error) {
        if (!(error instanceof Away)) throw error;
        if (tried === TRIES) {
          away = { until: performance.now() + REST_MS, error };
          throw error;
        }
        await pause(PAUSE_MS);
      }
    }
  }

  /** One field of the answer. */
  async function ask(action: Action, name: string, body: object, field: string): Promise<string> {
    try {
      const value = (await patient(action, name, body))[field];
      if (typeof value !== 'string' || value === '') throw new Error(`${action}: the answer has no ${field}`);
      return value;
    } catch (cause) {
      throw new AppError('provider_unavailable', { detail: 'The key management service failed.', cause });
    }
  }

  return {
    key,
    wrap: (text, owner) => {
      const body = { plaintext: base64(text), associated_data: associated(owner) };
      return ask('encrypt', key, body, 'ciphertext');
    },
    unwrap: async (ciphertext, owner, name) => {
      const body = { ciphertext, associated_data: associated(owner) };
      return Buffer.from(await ask('decrypt', name, body, 'plaintext'), 'base64').toString();
    },
  };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Never empty, which would mean none. */
const associated = (owner: string) => base64(`data_keys/${owner}`);

/** An object; empty for a text that is none, like the page of a proxy. */
function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
