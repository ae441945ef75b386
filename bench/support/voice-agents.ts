import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RoomAgentDispatch } from '@livekit/protocol';
import { createSwitchboard } from '@switchboard/client';
import { request } from '@switchboard/testkit/client.ts';
import { type MediaServer, missingMediaServer, startMediaServer } from '@switchboard/testkit/media-server.ts';
import { freePorts } from '@switchboard/testkit/ports.ts';
import { type Program, startProgram } from '@switchboard/testkit/program.ts';
import { type Speaker, speakIn } from '@switchboard/testkit/speaker.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { within } from '@switchboard/testkit/within.ts';
import { installWorker, WORKER_DIR } from '@switchboard/testkit/worker.ts';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { preparePipecat } from '../baselines/prepare.ts';
import type { Bench } from './bench.ts';

/** Silence after which every agent takes a turn to be over. */
export const ENDPOINTING_MS = 500;
const USER = 'user-0';
const START_MS = 60_000;

/** An agent that answers calls, each of them in a room of its own. */
export interface VoiceAgent {
  name: string;
  /** Resolves once the caller can hear the agent. */
  call(): Promise<Caller>;
}

/** Agents of a process that starts one for each call. */
export interface WorkingAgent extends VoiceAgent {
  pid: number;
}

export interface Caller extends Speaker {
  /** Leaves, and ends the room. */
  hangUp(): Promise<void>;
}

export interface VoiceAgents {
  worker: WorkingAgent;
  bare: WorkingAgent;
  pipecat(): VoiceAgent;
  /** Another agent of the worker, whose language models are these of `servers/models.ts`, in order. */
  withModels(names: string[], firstTokenMs: number): Promise<VoiceAgent>;
  stop(): Promise<void>;
}

/** The worker with its service, the bare library and Pipecat, in rooms of one media server, with the same models. */
export async function startVoiceAgents(bench: Bench, mostCalls = 1): Promise<VoiceAgents> {
  const missing = missingMediaServer() ?? missingVoice();
  if (missing) throw new Error(missing);
  await installWorker();
  const [port = 0, workerPort = 0, barePort = 0] = await freePorts(3);
  const media = await startMediaServer(port);
  const spool = await mkdtemp(path.join(tmpdir(), 'switchboard-bench-'));
  const models = `${(await bench.startServer('models', 'models.ts')).url}/v1`;
  const programs: Program[] = [];
  const common = { PATH: process.env.PATH, HOME: process.env.HOME, MODELS_URL: models };
  const start = (command: string[], env: NodeJS.ProcessEnv, cwd: string) => {
    const program = startProgram(command, { cwd, env: { ...common, ENDPOINTING_MS: String(ENDPOINTING_MS), ...env } });
    programs.push(program);
    return program;
  };
  /** A program that is called by this name. */
  async function register(file: string, LIVEKIT_AGENT_NAME: string, env = {}): Promise<Program> {
    const program = start([process.execPath, file], { ...access(media), LIVEKIT_AGENT_NAME, ...env }, WORKER_DIR);
    await program.until((output) => output.includes('registered worker'), START_MS);
    return program;
  }
  const service = await bench.startService('Switchboard', {
    ...access(media),
    PORT: String(port),
    DATABASE_URL: await bench.database(),
    LIVEKIT_SIP_TRUNK_ID: 'ST_none',
    LIVEKIT_AGENT_NAME: 'worker',
    CALLING_COUNTRIES: 'US',
  });
  const worker = await register('worker.ts', 'worker', {
    SWITCHBOARD_URL: service.url,
    SPOOL_DIR: spool,
    MODEL_BASE_URLS: `${models}=MODEL_KEY`,
    MODEL_KEY: 'key',
    WORKER_PORT: String(workerPort),
    // Rooms of the calls before may still be closing.
    WORKER_MAX_CALLS: String(2 * mostCalls),
    WORKER_DRAIN_S: '0',
  });
  const bare = await register('bench/bare.ts', 'bare', { PORT: String(barePort) });
  return {
    worker: { name: 'the worker', pid: worker.child.pid ?? 0, call: await callsOf(service.url, models) },
    bare: { name: 'the bare library', pid: bare.child.pid ?? 0, call: () => enter(media, async () => {}, 'bare') },
    withModels: async (names, first_token_ms) => {
      const llm = names.map((model) => ({ provider: 'openai', model, base_url: models }));
      const config = { llm, fail_over: { first_token_ms } };
      return { name: names.join(', '), call: await callsOf(service.url, models, config) };
    },
    pipecat: () => {
      const python = preparePipecat();
      return pipecatIn(media, (args) => start([python, ...args], {}, import.meta.dirname));
    },
    stop: async () => {
      await Promise.all(programs.map((program) => program.end('SIGTERM')));
      await media.stop();
      await rm(spool, { recursive: true });
    },
  };
}

const access = ({ url, apiKey, apiSecret }: MediaServer) => ({
  LIVEKIT_URL: url,
  LIVEKIT_API_KEY: apiKey,
  LIVEKIT_API_SECRET: apiSecret,
});

/** Calls of browsers to an agent of the service. */
async function callsOf(url: string, base_url: string, more: object = {}): Promise<VoiceAgent['call']> {
  const model = { provider: 'openai', model: 'model', base_url };
  const { id } = await createSwitchboard({ baseUrl: url }).agents.create({
    name: 'Library',
    user_id: USER,
    config: {
      instructions: 'Be brief.',
      stt: { ...model, language: 'en' },
      llm: model,
      tts: model,
      turn_detection: { min_endpointing_delay_ms: ENDPOINTING_MS },
      ...more,
    },
  });
  return async () => {
    const { status, body } = await request(url, {
      method: 'POST',
      path: '/api/calls/web',
      user: USER,
      body: { agent_id: id },
    });
    if (status !== 201) throw new Error(`no call: ${status} ${JSON.stringify(body)}`);
    const caller = await speakIn(body.url, body.token);
    await within(caller.listens, 'a caller who hears the worker');
    return { ...caller, hangUp: caller.leave };
  };
}

let rooms = 0;

/** Enters a new room, into which `bring` brings the agent, or the media server one of this name. */
async function enter(media: MediaServer, bring: (room: string) => Promise<void>, agent?: string): Promise<Caller> {
  const api = new RoomServiceClient(media.url, media.apiKey, media.apiSecret);
  const name = `bench-${rooms++}`;
  await api.createRoom({ name, agents: agent ? [new RoomAgentDispatch({ agentName: agent })] : [] });
  await bring(name);
  const caller = await speakIn(media.url, await tokenFor(media, name, 'caller'));
  await within(caller.listens, 'a caller who hears an agent');
  return {
    ...caller,
    hangUp: async () => {
      await caller.leave();
      await api.deleteRoom(name);
    },
  };
}

function tokenFor({ apiKey, apiSecret }: MediaServer, room: string, identity: string): Promise<string> {
  const token = new AccessToken(apiKey, apiSecret, { identity });
  token.addGrant({ roomJoin: true, room, canPublish: true, canSubscribe: true });
  return token.toJwt();
}

/** Pipecat has no worker: whoever runs it starts a process for each call. */
function pipecatIn(media: MediaServer, start: (args: string[]) => Program): VoiceAgent {
  const file = path.resolve(import.meta.dirname, '../baselines/pipecat/agent.py');
  let program: Program | undefined;
  return {
    name: 'Pipecat',
    call: async () => {
      const caller = await enter(media, async (room) => {
        program = start([file, media.url, await tokenFor(media, room, 'agent'), room]);
      });
      const hangUp = async () => {
        await caller.hangUp();
        await program?.end('SIGTERM');
      };
      return { ...caller, hangUp };
    },
  };
}
