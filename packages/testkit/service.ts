import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type App, buildApp } from '../server/src/app.ts';
import { loadConfig } from '../server/src/config.ts';
import type { Database } from '../server/src/db/database.ts';
import { type Clock, systemClock } from '../server/src/lib/clock.ts';
import { createMetrics } from '../server/src/lib/metrics.ts';
import type { Carrier } from '../server/src/providers/carrier.ts';
import type { Media } from '../server/src/providers/media.ts';
import { createSandboxCarrier } from '../server/src/providers/sandbox/carrier.ts';
import { createSandboxMedia, type SandboxMedia } from '../server/src/providers/sandbox/media.ts';
import { createFolderStorage } from '../server/src/providers/storage/folder.ts';
import type { Storage } from '../server/src/providers/storage/storage.ts';
import { type Answer, type Request, request } from './client.ts';
import { openTestDatabase } from './database.ts';
import { assertPublished } from './published.ts';
import { watchLog } from './watched-log.ts';

export type RequestOptions = Pick<Request, 'user' | 'body' | 'headers'>;

export interface Service<M extends Media = SandboxMedia> {
  url: string;
  app: App;
  database: Database;
  media: M;
  carrier: Carrier;
  /**
   * Sends a request over HTTP and checks the response against the published description. String bodies are sent
   * unchanged.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** The lines of its log so far. */
  logged(): string[];
  /** Stops it; fails if its log contains personal data that was sent or received. */
  close(): Promise<void>;
}

interface Options<M extends Media> {
  /** With RECONCILE_INTERVAL_MS it does rounds of maintenance, otherwise only those of `app.reconcile()`. */
  env?: Record<string, string>;
  clock?: Clock;
  media?: M;
  carrier?: Carrier;
  /** The storage of recordings; by default a folder that is removed with the service. */
  storage?: Storage;
  /** Uses this database, which stays open when the service closes. */
  database?: Database;
}

/** As it was generated last, which `npm run drift` checks: generating it in each file takes as long as some tests. */
let published: object | undefined;
const DESCRIPTION = path.resolve(import.meta.dirname, '../server/openapi.json');

/** A complete service on a free port with a database of its own; closed when the test file ends. */
export async function startService<M extends Media = SandboxMedia>(options: Options<M> = {}): Promise<Service<M>> {
  const config = testConfig(options.env);
  const clock = options.clock ?? systemClock;
  const watched = watchLog(options.env);
  const { log } = watched;
  const database = options.database ?? (await openTestDatabase());
  const media = options.media ?? (createSandboxMedia({ clock, ...config.sandbox }) as Media as M);
  const carrier = options.carrier ?? createSandboxCarrier();
  const recordings = path.join(tmpdir(), `switchboard-recordings-${randomUUID()}`);
  const storage = options.storage ?? createFolderStorage(options.env?.RECORDINGS_DIR ?? recordings);
  const app = await buildApp({ config, database, media, carrier, storage, clock, log, metrics: createMetrics() });
  await app.start();
  const url = await app.server.listen({ host: '127.0.0.1', port: config.port });
  if (options.env?.RECONCILE_INTERVAL_MS !== undefined) app.startRounds();
  let closed: Promise<void> | undefined;
  const close = async () => {
    await app.server.close();
    await app.stop();
    if (!options.database) await database.close();
    await rm(recordings, { recursive: true, force: true });
    watched.assertClean();
    // `fetch` keeps connections: it has to see that they are closed before the next service has the same port.
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  };
  const service: Service<M> = {
    url,
    app,
    database,
    media,
    carrier,
    logged: () => watched.lines,
    request: async (method, path, wanted = {}) => {
      watched.notice(path);
      watched.notice(wanted.body);
      watched.noticeToken(wanted.headers?.authorization);
      const answer = await request(url, { method, path, ...wanted });
      published ??= JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as object;
      assertPublished(published, method, new URL(path, url).pathname, answer);
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

/** The configuration of a service that tests are made with; `env` takes precedence. */
function testConfig(env: Record<string, string> = {}) {
  return loadConfig({
    PORT: '0',
    SANDBOX_RING_MS: '20',
    SANDBOX_CONVERSATIONS: '0',
    CALLBACK_ALLOW_PRIVATE: 'true',
    RECONCILE_INTERVAL_MS: '3600000',
    // The test machine may be busy.
    OVERLOAD_DELAY_MS: '600000',
    ...env,
  });
}
