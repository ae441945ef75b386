/**
 * `npm run talk`: a caller and an agent talk to each other aloud, on this machine and without any account. It starts a
 * media server, the service, the worker and the models that it speaks and hears with, and shows what Switchboard has of
 * the call. `npm run talk -- --stay` keeps them running afterwards.
 */

import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts, isOpen } from '@switchboard/testkit/ports.ts';
import { killPrograms, type Program, startProgram } from '@switchboard/testkit/program.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import { joinAsSpeaker, type Speaker } from '@switchboard/testkit/speaker.ts';
import { missingVoice, startVoice, type Voice } from '@switchboard/testkit/voice.ts';
import { installWorker, WORKER_DIR } from '@switchboard/testkit/worker.ts';
import { RoomAgentDispatch, RoomServiceClient } from 'livekit-server-sdk';
import { toWav } from '../worker/local/voice.ts';
import { interruption, listenForInterruption } from './pace.ts';
import * as screen from './screen.ts';

const MEDIA_SERVER = process.env.LIVEKIT_SERVER_BIN || 'livekit-server';
const AGENT_NAME = 'talk';
const SENTENCES = ['When do you open on Sunday?', 'What time is it now?', 'Please hang up the phone.'];
const ANSWER_MS = 20_000;
const RATE = 24_000;

/** Programs that have to be there, in words, or null. */
function missingPrograms(): string | null {
  const media = spawnSync(MEDIA_SERVER, ['--version']).error
    ? 'not on this machine: livekit-server (https://docs.livekit.io/home/self-hosting/local/, or set LIVEKIT_SERVER_BIN)'
    : null;
  return media ?? missingVoice();
}

interface Stack {
  lab: { url: string; apiKey: string; apiSecret: string };
  serviceUrl: string;
  programs: Program[];
}

/** The media server, the service and the worker, on free ports. */
async function startStack(voice: Voice, dir: string): Promise<Stack> {
  const [port = 0, tcpPort = 0, udpPort = 0, servicePort = 0, workerPort = 0] = await freePorts(5);
  const [apiKey, apiSecret] = ['talk', randomBytes(24).toString('hex')];
  const config = path.join(dir, 'livekit.json');
  await writeFile(
    config,
    JSON.stringify({
      port,
      bind_addresses: ['127.0.0.1'],
      rtc: {
        ...{ udp_port: udpPort, tcp_port: tcpPort, use_external_ip: false, node_ip: '127.0.0.1' },
        ...{ enable_loopback_candidate: true, interfaces: { includes: ['lo'] } },
      },
      keys: { [apiKey]: apiSecret },
      webhook: { api_key: apiKey, urls: [`http://127.0.0.1:${servicePort}/api/media/webhook`] },
    }),
    { mode: 0o600 },
  );
  const media = startProgram([MEDIA_SERVER, '--config', config]);
  await media.until(() => isOpen(port));
  const lab = { url: `ws://127.0.0.1:${port}`, apiKey, apiSecret };
  const credentials = { LIVEKIT_URL: lab.url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret };
  const shared = { ...credentials, LIVEKIT_AGENT_NAME: AGENT_NAME };
  // A trunk by this name does not exist, and no number is called.
  const phones = { LIVEKIT_SIP_TRUNK_ID: 'ST_none', CALLING_COUNTRIES: 'US' };
  const service = await startProcess({
    ...{ ...shared, ...phones, PORT: String(servicePort), DATA_DIR: path.join(dir, 'data') },
  });
  screen.line('service', service.url);
  const prices = path.join(dir, 'prices.json');
  await writeFile(prices, JSON.stringify(PRICES));
  const worker = startProgram([process.execPath, 'worker.ts'], {
    cwd: WORKER_DIR,
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, ...shared, SWITCHBOARD_URL: service.url },
      ...{ WORKER_PORT: String(workerPort), SPOOL_DIR: path.join(dir, 'spool'), WORKER_DRAIN_S: '1' },
      ...{ MODEL_BASE_URLS: voice.url, PRICES_FILE: prices },
    },
  });
  const programs = [worker, service, media];
  await worker.until((output) => output.includes('registered worker'), 60_000);
  return { lab, serviceUrl: service.url, programs };
}

/** Made up, so that there is something to add. */
const PRICES = {
  'local/moonshine-tiny': { stt_minutes: '0.0043' },
  'local/rules': { llm_input_tokens: '0.0000004', llm_cached_tokens: '0.0000001', llm_output_tokens: '0.0000016' },
  'local/espeak-ng': { tts_characters: '0.000015' },
};

type Ask = <T>(method: 'GET' | 'POST', route: string, body?: object) => Promise<T>;

function createAsk(serviceUrl: string, user_id: string): Ask {
  return async <T>(method: string, route: string, body?: object) => {
    const response = await fetch(`${serviceUrl}${route}`, {
      method,
      headers: { 'x-user-id': user_id, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
}

interface Line {
  speaker: string;
  content: string;
}

/** Opens a session and calls the worker into its room, as Switchboard does for a call. */
async function openSession({ lab }: Stack, voice: Voice, ask: Ask, user_id: string) {
  const config = {
    instructions: 'You are at the front desk of a library.',
    greeting: 'Welcome to the library. How can I help you?',
    ...voice.config,
    tools: { hang_up: true },
  };
  const agent = await ask<{ id: string; name: string }>('POST', '/api/agents/', {
    name: 'Front desk',
    user_id,
    config,
  });
  const session = await ask<{ id: string; room_name: string }>('POST', '/api/sessions/', {
    user_id,
    agent_id: agent.id,
  });
  const job = {
    ...{ version: 1, session_id: session.id, room_name: session.room_name, user_id, direction: 'WEB' },
    ...{ agent_id: agent.id, agent_name: agent.name, config, variables: {}, metadata: {} },
    ...{ from_number: null, to_number: null },
  };
  const rooms = new RoomServiceClient(lab.url, lab.apiKey, lab.apiSecret);
  const agents = [new RoomAgentDispatch({ agentName: AGENT_NAME, metadata: JSON.stringify(job) })];
  await rooms.createRoom({ name: session.room_name, emptyTimeout: 60, departureTimeout: 5, agents });
  return session;
}

/** Says the sentences, and waits for the answer to each. Returns what both said, as one recording. */
async function converse(caller: Speaker, voice: Voice, transcript: () => Promise<Line[]>): Promise<Int16Array[]> {
  const recording: Int16Array[] = [];
  let shown = 0;
  async function showUntil(isThere: (lines: Line[]) => boolean): Promise<void> {
    const deadline = Date.now() + ANSWER_MS;
    for (;;) {
      const lines = await transcript();
      for (const { speaker, content } of lines.slice(shown)) screen.line(speaker.toLowerCase(), content);
      shown = lines.length;
      if (isThere(lines)) return;
      if (Date.now() > deadline) throw new Error('The agent did not answer.');
      await sleep(100, undefined, { signal: interruption });
    }
  }
  const answered = (lines: Line[]) => lines.at(-1)?.speaker === 'AGENT';
  await showUntil(answered);
  for (const sentence of SENTENCES) {
    const heard = caller.heard();
    screen.line('', `(its voice, recognized again: "${await voice.recognize(heard)}")`);
    const words = await voice.speak(sentence);
    recording.push(heard, words);
    const before = shown;
    await caller.say(words);
    await showUntil((lines) => lines.length > before && answered(lines));
  }
  recording.push(caller.heard());
  return recording;
}

async function showCosts(ask: Ask, session_id: string): Promise<void> {
  type Costs = { total_cost: string; by_event_type: Record<string, string>; events: object[] };
  const path = `/api/sessions/${session_id}`;
  const { total_cost, by_event_type, events } = await ask<Costs>('GET', `${path}/costs`);
  screen.line('cost', `${total_cost} in ${events.length} usage events (the prices are made up)`);
  screen.table(Object.entries(by_event_type));
  type Turns = {
    items: { transcript_ms: number | null; first_token_ms: number | null; first_audio_ms: number | null }[];
  };
  for (const { transcript_ms, first_token_ms, first_audio_ms } of (await ask<Turns>('GET', `${path}/turns`)).items)
    screen.line(
      'latency',
      `transcript ${transcript_ms} ms, first token ${first_token_ms}, first audio ${first_audio_ms}`,
    );
}

async function stay(serviceUrl: string, voice: Voice): Promise<void> {
  screen.heading(3, 'Staying');
  screen.line('service', `${serviceUrl}/docs`);
  screen.line('models', `${voice.url}: name it as base_url of stt, llm and tts in an agent's config`);
  screen.line('', JSON.stringify(voice.config));
  screen.line('', 'Ctrl-C stops everything.');
  await sleep(2 ** 31 - 1, undefined, { signal: interruption }).catch(() => {});
}

async function run(): Promise<void> {
  const missing = missingPrograms();
  if (missing) throw new Error(missing);
  screen.title('Switchboard: a spoken conversation', 'On this machine, without any account.');
  await installWorker();
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-talk-'));
  const programs: Program[] = [];
  try {
    screen.heading(1, 'Starting');
    const voice = await startVoice();
    screen.line('models', `${voice.url} (espeak-ng, Moonshine, and a few rules instead of a language model)`);
    const stack = await startStack(voice, dir);
    programs.push(...stack.programs);
    const user_id = `talk-${randomUUID().slice(0, 8)}`;
    const ask = createAsk(stack.serviceUrl, user_id);

    screen.heading(2, 'Talking');
    const session = await openSession(stack, voice, ask, user_id);
    const caller = await joinAsSpeaker(stack.lab, session.room_name, 'caller');
    const route = `/api/sessions/${session.id}/transcripts`;
    const recording = await converse(caller, voice, async () => (await ask<{ items: Line[] }>('GET', route)).items);
    await caller.leave();
    await sleep(1_000);
    await showCosts(ask, session.id);
    const file = path.join(tmpdir(), 'switchboard-talk.wav');
    await writeFile(file, toWav(Int16Array.from(recording.flatMap((part) => [...part])), RATE));
    screen.line('listen', file);
    if (process.argv.includes('--stay')) await stay(stack.serviceUrl, voice);
  } finally {
    for (const program of programs) await Promise.race([program.end('SIGTERM'), sleep(5_000)]);
    killPrograms();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

listenForInterruption();
try {
  await run();
  process.exit(0);
} catch (error) {
  if (!interruption.aborted) screen.failure(error instanceof Error ? error.message : String(error));
  process.exit(interruption.aborted ? 130 : 1);
}
