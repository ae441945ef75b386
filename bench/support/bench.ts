import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@switchboard/testkit/ports.ts';
import { type Postgres, query } from '@switchboard/testkit/postgres.ts';
import { type Program, startProgram } from '@switchboard/testkit/program.ts';
import { MAIN } from '@switchboard/testkit/service-process.ts';
import type { Contender } from './rounds.ts';

/** Tools of the sections. Processes that they start end with them. */
export interface Bench {
  /** Creates an empty database and returns its URL. */
  database(): Promise<string>;
  /** The service, without limits; another release of it by its main file. */
  startService(name: string, env: Record<string, string>, main?: string): Promise<Started>;
  /** One of `servers/`. */
  startServer(name: string, file: string, env?: Record<string, string>): Promise<Started>;
  /** One of `baselines/`, on a database with their tables. */
  startFastApi(name: string, module: string, env?: Record<string, string>): Promise<Started & { database: string }>;
  startExpress(name: string): Promise<Started>;
  /** Ends everything started since the last call. */
  end(): Promise<void>;
}

interface Started extends Contender {
  child: ChildProcess;
}

const ROOT = path.resolve(import.meta.dirname, '..');
/** A machine with other work on it may take minutes to start a server. */
const START_MS = 300_000;
const UNLIMITED = {
  LOG_LEVEL: 'warn',
  AUTH_MODE: 'open',
  RATE_LIMIT_USER: '1000000000',
  RATE_LIMIT_SERVICE: '1000000000',
  RATE_LIMIT_PUBLIC: '1000000000',
  OVERLOAD_DELAY_MS: '600000',
  CALLS_CONCURRENT: '100000',
  CALLS_PER_SECOND: '10000',
  CALLS_BURST: '100000',
  CALLS_PER_DAY: '100000000',
};

export function createBench(postgres: Postgres, python: string): Bench {
  const programs: Program[] = [];
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

  /** Starts a server on a free port, or that of `env`, passed as `PORT`; resolves when it responds. */
  async function start(name: string, command: string[], env: Record<string, string>, cwd = ROOT): Promise<Started> {
    const port = env.PORT ?? String(await freePort());
    const program = startProgram(
      command.map((part) => part.replace('$PORT', port)),
      { cwd, env: { PATH: process.env.PATH, PORT: port, ...env }, showErrors: true },
    );
    programs.push(program);
    const url = `http://127.0.0.1:${port}`;
    await program.until(() => isAnswering(url), START_MS);
    return { name, url, child: program.child };
  }

  return {
    database,
    startService: (name, env, main = MAIN) => start(name, [process.execPath, main], { ...UNLIMITED, ...env }),
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
      await Promise.all(programs.splice(0).map((program) => program.end('SIGKILL')));
    },
  };
}

async function isAnswering(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
