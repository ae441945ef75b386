import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { createSwitchboard, type Session } from '../../src/index.ts';
import { openOutbox } from '../../src/outbox/index.ts';
import { openSession } from './requests.ts';

export type Fault = (request: Request) => Promise<Response>;
export const answer =
  (status: number, code: string, headers = {}): Fault =>
  async () =>
    new Response(JSON.stringify({ detail: 'x', code }), { status, headers });
export const loseAnswer: Fault = async (request) => {
  await fetch(request);
  throw new TypeError('fetch failed');
};

/** Loses the first answer to each request, by its key or its path. */
export function loseFirstAnswers(): Fault {
  const seen = new Set<string>();
  return (request) => {
    const name = request.headers.get('idempotency-key') ?? request.url;
    if (seen.has(name)) return fetch(request);
    seen.add(name);
    return loseAnswer(request);
  };
}

/** An outbox in a folder of its own, whose first requests, or all, fail like this; by default for a new session. */
export async function setUpOutbox(
  t: TestContext,
  service: { url: string },
  faults: Fault[] | Fault = [],
  given?: Session,
) {
  const sb = createSwitchboard({ baseUrl: service.url });
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-outbox-'));
  const stops: (() => Promise<unknown>)[] = [];
  // Stopped first: a delivery that still writes would fail the removal, and its polls would keep the process alive.
  t.after(async () => {
    for (const stop of stops) await stop();
    await rm(dir, { recursive: true });
  });
  const session = given ?? (await openSession(sb, `user-${path.basename(dir)}`));
  const outbox = await openOutbox(dir);
  const seen: { path: string; key: string | null; at: number }[] = [];
  const [warnings, errors]: [string[], string[]] = [[], []];
  const log = {
    warn: (_about: object, text: string) => warnings.push(text),
    error: (_about: object, text: string) => errors.push(text),
  };
  function start(baseUrl = service.url) {
    const client = createSwitchboard({
      baseUrl,
      fetch: (request) => {
        const key = request.headers.get('idempotency-key');
        seen.push({ path: new URL(request.url).pathname, key, at: performance.now() });
        const fault = Array.isArray(faults) ? faults[seen.length - 1] : faults;
        return (fault ?? fetch)(request);
      },
    });
    const delivery = outbox.deliver({ client, log, pollMs: 5, firstPauseMs: 10, longestPauseMs: 40 });
    stops.push(() => delivery.stop(0));
    return delivery;
  }
  const files = async () => (await readdir(dir)).filter((name) => name.includes('.json'));
  const empty = () => eventually(outbox.waiting, (count) => count === 0);
  return { dir, session, outbox, seen, warnings, errors, start, files, empty };
}
