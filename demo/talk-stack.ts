import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMediaServer } from '@switchboard/testkit/media-server.ts';
import { freePorts } from '@switchboard/testkit/ports.ts';
import { type Program, startProgram } from '@switchboard/testkit/program.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import { WORKER_DIR } from '@switchboard/testkit/worker.ts';
import { KEYED, keyVariable } from '../worker/conversation/providers.ts';

const AGENT_NAME = 'talk';
/** Generous, because a machine that starts everything at once is slow. */
const AGENT_JOIN_S = 60;
const STOP_MS = 5_000;
/** Variables that are passed on to the worker: keys of models, and the settings of functions. */
const PASSED = [
  ...KEYED.map(keyVariable),
  'AZURE_OPENAI_ENDPOINT',
  'MODEL_BASE_URLS',
  'FUNCTIONS_SECRET',
  'FUNCTIONS_ALLOW_PRIVATE',
];
/** Errors in the log, and fatal ones. */
const ERROR = /^\{"level":[56]0,/;

/** Fictional prices, so that there are costs to show. */
const PRICES = {
  'local/moonshine-tiny': { stt_minutes: '0.0043' },
  'local/rules': { llm_input_tokens: '0.0000004', llm_cached_tokens: '0.0000001', llm_output_tokens: '0.0000016' },
  'local/festival': { tts_characters: '0.000015' },
};

/** A media server, the service and the worker, on free local ports. */
export interface Stack {
  /** Address of the service. */
  url: string;
  stop(): Promise<void>;
}

interface Options {
  /** Address of the local models, if they are used. */
  modelUrl: string | undefined;
  /** Is told of each error in the worker's log. */
  onProblem: (problem: string) => void;
}

/** Starts the three, with their data in the folder. */
export async function startStack(dir: string, { modelUrl, onProblem }: Options): Promise<Stack> {
  const [servicePort = 0, workerPort = 0] = await freePorts(2);
  const media = await startMediaServer(servicePort);
  const shared = {
    LIVEKIT_URL: media.url,
    LIVEKIT_API_KEY: media.apiKey,
    LIVEKIT_API_SECRET: media.apiSecret,
    LIVEKIT_AGENT_NAME: AGENT_NAME,
  };
  // This trunk does not exist, and no number is called.
  const phones = { LIVEKIT_SIP_TRUNK_ID: 'ST_none', CALLING_COUNTRIES: 'US' };
  const service = await startProcess({
    ...shared,
    ...phones,
    PORT: String(servicePort),
    DATA_DIR: path.join(dir, 'data'),
    AGENT_JOIN_TIMEOUT_S: String(AGENT_JOIN_S),
  });
  const prices = path.join(dir, 'prices.json');
  await writeFile(prices, JSON.stringify(PRICES));
  const worker = startProgram([process.execPath, 'worker.ts'], {
    cwd: WORKER_DIR,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...shared,
      SWITCHBOARD_URL: service.url,
      WORKER_PORT: String(workerPort),
      SPOOL_DIR: path.join(dir, 'spool'),
      WORKER_DRAIN_S: '1',
      PRICES_FILE: prices,
      ...passedOn(modelUrl),
    },
  });
  followErrors(worker, onProblem);
  await worker.until((output) => output.includes('registered worker'), 60_000);
  return {
    url: service.url,
    stop: async () => {
      for (const program of [worker, service]) await Promise.race([program.end('SIGTERM'), sleep(STOP_MS)]);
      await media.stop();
    },
  };
}

/** Functions are signed with a secret of this start unless there is one, so that those that do not check it work. */
function passedOn(modelUrl: string | undefined): Record<string, string> {
  // An address may name the variable of its key: https://host/v1=HOST_API_KEY.
  const named = [...(process.env.MODEL_BASE_URLS ?? '').matchAll(/=(\w+)(?=\s|$)/g)].map(([, name = '']) => name);
  const set = [...PASSED, ...named].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const passed: Record<string, string> = Object.fromEntries(set);
  const urls = [passed.MODEL_BASE_URLS, modelUrl].filter(Boolean).join(' ');
  return {
    FUNCTIONS_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    ...passed,
    ...(urls && { MODEL_BASE_URLS: urls }),
  };
}

/** Tells of the errors in a worker's log, which nobody sees otherwise. */
function followErrors({ child }: Program, onProblem: (problem: string) => void): void {
  if (!child.stdout) return;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!ERROR.test(line)) return;
    try {
      const { msg, error } = JSON.parse(line);
      onProblem([msg, error?.message].filter(Boolean).join(': '));
    } catch {
      // Cut off, as by a process that was killed.
      onProblem(line);
    }
  });
}
