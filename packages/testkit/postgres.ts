import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.ts';

/** A PostgreSQL server of the tests, with fsync on, that can be killed and restarted. */
export interface Postgres {
  /** URL of the database `postgres`. */
  url: string;
  /** All of its files. */
  dir: string;
  /** Starts the server; resolves when it accepts connections. */
  start(): Promise<void>;
  /** Sends SIGKILL to all of the server's processes, like a machine failure. */
  kill(): Promise<void>;
  /** Creates an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
}

interface Options {
  /** `name=value` */
  settings?: string[];
  /** Port of a primary, whose standby this server becomes. */
  standbyOf?: number;
}

/** PostgreSQL if it is missing on this machine, in words; otherwise null. */
export const missingPostgres = () =>
  globSync('/usr/lib/postgresql/*/bin/initdb').length > 0 ? null : 'not on this machine: PostgreSQL';

/** Initializes a server on 127.0.0.1:`port` and starts it. */
export async function startPostgres(port: number, { settings = [], standbyOf }: Options = {}): Promise<Postgres> {
  const bin = path.dirname(globSync('/usr/lib/postgresql/*/bin/initdb').sort().at(-1) ?? 'initdb');
  const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-pg-'));
  const owner = ownerOf(dir);
  const data = path.join(dir, 'data');
  const [make, args] =
    standbyOf === undefined
      ? ['initdb', ['-U', 'postgres', '--auth=trust']]
      : ['pg_basebackup', ['-h', '127.0.0.1', '-p', String(standbyOf), '-U', 'postgres', '-c', 'fast', '-R']];
  execFileSync(path.join(bin, make), ['-D', data, ...args], { ...owner, stdio: 'ignore' });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const options = ['-D', data, '-p', String(port), '-k', dir, '-c', 'listen_addresses=127.0.0.1'];
    const all = ['max_connections=200', ...settings].flatMap((setting) => ['-c', setting]);
    server = spawn(path.join(bin, 'postgres'), [...options, ...all], {
      ...owner,
      stdio: 'ignore',
    });
    await untilReady(url);
  }

  async function end(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    if (signal === 'SIGKILL') killWithChildren(server.pid);
    else server.kill(signal);
    await gone;
  }

  await start();
  return {
    url,
    dir,
    start,
    kill: () => end('SIGKILL'),
    createDatabase: async (name) => {
      await query(url, `create database ${name}`);
      return url.replace(/postgres$/, name);
    },
    remove: async () => {
      await end('SIGINT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

// Each of the server's processes leads a group of its own (setsid), so that no signal to a group reaches them all.
function killWithChildren(pid: number): void {
  process.kill(pid, 'SIGSTOP'); // Makes no more of them.
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  for (const child of [...children.map(Number), pid]) {
    try {
      process.kill(child, 'SIGKILL');
    } catch {} // Gone already.
  }
}

/** Field 4 of proc(5)'s stat; null when the process has gone. */
function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

// PostgreSQL refuses to run as root.
function ownerOf(dir: string): { uid?: number; gid?: number; cwd: string } {
  if (process.getuid?.() !== 0) return { cwd: dir };
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const [uid, gid] = [id('-u'), id('-g')];
  chownSync(dir, uid, gid);
  return { uid, gid, cwd: dir };
}

async function untilReady(url: string): Promise<void> {
  await eventually(
    () => query(url, 'select 1').catch((error: Error) => error),
    (answer) => !(answer instanceof Error),
  );
}

/** Runs SQL on a new connection without a timeout; returns the rows of the last statement. */
export async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  const results = [await client.query<T>(sql).finally(() => client.end())].flat();
  return results.at(-1)?.rows ?? [];
}
