import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { ParticipantInfo_Kind } from '@livekit/protocol';
import { type Json, type Request as Question, type Reply, send } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { PORTS, type SipLab } from './network.ts';
import { PHONES, type Phone } from './phones.ts';
import { type Dialogue, isOver, requestsOf } from './trace.ts';

export const USER = 'user-1';
export const AGENT_NAME = 'lab-worker';
/** Longer than the slowest scenario: without any response from a trunk the bridge takes 32 s. */
export const WITHIN_MS = 90_000;

/** Requests to the service. */
interface Client {
  post(path: string, body?: object): Promise<Reply>;
  put(path: string, body?: object): Promise<Reply>;
  patch(path: string, body?: object): Promise<Reply>;
  get(path: string): Promise<Reply>;
  createAgent(lab?: object): Promise<string>;
  /** Calls a phone with this behavior, at a `number` of its own. */
  call(phone: Phone, fields?: object): Promise<PlacedCall>;
  detail(call_id: string): Promise<Json>;
  /** The newest calls. */
  list(): Promise<Json[]>;
  /** Waits for the `call_status`; returns the whole call. */
  reaches(call_id: string, call_status: string): Promise<Json>;
}

/** The service as a process. */
export interface Switchboard extends Client {
  url: string;
  output(): string;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

export interface PlacedCall {
  call_id: string;
  room_name: string;
  number: string;
}

export function isEnded(call: Json): boolean {
  return ['COMPLETED', 'FAILED', 'NO_ANSWER'].includes(call.call_status);
}

let line = 0;

/** An unused number of a phone with this behavior. */
export function numberOf(phone: Phone): string {
  const digits = typeof phone === 'number' ? phone : PHONES[phone];
  return `+1415${digits}${String(line++).padStart(4, '0')}`;
}

/** The port of a phone's handset: what its session description says. */
export const handsetOf = (number: string): number => 10_000 + Number(number.slice(-4));

/** Starts the service with LiveKit, by default on the port that gets the media server's webhooks. */
export async function startSwitchboard(
  lab: SipLab,
  trunkId: string,
  env: Record<string, string>,
): Promise<Switchboard> {
  const service: ServiceProcess = await startProcess({
    PORT: String(PORTS.service),
    LIVEKIT_URL: lab.url,
    LIVEKIT_API_KEY: lab.apiKey,
    LIVEKIT_API_SECRET: lab.apiSecret,
    LIVEKIT_SIP_TRUNK_ID: trunkId,
    LIVEKIT_AGENT_NAME: AGENT_NAME,
    CALLING_COUNTRIES: 'US',
    CALLBACK_ALLOW_PRIVATE: 'true',
    OVERLOAD_DELAY_MS: '600000',
    CALLS_CONCURRENT: '1000',
    CALLS_PER_SECOND: '1000',
    CALLS_BURST: '1000',
    CALLS_PER_DAY: '100000',
    ...env,
  });
  return {
    ...createClient(service.url),
    url: service.url,
    output: service.output,
    end: async (signal) => {
      await service.end(signal);
    },
  };
}

/**
 * A client that repeats a request with the same key if there was no response, if it is to be repeated later, or if it
 * is still in progress after its response was lost.
 */
function createClient(url: string): Client {
  let anyAgent: Promise<string> | undefined;

  function ask(request: Question): Promise<Reply> {
    const key = randomUUID();
    return eventually(
      () => send(url, { ...request, user: USER, ...(request.method === 'POST' && { key }) }),
      ({ status, body }) => status !== 503 && status !== 0 && body?.code !== 'idempotency_in_progress',
      WITHIN_MS,
    );
  }

  const sends = (method: string) => (path: string, body?: object) => ask({ method, path, ...(body && { body }) });
  const post = sends('POST');

  async function created(path: string, body: object): Promise<Json> {
    const reply = await post(path, body);
    if (reply.status !== 201)
      throw new Error(`POST ${path} was answered ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async function read(path: string): Promise<Json> {
    const { status, body } = await ask({ path });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  const detail = (call_id: string) => read(`/api/calls/${call_id}`);
  const createAgent = async (behavior: object = {}) =>
    (await created('/api/agents/', { name: 'Front desk', user_id: USER, config: { lab: behavior } })).id;

  async function call(phone: Phone, fields: object = {}): Promise<PlacedCall> {
    anyAgent ??= createAgent();
    const number = numberOf(phone);
    const wanted = { agent_id: await anyAgent, phone_number: number, ...fields };
    const { call_id, room_name } = await created('/api/calls/outbound', wanted);
    return { call_id, room_name, number };
  }

  async function reaches(call_id: string, call_status: string): Promise<Json> {
    const answer = await eventually(
      () => detail(call_id),
      (now) => now.call_status === call_status || isEnded(now),
      WITHIN_MS,
    );
    assert.equal(answer.call_status, call_status, JSON.stringify(answer));
    return answer;
  }

  const list = async () => (await read('/api/calls?limit=100')).items;
  const [put, patch] = [sends('PUT'), sends('PATCH')];
  return { get: (path) => ask({ path }), post, put, patch, createAgent, call, detail, list, reaches };
}

/** A worker process that accepts calls of every service in the lab. */
export interface LabWorker {
  kill(): Promise<void>;
}

export async function startLabWorker(lab: SipLab): Promise<LabWorker> {
  const worker = startProgram([process.execPath, path.join(import.meta.dirname, 'worker.ts')], {
    showErrors: true,
    env: {
      PATH: process.env.PATH,
      LIVEKIT_URL: lab.url,
      LIVEKIT_API_KEY: lab.apiKey,
      LIVEKIT_API_SECRET: lab.apiSecret,
      LIVEKIT_AGENT_NAME: AGENT_NAME,
    },
  });
  await worker.until((output) => output.includes('registered'));
  return {
    kill: async () => {
      await worker.end('SIGKILL');
    },
  };
}

/** The dialogs of the phone with this number: at most one, whatever happened. */
export async function seenBy(lab: SipLab, number: string): Promise<Dialogue | undefined> {
  const all = (await lab.dialogues()).filter((dialogue) => dialogue.number === number);
  if (all.length > 1) throw new Error(`${number} was dialled ${all.length} times`);
  return all[0];
}

/** The requests of the phone's dialogs over all trunks, by dialog in their order, once all of them have ended. */
export async function allOver(lab: SipLab, number: string): Promise<string[][]> {
  const dialogues = await eventually(
    async () => (await lab.dialogues()).filter((dialogue) => dialogue.number === number),
    (all) => all.every(isOver),
    WITHIN_MS,
  );
  return dialogues.sort((one, other) => startOf(one) - startOf(other)).map(requestsOf);
}

const startOf = ({ messages }: Dialogue) => messages[0]?.at ?? 0;

/** Waits until the bridge has sent this request to the phone. */
export function sees(lab: SipLab, number: string, method: string, withinMs?: number): Promise<Dialogue | undefined> {
  return eventually(
    () => seenBy(lab, number),
    (dialogue) => dialogue !== undefined && requestsOf(dialogue).includes(method),
    withinMs,
  );
}

/** Waits until an agent is in the room of the call. */
export function untilAgentJoined(lab: SipLab, { room_name }: PlacedCall): Promise<unknown> {
  return eventually(
    () => lab.rooms.listParticipants(room_name),
    (everybody) => everybody.some(({ kind }) => kind === ParticipantInfo_Kind.AGENT),
    30_000,
  );
}
