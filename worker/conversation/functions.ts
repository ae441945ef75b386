import { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { llm } from '@livekit/agents';
import { isPrivateHost, publicOnly } from '@switchboard/guard';
import { Webhook } from 'standardwebhooks';
import type { Call } from '../switchboard/call.ts';

/** A customer's function, as in `config.tools.functions`. */
export interface HttpFunction {
  name: string;
  description: string;
  url: string;
  parameters?: Record<string, unknown>;
  timeout_s?: number;
}

/** The conversation in which a function is called. */
export type Caller = Pick<Call, 'session_id' | 'agent_id' | 'user_id'>;

export interface FunctionSettings {
  /** Signs the requests; without it agents cannot have functions. */
  secret: string | null;
  /** Whether functions may be on private and loopback addresses. */
  allowPrivate: boolean;
}

const TIMEOUT_S = 10;
const MAX_TIMEOUT_S = 60;
/** Limit of a response: a model cannot use a longer one. */
const MAX_ANSWER = 64 * 1024;

/** A tool that posts its arguments to the customer and passes the response to the model. */
export function createFunction(config: HttpFunction, call: Caller, { secret, allowPrivate }: FunctionSettings) {
  const { name, description, url, parameters = {}, timeout_s = TIMEOUT_S } = config;
  const wrong = (what: string) => new Error(`The agent's config is wrong: tools.functions: ${what}`);
  if (!/^[a-zA-Z_][\w-]{0,63}$/.test(name ?? '')) throw wrong(`${JSON.stringify(name)} is no name`);
  if (!description) throw wrong(`${name} has no description`);
  if (!/^https?:\/\//.test(url ?? '') || !URL.canParse(url)) throw wrong(`the url of ${name} must be an http(s) URL`);
  if (!(timeout_s > 0 && timeout_s <= MAX_TIMEOUT_S))
    throw wrong(`timeout_s of ${name} must be at most ${MAX_TIMEOUT_S}`);
  if (secret === null) throw new Error(`FUNCTIONS_SECRET must be set: the function ${name} is called with a signature`);
  const webhook = new Webhook(secret);
  return llm.tool({
    name,
    description,
    parameters: { ...parameters, type: 'object', properties: (parameters.properties ?? {}) as Record<string, object> },
    execute: async (args: object, { abortSignal }): Promise<unknown> => {
      const { session_id, agent_id, user_id } = call;
      const body = JSON.stringify({ name, arguments: args, session_id, agent_id, user_id });
      const [id, now] = [`msg_${randomUUID()}`, new Date()];
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': webhook.sign(id, now, body),
      };
      const signal = AbortSignal.any([AbortSignal.timeout(timeout_s * 1000), ...(abortSignal ? [abortSignal] : [])]);
      try {
        return await post(new URL(url), headers, body, signal, allowPrivate);
      } catch (error) {
        const why =
          signal.reason?.name === 'TimeoutError' ? `no answer within ${timeout_s} s` : (error as Error).message;
        throw new llm.ToolError(`${name} failed: ${why}`);
      }
    },
  });
}

/** Connects to exactly the address that was checked. Redirects are not followed. */
function post(url: URL, headers: object, body: string, signal: AbortSignal, allowPrivate: boolean): Promise<unknown> {
  if (!allowPrivate && isPrivateHost(url.hostname)) throw new Error('the address is not public');
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const lookup = allowPrivate ? dns.lookup : publicOnly(dns.lookup);
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal,
      lookup,
    });
    sent.on('error', reject);
    sent.on('response', (response) => readResponse(response).then(resolve, reject));
    sent.end(body);
  });
}

async function readResponse(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > MAX_ANSWER) throw new Error(`the answer is longer than ${MAX_ANSWER} bytes`);
    chunks.push(chunk);
  }
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode >= 300) throw new Error(`status ${statusCode}`);
  return readAnswer(Buffer.concat(chunks).toString('utf8'));
}

/** Parses JSON: the library serializes all results as JSON, and would serialize JSON text as a string. */
export function readAnswer(text: string): unknown {
  try {
    // An empty result would look like an agent that has nothing more to say.
    return JSON.parse(text) ?? text;
  } catch {
    return text;
  }
}
