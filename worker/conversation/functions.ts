import { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { llm, log } from '@livekit/agents';
import {
  FUNCTION_METHODS,
  type FunctionCaller,
  type FunctionRequest,
  functionProblem,
  functionRequest,
  type HttpFunction,
} from '@switchboard/client/functions';
import { isPrivateHost, NotPublicError, publicOnly } from '@switchboard/guard';
import { Webhook } from 'standardwebhooks';

export type { FunctionCaller, HttpFunction };

export interface FunctionSettings {
  /** Signs the requests; without it none is sent. */
  secret: string | null;
  /** Whether functions may be on private and loopback addresses. */
  allowPrivate: boolean;
}

/** An answer, whatever its status. */
export interface FunctionAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const TIMEOUT_S = 10;
const MAX_TIMEOUT_S = 60;
/** Limit of a response: a model cannot use a longer one. */
const MAX_ANSWER = 64 * 1024;

/** `FUNCTIONS_SECRET` is not set. */
export class MissingSecret extends Error {}
/** The answer is longer than a model can use. */
export class LongAnswer extends Error {}
/** There was no answer in time. */
export class LateAnswer extends Error {}

/** A function that can be called; throws if it is described wrongly. */
export function prepareFunction(config: HttpFunction, caller: FunctionCaller, settings: FunctionSettings) {
  const { name, description, method = 'POST', timeout_s = TIMEOUT_S } = config;
  const { secret, allowPrivate } = settings;
  const wrong = (what: string) => new Error(`The agent's config is wrong: tools.functions: ${what}`);
  if (!/^[a-zA-Z_][\w-]{0,63}$/.test(name ?? '')) throw wrong(`${JSON.stringify(name)} is no name`);
  if (!description) throw wrong(`${name} has no description`);
  const problem = functionProblem({ ...config, url: config.url ?? '' });
  if (problem) throw wrong(`the ${problem.place[0]} of ${name} ${problem.msg}`);
  if (!URL.canParse(config.url)) throw wrong(`the url of ${name} must be an http(s) URL`);
  if (!FUNCTION_METHODS.includes(method)) throw wrong(`${name} has no method ${method}`);
  if (!(timeout_s > 0 && timeout_s <= MAX_TIMEOUT_S))
    throw wrong(`timeout_s of ${name} must be at most ${MAX_TIMEOUT_S}`);
  return {
    /** The signed request for these arguments. Throws `MissingSecret`. */
    request(args: object): FunctionRequest {
      if (secret === null) throw new MissingSecret(`${name} is called with a signature: FUNCTIONS_SECRET must be set`);
      const request = functionRequest(config, args, caller);
      const [id, now] = [`msg_${randomUUID()}`, new Date()];
      const signature = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, now, request.body),
      };
      return { ...request, headers: { ...request.headers, ...signature } };
    },
    /** Sends it, and reads the answer. */
    async send(request: FunctionRequest, stopping?: AbortSignal): Promise<FunctionAnswer> {
      const late = AbortSignal.timeout(timeout_s * 1000);
      try {
        return await send(request, AbortSignal.any([late, ...(stopping ? [stopping] : [])]), allowPrivate);
      } catch (error) {
        throw late.aborted && !stopping?.aborted ? new LateAnswer(`no answer within ${timeout_s} s`) : error;
      }
    },
  };
}

/**
 * A tool that sends its arguments to the customer and passes the response to the model. Without a secret it fails when
 * it is called: a conversation that may never need it goes on.
 */
export function createFunction(config: HttpFunction, caller: FunctionCaller, settings: FunctionSettings) {
  const prepared = prepareFunction(config, caller, settings);
  const { name, description, parameters } = config;
  return llm.tool({
    name,
    description,
    parameters: { ...parameters, type: 'object', properties: (parameters?.properties ?? {}) as Record<string, object> },
    execute: async (args: object, { abortSignal }): Promise<unknown> => {
      try {
        return resultOf(await prepared.send(prepared.request(args), abortSignal));
      } catch (error) {
        if (error instanceof MissingSecret) {
          log().error({ error }, 'a function was not called');
          throw new llm.ToolError(`${name} failed: it is not available`);
        }
        throw new llm.ToolError(`${name} failed: ${(error as Error).message}`);
      }
    },
  });
}

/** An answer as the model gets it. Throws if the function has failed. */
export function resultOf({ status, body }: FunctionAnswer): unknown {
  if (status < 200 || status >= 300) throw new Error(`status ${status}`);
  return readAnswer(body);
}

/** Connects to exactly the address that was checked. Redirects are not followed. */
async function send(
  { method, url: address, headers, body }: FunctionRequest,
  signal: AbortSignal,
  allowPrivate: boolean,
): Promise<FunctionAnswer> {
  const url = new URL(address);
  if (!allowPrivate && isPrivateHost(url.hostname)) throw new NotPublicError(url.hostname);
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const lookup = allowPrivate ? dns.lookup : publicOnly(dns.lookup);
    const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method, headers: { ...headers, ...length }, agent: false, signal, lookup });
    sent.on('error', reject);
    sent.on('response', (response) => readResponse(response).then(resolve, reject));
    sent.end(body);
  });
}

async function readResponse(response: IncomingMessage): Promise<FunctionAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > MAX_ANSWER) throw new LongAnswer(`the answer is longer than ${MAX_ANSWER} bytes`);
    chunks.push(chunk);
  }
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: Buffer.concat(chunks).toString('utf8') };
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
