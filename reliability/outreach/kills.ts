// A campaign during which processes are killed, from the upload of its recipients to its end.
import { randomInt } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, send } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { query } from '@switchboard/testkit/postgres.ts';
import { monotonicMs } from './carrier-record.ts';
import { csvParts, type Person, peopleOf, rulesFor } from './people.ts';
import { type Two, USER } from './two-services.ts';

/** Kills while people are called, to one of each upload, preview, start and the like. */
const KILLS_TO_A_CUT = 10;
/** To one person; one that a kill has interrupted is tried again, too. */
export const ATTEMPTS = 3;
const MINUTE_MS = 60_000;
const LONG_MS = 30 * MINUTE_MS;

/** From the answer to `pause` until `resume` is sent, with the rooms of the attempts that were placed before. */
interface Pause {
  fromMs: number;
  toMs: number;
  placed: Set<string>;
}

/** A campaign after its end, and what the run knows of it besides. */
export interface Run {
  id: string;
  people: Person[];
  /** When the hours of those open who may not be called before. */
  opensAtMs: number;
  /** When they were answered who asked not to be called while it ran. */
  objectedAtMs: number;
  pauses: Pause[];
  /** When a process was killed, by the time of day. */
  killedAt: number[];
  /** Calls that were placed during one: none. */
  placedInPauses: number;
  /** Recipients that a preview has decided about. */
  previewed: number;
  seconds: number;
}

interface Stage {
  two: Two;
  database: string;
  id: string;
  people: Person[];
  run: Run;
  /** Uploads, previews and the like that are each cut off by a kill, before one is let through. */
  cuts: number;
}

/** Makes the campaign, and takes it to its end under at least so many kills while it runs. */
export async function runUnderKills(
  two: Two,
  database: string,
  { count, kills, receiver }: { count: number; kills: number; receiver: string },
): Promise<Run> {
  const people = peopleOf(count);
  const opensAt = Math.ceil((Date.now() + MINUTE_MS / 4) / MINUTE_MS) * MINUTE_MS;
  const id = await prepare(two, new Date(opensAt), { receiver, max_concurrent: Math.max(20, count / 100) });
  const ahead = opensAt - Date.now() + monotonicMs();
  const none = { objectedAtMs: Number.NaN, pauses: [], placedInPauses: 0, previewed: 0, seconds: 0 };
  const cuts = Math.max(1, Math.round(kills / KILLS_TO_A_CUT));
  const stage: Stage = {
    two,
    database,
    id,
    people,
    run: { id, people, opensAtMs: ahead, killedAt: two.killedAt, ...none },
    cuts,
  };
  await fill(stage);
  await preview(stage);
  await cutOff(stage, 'opt-outs', { method: 'POST', path: '/api/suppressions', body: entriesOf(people, 'suppressed') });
  const begun = performance.now();
  await cutOff(stage, 'start', { method: 'POST', path: `/api/campaigns/${id}/start` }, cuts);
  await dial(stage, kills);
  await complete(stage);
  stage.run.seconds = (performance.now() - begun) / 1000;
  return stage.run;
}

const entriesOf = (people: Person[], group: Person['group']) => ({
  entries: people.filter((one) => one.group === group).map(({ phone_number }) => ({ phone_number })),
});

async function prepare(
  two: Two,
  opensAt: Date,
  { receiver, max_concurrent }: { receiver: string; max_concurrent: number },
) {
  const { id: agent_id } = await two.ok('POST', '/api/agents/', { name: 'Front desk', user_id: USER });
  await two.ok('PUT', '/api/dial-policies/hours', rulesFor(opensAt));
  const events = ['campaign.completed', 'recipient.finished'];
  await two.ok('POST', '/api/webhook-endpoints', { url: receiver, events });
  const pacing = { max_concurrent: Math.round(max_concurrent), per_minute: 60_000, reserve_for_others: 0 };
  const retries = { attempts: ATTEMPTS, delays_s: [1], spread: 0.5 };
  const made = { name: 'Renewals', agent_id, policy: 'hours', purpose: 'service', pacing, retries };
  return (await two.ok('POST', '/api/campaigns', made)).id as string;
}

/** Sends a request of which the process that gets it is killed, and at last lets the same request through. */
async function cutOff(
  { two }: Stage,
  phase: string,
  wanted: { method: string; path: string; body?: unknown },
  times = 1,
): Promise<Json> {
  for (let time = 0; time < times; time++) {
    const index = randomInt(2);
    const cut = send(two.urlOf(index), { user: USER, ...wanted });
    await sleep(randomInt(40));
    await two.kill(phase, index);
    await cut;
  }
  return two.ok(wanted.method, wanted.path, wanted.body);
}

/** Uploads the file: broken off by kills, and then sent again. */
async function fill({ two, id, people, cuts }: Stage): Promise<void> {
  for (let round = 0; round <= cuts; ) {
    const index = randomInt(2);
    const parts = [...csvParts(people, 250)];
    const upTo = round < cuts ? randomInt(parts.length) : null;
    const answer = await upload(`${two.urlOf(index)}/api/campaigns/${id}/recipients`, parts, async (part) => {
      if (part === upTo) await two.kill('import', index);
    });
    if (upTo === null && answer && answer.added + answer.known === people.length) return;
    if (upTo === null) throw new Error(`the upload was answered ${JSON.stringify(answer)}`);
    round++;
  }
}

/** Returns the answer, or null if the connection broke. */
async function upload(url: string, parts: string[], before: (part: number) => Promise<void>): Promise<Json | null> {
  const { promise: answered, resolve } = Promise.withResolvers<Json | null>();
  const headers = { 'content-type': 'text/csv', 'x-user-id': USER };
  const sending = request(url, { method: 'POST', headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (some: string) => {
      text += some;
    });
    response.on('end', () => resolve(JSON.parse(text)));
    response.on('error', () => resolve(null));
  });
  sending.on('error', () => resolve(null));
  for (const [index, part] of parts.entries()) {
    sending.write(part);
    await sleep(randomInt(10));
    await before(index);
  }
  sending.end();
  return answered;
}

async function preview(stage: Stage): Promise<void> {
  const { id, people, run, cuts } = stage;
  const path = `/api/campaigns/${id}/preview`;
  const found = await cutOff(stage, 'preview', { method: 'POST', path }, cuts);
  if (found.waiting !== people.length) throw new Error(`a preview of ${found.waiting}`);
  run.previewed = found.decided;
}

/** Kills, pauses and opt-outs, until only those are left whose hours do not come: evenly over the people. */
async function dial(stage: Stage, kills: number): Promise<void> {
  const { two, id, people, run } = stage;
  const closed = people.filter(({ group }) => group === 'closed').length;
  const deadline = performance.now() + LONG_MS;
  for (let killed = 0; performance.now() < deadline; ) {
    const { recipients } = await two.ok('GET', `/api/campaigns/${id}`);
    const open = recipients.waiting + recipients.dialling + recipients.connected + recipients.deferred;
    if (open <= closed && recipients.deferred === open) return;
    if (Number.isNaN(run.objectedAtMs) && recipients.reached > people.length / 10) await object(stage);
    const done = (people.length - open) / (people.length - closed);
    if (killed >= kills || done < killed / kills) {
      await sleep(200);
      continue;
    }
    if (killed % 4 === 2) await pause(stage);
    await sleep(randomInt(1_000));
    await two.kill((await isRetrying(stage)) ? 'retries' : 'dispatch and ringing');
    killed++;
  }
  throw new Error('the campaign does not come to its end');
}

/** Whether everybody who may be called now has been called once. */
async function isRetrying({ database, id }: Stage): Promise<boolean> {
  const waiting = `select from campaign_recipients where campaign_id = '${id}' and state = 'waiting' and attempts = 0`;
  return (await query(database, `${waiting} limit 1`)).length === 0;
}

async function object(stage: Stage): Promise<void> {
  const body = entriesOf(stage.people, 'objecting');
  await cutOff(stage, 'opt-outs', { method: 'POST', path: '/api/suppressions', body });
  stage.run.objectedAtMs = monotonicMs();
}

/** A pause during which a process is killed. */
async function pause(stage: Stage): Promise<void> {
  const { id, database, run } = stage;
  const placed = () =>
    query<{ room_name: string }>(
      database,
      `select room_name from campaign_attempts join sessions on sessions.id = call_id where campaign_id = '${id}'`,
    );
  const state = await cutOff(stage, 'pause', { method: 'POST', path: `/api/campaigns/${id}/pause` });
  if (state.state !== 'paused') throw new Error(`a pause was answered ${JSON.stringify(state)}`);
  const fromMs = monotonicMs();
  const before = await placed();
  await sleep(randomInt(1_500));
  run.placedInPauses += (await placed()).length - before.length;
  run.pauses.push({ fromMs, toMs: monotonicMs(), placed: new Set(before.map(({ room_name }) => room_name)) });
  await cutOff(stage, 'resume', { method: 'POST', path: `/api/campaigns/${id}/resume` });
}

/**
 * Lets it expire, so that those end whose hours do not come. Both processes are killed about then, and again as soon as
 * they are back: one that is left would complete it at once.
 */
async function complete({ two, id, database, cuts }: Stage): Promise<void> {
  await two.ok('POST', `/api/campaigns/${id}/pause`);
  const [row] = await query<{ at: Date }>(database, "select now() + interval '2 s' as at");
  await two.ok('PATCH', `/api/campaigns/${id}`, { expires_at: row?.at.toISOString() });
  await two.ok('POST', `/api/campaigns/${id}/resume`);
  await sleep(randomInt(2_500));
  for (let killed = 0; killed < cuts; killed += 2) {
    await Promise.all([0, 1].map((index) => two.kill('completion', index)));
    await sleep(randomInt(500));
  }
  await eventually(
    () => two.ok('GET', `/api/campaigns/${id}`),
    ({ state }) => state === 'completed',
    2 * MINUTE_MS,
  );
}
