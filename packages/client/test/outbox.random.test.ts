// Random failures of a stand-in for the service, and random deaths of the process that delivers.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import fc from 'fast-check';
import { createSwitchboard } from '../src/index.ts';
import { startDelivery } from '../src/outbox/delivery.ts';
import { openFiles } from '../src/outbox/files.ts';
import { type Lane, openOutbox } from '../src/outbox/index.ts';

/** Failures of the network, the service or the key, none of which speaks against a report. */
const PASSING = ['ok', 'lost', 'unavailable', 'unauthenticated', 'limited', 'proxy', 'unreachable'] as const;
/** Failures that one report may be the cause of. */
const DOUBTFUL = ['broken', 'deceiving', 'forbidden', 'firewall', 'tooLarge'] as const;
type Mode = (typeof PASSING)[number] | (typeof DOUBTFUL)[number];

interface Report {
  kind: 'say' | 'use';
  /** The service refuses it for good, fails at it, or declines it, each time. */
  fate: 'taken' | 'bad' | 'cursed' | 'declined';
  writer: 0 | 1;
}
interface Plan {
  reports: Report[];
  modes: { mode: Mode; requests: number }[];
  /** After how many steps each process dies: a file written, renamed or removed, a request sent or answered. */
  deaths: number[];
}

const plans = (modes: readonly Mode[], fates: readonly Report['fate'][]) =>
  fc.record<Plan>({
    reports: fc.array(
      fc.record({
        kind: fc.constantFrom('say', 'use'),
        fate: fc.oneof({ weight: 5, arbitrary: fc.constant('taken') }, fc.constantFrom(...fates)),
        writer: fc.constantFrom(0, 1),
      }) as fc.Arbitrary<Report>,
      { minLength: 4, maxLength: 16 },
    ),
    modes: fc.array(fc.record({ mode: fc.constantFrom(...modes), requests: fc.integer({ min: 1, max: 12 }) }), {
      maxLength: 4,
    }),
    deaths: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
  });

const own = (status: number, code: string) => new Response(JSON.stringify({ detail: 'x', code }), { status });
const foreign = (status: number) => new Response('not the service', { status });
const invalid = (...loc: string[]) =>
  new Response(JSON.stringify({ detail: [{ loc, msg: 'x', type: 'x' }] }), { status: 422 });
const unreachable = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });

/** Takes each request once per key, as the service does, and fails as planned. */
function createStandIn(modes: Plan['modes']) {
  const bodies = new Map<string, string>();
  const taken: string[] = [];
  const plan = modes.flatMap(({ mode, requests }) => Array.from({ length: requests }, () => mode));

  function take(key: string, body: string): Response {
    if (body.includes('bad')) return invalid('body');
    if (body.includes('cursed')) return own(500, 'internal_error');
    if (body.includes('declined')) return own(403, 'quota_exceeded');
    if ((bodies.get(key) ?? body) !== body) return invalid('header', 'idempotency-key');
    const { events, content } = JSON.parse(body);
    if (!bodies.has(key)) taken.push(...(events ?? []).map((one: { model: string }) => one.model));
    if (!bodies.has(key) && content) taken.push(content);
    bodies.set(key, body);
    return Response.json(events ? { events } : { session_id: 's' }, { status: 201 });
  }

  async function answer(request: Request): Promise<Response> {
    const [key, body] = [request.headers.get('idempotency-key') ?? '', await request.text()];
    const mode = plan.shift() ?? 'ok';
    if (mode === 'unreachable') throw unreachable();
    if (mode === 'unavailable') return own(503, 'database_unavailable');
    if (mode === 'unauthenticated') return own(401, 'unauthenticated');
    if (mode === 'limited') return own(429, 'too_many_requests');
    if (mode === 'proxy') return foreign(502);
    if (mode === 'broken') return own(500, 'internal_error');
    if (mode === 'forbidden') return own(403, 'role_not_allowed');
    if (mode === 'firewall') return foreign(403);
    if (mode === 'tooLarge' && body.length > 500) return foreign(413);
    const response = take(key, body);
    if (mode === 'lost') throw new TypeError('fetch failed');
    return mode === 'deceiving' ? own(500, 'internal_error') : response;
  }

  return { answer, taken };
}

/** Adds a report, named by its fate and its number. */
function add(lane: Lane, { kind, fate }: Pick<Report, 'kind' | 'fate'>, number: number | string): Promise<void> {
  const name = `${fate}-${number}`;
  if (kind === 'say') return lane.transcript('room', { content: name });
  const event = { session_id: 's', user_id: 'u', provider: 'p', event_type: 'llm_tokens' as const, quantity: '1' };
  return lane.usage({ ...event, model: name });
}

/** Without shrinking: a plan that hangs takes a minute each time, and the test would end before it is named. */
const reporting = { endOnFailure: true };

const log = { warn: () => {}, error: () => {} };
const pauses = { log, pollMs: 1, firstPauseMs: 1, longestPauseMs: 2 };

/** Carries a plan out: the processes that die one after another, then one that lives. */
async function carryOut({ reports, modes, deaths }: Plan, check: (parts: Parts) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-outbox-'));
  const standIn = createStandIn(modes);
  const client = (fetch: (request: Request) => Promise<Response>) =>
    createSwitchboard({ baseUrl: 'http://127.0.0.1:1', fetch });
  const lanesOf = async (life: number) =>
    Promise.all([0, 1].map(async (writer) => (await openOutbox(dir)).lane(`call-${life}-${writer}`)));
  const perLife = perLifeOf({ reports, deaths });
  const addAll = async (life: number) => {
    const [first, second] = await lanesOf(life);
    const mine = reports.slice(life * perLife, (life + 1) * perLife);
    await Promise.all(
      mine.map((one, index) => add((one.writer ? second : first) as Lane, one, life * perLife + index)),
    );
  };
  try {
    const outbox = await openOutbox(dir);
    for (const [life, last] of deaths.entries()) {
      let steps = 0;
      const dying = <Args extends unknown[], R>(act: (...args: Args) => Promise<R>) => {
        return async (...args: Args): Promise<R> => {
          if (++steps > last) throw new Error('dead');
          return act(...args);
        };
      };
      const { put, remove, mark, putAside, moveBeside, flush, ...files } = await openFiles(dir);
      const changes = { put, remove, mark, putAside, moveBeside, flush };
      const mortal = Object.fromEntries(
        Object.entries(changes).map(([name, act]) => [name, dying(act as (...args: unknown[]) => Promise<unknown>)]),
      ) as typeof changes;
      const fetch = dying(async (request: Request) => {
        const response = await standIn.answer(request);
        if (++steps > last) throw new Error('dead');
        return response;
      });
      const delivery = startDelivery({ ...files, ...mortal }, { client: client(fetch), ...pauses });
      await addAll(life);
      await eventually(async () => steps > last || (await outbox.waiting()) === 0 || standIn.taken.length > 0, Boolean);
      await delivery.stop(0);
    }
    await addAll(deaths.length);
    const delivery = outbox.deliver({ client: client(standIn.answer), ...pauses });
    await check({ outbox, taken: standIn.taken }).finally(() => delivery.stop(0));
  } finally {
    await rm(dir, { recursive: true });
  }
}
/** The number of reports that each process adds. */
const perLifeOf = ({ reports, deaths }: Pick<Plan, 'reports' | 'deaths'>) =>
  Math.ceil(reports.length / (deaths.length + 1));
interface Parts {
  outbox: Awaited<ReturnType<typeof openOutbox>>;
  taken: string[];
}

const named = (reports: Report[], isIt: (one: Report) => boolean) =>
  reports.flatMap((one, index) => (isIt(one) ? [`${one.fate}-${index}`] : []));

test('whatever passes, each report is taken once, in order, except those refused for good, which are set aside', async () => {
  const check = (plan: Plan) =>
    carryOut(plan, async ({ outbox, taken }) => {
      await eventually(outbox.waiting, (count) => count === 0);
      const isTaken = ({ fate }: Report) => fate === 'taken';
      assert.deepEqual(taken.toSorted(), named(plan.reports, isTaken).sort());
      // In the order of the process that added them, and of its lane.
      const perLife = perLifeOf(plan);
      const groups = Map.groupBy(plan.reports.entries(), ([index, { kind, writer }]) =>
        [Math.floor(index / perLife), writer, kind].join(),
      );
      for (const group of groups.values()) {
        const mine = group.flatMap(([index, one]) => (isTaken(one) ? [`taken-${index}`] : []));
        assert.deepEqual(
          taken.filter((name) => mine.includes(name)),
          mine,
        );
      }
      const refused = named(plan.reports, ({ fate }) => fate === 'bad').length;
      assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused, uncertain: 0 });
    });
  await fc.assert(fc.asyncProperty(plans(PASSING, ['bad']), check), { numRuns: 40, ...reporting });
});

test('whatever fails, each report is taken once, except those that the service never takes, which are set aside', async () => {
  const check = (plan: Plan) =>
    carryOut(plan, async ({ outbox, taken }) => {
      const count = (...fates: Report['fate'][]) => named(plan.reports, ({ fate }) => fates.includes(fate)).length;
      const refused = count('bad', 'declined');
      let others = 0;
      const cursed = count('cursed');
      /** Waits until only those are left that are never taken; other calls go on meanwhile. */
      const settled = () =>
        eventually(
          async () => {
            const lane = outbox.lane('other');
            for (const kind of ['say', 'use'] as const) await add(lane, { kind, fate: 'taken' }, `other-${others++}`);
            await eventually(
              async () => taken.filter((name) => name.includes('other')).length,
              (sent) => sent === others,
            );
            const counts = await outbox.counts();
            // One may have been blamed for two outages with a good moment in between, until an operator sends it again.
            if (counts.waiting === counts.failing && counts.refused > refused) await outbox.sendRefusedAgain();
            return counts;
          },
          ({ waiting, failing, refused: aside }) => waiting === failing && failing === cursed && aside === refused,
        );
      await settled();
      await outbox.sendRefusedAgain();
      await settled();
      const wanted = named(plan.reports, ({ fate }) => fate === 'taken');
      assert.deepEqual(taken.filter((name) => !name.includes('other')).sort(), wanted.sort());
      assert.deepEqual(new Set(taken).size, taken.length);
      assert.deepEqual(await outbox.counts(), { waiting: cursed, failing: cursed, refused, uncertain: 0 });
    });
  const plan = plans([...PASSING, ...DOUBTFUL], ['bad', 'cursed', 'declined']);
  await fc.assert(fc.asyncProperty(plan, check), { numRuns: 25, ...reporting });
});
