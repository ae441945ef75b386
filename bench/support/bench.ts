import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import type { Postgres } from '../../reliability/support/postgres.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Contender } from './rounds.ts';

/** Tools of the sections. Processes that they start end with them. */
export interface Bench {
  /** An empty database's URL. */
  database(): Promise<string>;
  /** The service, without limits of its own. */
  startService(name: string, env: Record<string, string>): Promise<Started>;
  /** One of `servers/`. */
  startServer(name: string, file: string, env?: Record<string, string>): Promise<Started>;
  /** One of `baselines/`, on a database with their tables. */
  startFastApi(name: string, module: string, env?: Record<string, string>): Promise<Started & { database: string }>;
  startExpress(name: string): Promise<Started>;
  /** Ends what has been started since the last time. */
  end(): Promise<void>;
}

interface Started extends Contender {
  child: ChildProcess;
}

const ROOT = path.resolve(import.meta.dirname, '..');
const MAIN = path.resolve(ROOT, '../src/main.ts');
const READY_MS = 60_000;
const UNLIMITED = {
  ...{
    LOG_LEVEL: 'warn',
    AUTH_MODE: 'open',
    RATE_LIMIT_USER: '1000000000',
    RATE_LIMIT_SERVICE: '1000000000',
    OVERLOAD_DELAY_MS: '600000',
  },
  ...{ CALLS_CONCURRENT: '100000', CALLS_PER_SECOND: '10000', CALLS_BURST: '100000', CALLS_PER_DAY: '100000000' },
};

export function createBench(postgres: Postgres, python: string): Bench {
  const children: ChildProcess[] = [];
  let databases = 0;

  async function database(): Promise<string> {
    databases += 1;
    return postgres.createDatabase(`bench_${databases}`);
  }

  async function baselineDatabase(): Promise<string> {
    const url = await database();
    await query(url, readFileSync(path.join(ROOT, 'baselines/schema.sql'), 'utf8'));
    return url;
  }

  /** Starts a server on a free port, which it is told by `PORT`; resolves when it answers. */
  async function start(name: string, command: string[], env: Record<string, string>, cwd = ROOT): Promise<Started> {
    const port = String(await freePort());
    const [file = '', ...args] = command.map((part) => part.replace('$PORT', port));
    const options = { cwd, env: { PATH: process.env.PATH, PORT: port, ...env } };
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
    children.push(child);
    const url = `http://127.0.0.1:${port}`;
    await untilAnswering(url, child);
    return { name, url, child };
  }

  return {
    database,
    startService: (name, env) => start(name, [process.execPath, MAIN], { ...UNLIMITED, ...env }),
    startServer: (name, file, env = {}) => start(name, [process.execPath, path.join(ROOT, 'servers', file)], env),
    startFastApi: async (name, module, env = {}) => {
      const url = await baselineDatabase();
      const quiet = ['--no-access-log', '--log-level', 'warning'];
      const command = [python, '-m', 'uvicorn', `${module}:app`, '--port', '$PORT', ...quiet];
      const cwd = path.join(ROOT, 'baselines');
      return {
        ...(await start(name, command, { DATABASE_URL: url, PYTHONDONTWRITEBYTECODE: '1', ...env }, cwd)),
        database: url,
      };
    },
    startExpress: async (name) => {
      const env = { DATABASE_URL: await baselineDatabase(), NODE_ENV: 'production' };
      return start(name, [process.execPath, 'server.js'], env, path.join(ROOT, 'baselines/express'));
    },
    end: async () => {
      const running = children.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      await Promise.all(running.map(kill));
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Runs SQL on a connection of its own, for as long as it takes; gives the rows of the last statement. */
export async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const results = [await client.query<T>(sql)].flat();
    return results.at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function untilAnswering(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline) throw error;
      await systemClock.sleep(50);
    }
  }
}
