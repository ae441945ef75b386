import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { type App, buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import type { Carrier } from '../../src/providers/carrier/carrier.ts';
import { createSandboxCarrier } from '../../src/providers/carrier/sandbox.ts';
import type { Media } from '../../src/providers/media/media.ts';
import { createSandboxMedia, type SandboxMedia } from '../../src/providers/media/sandbox.ts';
import { assertPublished } from './published.ts';
import { watchLog } from './watched-log.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: responses have no type here; the API description is checked instead.
  body: any;
}

export interface RequestOptions {
  user?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Service<M extends Media = SandboxMedia> {
  url: string;
  app: App;
  database: Database;
  media: M;
  carrier: Carrier;
  /**
   * Sends a request over HTTP and checks the answer against the published description. A string body is sent as it is.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** The lines of its log so far. */
  logged(): string[];
  /** Stops it; fails when its log holds anything private of what was sent and received. */
  close(): Promise<void>;
}

interface Options<M extends Media> {
  env?: Record<string, string>;
  clock?: Clock;
  media?: M;
  carrier?: Carrier;
  /** Runs on this database, which stays open when the service closes. */
  database?: Database;
}

/** A whole service on a free port, over a database of its own; closed when the test file ends. */
export async function startService<M extends Media = SandboxMedia>(options: Options<M> = {}): Promise<Service<M>> {
  const config = loadConfig({
    PORT: '0',
    SANDBOX_RING_MS: '20',
    CALLBACK_ALLOW_PRIVATE: 'true',
    RECONCILE_INTERVAL_MS: '3600000',
    // The tests' own machine may be busy.
    OVERLOAD_DELAY_MS: '600000',
    ...options.env,
  });
  const clock = options.clock ?? systemClock;
  const watched = watchLog(options.env);
  const { log } = watched;
  const database = options.database ?? (await openTestDatabase());
  const media = options.media ?? (createSandboxMedia({ clock, ringMs: config.SANDBOX_RING_MS }) as Media as M);
  const carrier = options.carrier ?? createSandboxCarrier();
  const app = await buildApp({ config, database, media, carrier, clock, log, metrics: createMetrics() });
  await app.start();
  const url = await app.server.listen({ host: '127.0.0.1', port: config.PORT });
  let closed: Promise<void> | undefined;
  const close = async () => {
    await app.server.close();
    await app.stop();
    if (!options.database) await database.close();
    watched.assertClean();
    // `fetch` keeps connections: it has to see that they are closed before the next service has the same port.
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  };
  const service: Service<M> = {
    ...{ url, app, database, media, carrier },
    logged: () => watched.lines,
    request: async (method, path, request = {}) => {
      watched.notice(path);
      watched.notice(request.body);
      watched.noticeToken(request.headers?.authorization);
      const answer = await send(service, method, path, request);
      watched.notice(answer.body);
      return answer;
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
  after(() => service.close());
  return service;
}

async function send(
  service: Pick<Service, 'url' | 'app'>,
  method: string,
  route: string,
  { user, body, headers = {} }: RequestOptions,
): Promise<Answer> {
  const response = await fetch(`${service.url}${route}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(user !== undefined && { 'x-user-id': user }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  assertPublished(service.app.server.swagger(), method, new URL(route, service.url).pathname, answer);
  return answer;
}

/**
 * An empty database: PostgreSQL when TEST_DATABASE_URL names a server, else the embedded one. Dropped when closed.
 * `isPatient`: statements may take as long as they take.
 */
export async function openTestDatabase(isPatient = false): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL;
  const common = { DATABASE_POOL_MAX: 10, onIdleError: () => {}, isPatient };
  if (!server) {
    const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
    const database = await openDatabase({ ...common, DATA_DIR });
    return { ...database, close: () => database.close().finally(() => rm(DATA_DIR, { recursive: true, force: true })) };
  }
  const name = `switchboard_${randomUUID().replaceAll('-', '')}`;
  await query(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await openDatabase({ ...common, DATABASE_URL: url.href, DATA_DIR: '' });
  return {
    ...database,
    close: () => database.close().finally(() => query(server, `drop database ${name} with (force)`)),
  };
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/**
 * Asks again and again until `ready` holds of the answer; fails with the last answer after `withinMs`: a minute, which
 * a busy machine may need.
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  ready: (answer: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (ready(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`never happened; last: ${JSON.stringify(answer)}`);
    await systemClock.sleep(10);
  }
}
