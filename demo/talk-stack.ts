import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMediaServer } from '@switchboard/testkit/media-server.ts';
import { freePorts } from '@switchboard/testkit/ports.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import { WORKER_DIR } from '@switchboard/testkit/worker.ts';

const AGENT_NAME = 'talk';
/** Generous, because a machine that starts everything at once is slow. */
const AGENT_JOIN_S = 60;
const STOP_MS = 5_000;

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

/** Starts the three, with their data in the folder. `modelEnv` are the worker's variables for its models. */
export async function startStack(dir: string, modelEnv: Record<string, string>): Promise<Stack> {
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
      ...modelEnv,
    },
  });
  await worker.until((output) => output.includes('registered worker'), 60_000);
  return {
    url: service.url,
    stop: async () => {
      for (const program of [worker, service]) await Promise.race([program.end('SIGTERM'), sleep(STOP_MS)]);
      await media.stop();
    },
  };
}
