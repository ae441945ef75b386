import { randomInt } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, type Reply, type Request, send } from '@switchboard/testkit/client.ts';
import { NODE, startProgram } from '@switchboard/testkit/program.ts';
import { readyUrl, type ServiceProcess } from '@switchboard/testkit/service-process.ts';
import { LOAD_SETTINGS } from '../support/load.ts';
import { wrongClock } from '../support/wrong-clock.ts';

const SERVICE = path.join(import.meta.dirname, 'dialling-service.ts');
const PATIENCE_MS = 120_000;
/** A machine with other load takes long. */
const START_MS = 180_000;
export const USER = 'user-1';

/** Starts the service with the stand-in for the carrier. */
export async function startDialling(env: Record<string, string>, file = SERVICE): Promise<ServiceProcess> {
  const program = startProgram([...NODE, file], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', LOG_FORMAT: 'json', LOG_LEVEL: 'warn', ...env },
  });
  return { ...program, url: await program.until(readyUrl, START_MS) };
}

/** Two services on one database, the clock of one 5 s behind and of the other 5 s ahead, that are killed at random. */
export async function startTwo(env: Record<string, string>) {
  const clocks = ['-5s', '+5s'];
  const start = (index: number) =>
    startDialling({ ...LOAD_SETTINGS, ...env, ...wrongClock({ by: clocks[index] ?? '' }) });
  const running = await Promise.all(clocks.map((_, index) => start(index)));
  const kills: Record<string, number> = {};
  const killedAt: number[] = [];

  /** Kills one of them, or that one, and starts it again. */
  async function kill(phase: string, index = randomInt(2)): Promise<void> {
    kills[phase] = (kills[phase] ?? 0) + 1;
    await running[index]?.end('SIGKILL');
    killedAt.push(Date.now());
    running[index] = await start(index);
  }

  const urlOf = (index: number) => running[index]?.url ?? '';

  /** Sends to one of them or the other until there is an answer: for what may be sent twice. */
  async function ask(wanted: Omit<Request, 'user'>): Promise<Reply> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const reply = await send(urlOf(randomInt(2)), { user: USER, ...wanted });
      if (reply.status !== 0 && reply.status < 500) return reply;
      if (performance.now() > deadline)
        throw new Error(`${wanted.path}: ${reply.status} ${JSON.stringify(reply.body)}`);
      await sleep(50);
    }
  }

  async function ok(method: string, where: string, body?: unknown, headers = {}): Promise<Json> {
    const reply = await ask({ method, path: where, body, headers });
    if (reply.status >= 300) throw new Error(`${method} ${where}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  return {
    kill,
    kills,
    killedAt,
    urlOf,
    ask,
    ok,
    end: async () => {
      for (const one of running) await one.end('SIGKILL');
    },
  };
}

export type Two = Awaited<ReturnType<typeof startTwo>>;
