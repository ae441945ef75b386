import assert from 'node:assert/strict';
import path from 'node:path';
import { placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { listen } from '@switchboard/testkit/event-stream.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Receiver, startReceiver } from '@switchboard/testkit/receiver.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { watchRooms } from '@switchboard/testkit/worker-jobs.ts';
import { redactMarked } from '../../../redaction/test/planted.ts';
import { type Language, SECRETS } from '../../../redaction/test/secrets.ts';
import type { Database } from '../../src/db/database.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';
import { AT_ONCE, analysing, saveExtractor } from './analyses.ts';
import { bytesIn, createSearch } from './bytes.ts';
import { transcriptOf } from './chats.ts';
import { deliver, reportAsWorker } from './worker-reports.ts';

const LANGUAGES: Language[] = ['en', 'es', 'de', 'fr'];
/** Said in every call, and no secret: wherever it is not found, a search for secrets proves nothing. */
const MARKER = 'zebulon was here';
const SHORTEST = 8;
const TOOLS = { call_back: {} };
const REDACT = ['card', 'iban', 'ssn', 'email', 'phone'];

/** Each list of lines with secrets: what is said, and what may be kept of it. */
export const PLANTED = SECRETS.map(({ language, lines }) => {
  const redacted = redactMarked(lines, language);
  const speakers = [lines].flat().map((line) => (line.startsWith('A: ') ? 'AGENT' : 'USER'));
  const said = redacted.map((line, index): [string, string] => [speakers[index] ?? '', line.said]);
  const secrets = redacted.flatMap((line) => line.secrets.map(({ secret }) => secret));
  const kept = redacted.map((line, index): string[] => [speakers[index] ?? '', line.expected]);
  return { language, said, secrets, kept: [...kept, ['AGENT', MARKER]] };
});

/** Shorter ones may be in a file by chance, and PostgreSQL itself has these digits. */
const isSearchable = (text: string) => text.length >= SHORTEST && text !== '123456789';

/** Lines, secrets, halves of them, and their digits alone, apart from what is kept. */
export const SEARCHED = (() => {
  const kept = PLANTED.flatMap((one) => one.kept.map(([, text]) => text)).join('\n');
  const halves = (text: string) => {
    const middle = Math.ceil(text.length / 2);
    return [text, text.slice(0, middle).trim(), text.slice(middle).trim()];
  };
  const texts = PLANTED.flatMap(({ said, secrets }) => [
    ...said.map(([, text]) => text),
    ...secrets.flatMap((secret) => [...halves(secret), ...halves(secret.replaceAll(/[^\d]/g, ''))]),
  ]);
  return new Set(texts.filter((text) => isSearchable(text) && !kept.includes(text)));
})();
const find = createSearch([...SEARCHED, MARKER]);

/** Fails if a secret is in these bytes, or if what is no secret is not there either. */
export function assertKept(place: string, bytes: Iterable<Buffer>, isMarked = true): void {
  const found = [...bytes].flatMap(find);
  const secrets = found.filter(({ text }) => text !== MARKER).map(({ text, form }) => `${text}, ${form}`);
  assert.deepEqual(secrets, [], place);
  if (isMarked) assert.ok(found.length > 0, `${place} has nothing of the calls`);
}

/** Calls of each list of lines; those of one language have one agent. */
async function begin(service: Service, callback_url: string) {
  const rooms = watchRooms(service.media);
  await saveExtractor(service, 'visit');
  const agents = new Map<Language, string>();
  for (const language of LANGUAGES)
    agents.set(language, await analysing(service, ['visit'], { language, privacy: { redact: REDACT }, tools: TOOLS }));
  const calls = [];
  for (const planted of PLANTED) {
    const agent_id = agents.get(planted.language) ?? assert.fail();
    const { call_id, room_name } = await placeCall(service, '+15005550100', { agent_id, callback_url });
    const metadata = rooms.get(room_name)?.agent_metadata ?? assert.fail('no job');
    calls.push({ ...planted, call_id, room_name, metadata });
  }
  for (const { call_id } of calls) await reaches(service, call_id, 'ANSWERED');
  return calls;
}

type Call = Awaited<ReturnType<typeof begin>>[number];

/** Lines of a call, and a tool whose arguments and result have the secrets, too. */
const toldOf = ({ metadata, said }: Call) => ({
  metadata,
  lines: [...said, ['AGENT', MARKER] as [string, string]],
  tools: said.length === 1 ? [{ note: said[0]?.[1], deep: [{ marker: MARKER }] }] : [],
});

type Report = (service: Service, calls: Call[], spoolDir: string) => Promise<void>;

/** Has our worker report calls: a process for each language. Checks its logs and its spool on the way. */
export const byOurWorker: Report = async (service, calls, spoolDir) => {
  for (const language of LANGUAGES) {
    const its = calls.filter((one) => one.language === language).map(toldOf);
    const log = await reportAsWorker({ spoolDir, logLevel: 'trace', calls: its });
    assertKept(`the log of a worker, ${language}`, [Buffer.from(log)]);
  }
  assertKept('the spool', (await bytesIn(spoolDir)).values());
  const logged = await deliver(service, spoolDir);
  assertKept('the log of the delivery', [Buffer.from(logged)], false);
  assertKept('the spool afterwards', (await bytesIn(spoolDir)).values(), false);
  assert.deepEqual(await missed(service), [], 'our worker leaves nothing to the service');
};

/** Reports calls as a worker does that redacts nothing. */
export const byAnotherWorker: Report = async (service, calls) => {
  for (const call of calls) {
    const { lines, tools } = toldOf(call);
    for (const [speaker, content] of lines) {
      const body = { speaker, content };
      const said = await service.request('POST', `/api/sessions/by-room/${call.room_name}/transcripts`, { body });
      assert.equal(said.status, 201);
    }
    const called_at = new Date().toISOString();
    const made = { name: 'note', called_at, is_error: false };
    const tool_calls = tools.map((one) => ({ ...made, call_id: 'a', arguments: one, result: JSON.stringify(one) }));
    if (tools.length === 0) continue;
    const told = await service.request('POST', `/api/sessions/${call.call_id}/turns`, { body: { tool_calls } });
    assert.equal(told.status, 201, JSON.stringify(told.body));
    const date_time = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T12:00`;
    const body = { date_time, time_zone: 'America/New_York', note: `${tools[0]?.note} ${MARKER}` };
    const proposed = await service.request('POST', `/api/sessions/${call.call_id}/call-backs/propose`, { body });
    assert.equal(proposed.status, 200, JSON.stringify(proposed.body));
  }
  assert.equal((await missed(service)).length, REDACT.length);
};

/** The kinds of secrets that a worker has left to the service. */
async function missed({ url }: Service): Promise<string[]> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return metrics.split('\n').filter((line) => line.startsWith('redaction_missed_total{'));
}

/** Ends the calls, and waits until each is analysed, reported and in the search index. */
async function end(service: Service, calls: Call[], receiver: Receiver, clock: ReturnType<typeof createTestClock>) {
  for (const { call_id } of calls) await service.request('POST', `/api/calls/${call_id}/end`);
  const { db } = service.database;
  await eventually(
    async () => {
      clock.advance(61_000);
      await service.app.reconcile();
      const types = receiver.received.map(({ body }) => JSON.parse(body).type);
      const indexed = await db.selectFrom('call_words').select('session_id').execute();
      const count = (type: string) => types.filter((one) => one === type).length;
      return [count('call.report'), count('call.analyzed'), new Set(indexed.map((one) => one.session_id)).size];
    },
    (counts) => counts.every((count) => count >= calls.length),
    300_000,
  );
}

/** Everything that the service shows of these calls. */
async function shown(service: Service, calls: Call[]): Promise<string> {
  const texts: unknown[] = [];
  for (const { call_id, kept } of calls) {
    assert.deepEqual(await transcriptOf(service, call_id), kept);
    const stream = await listen(`${service.url}/api/calls/${call_id}/events`);
    await stream.ended;
    texts.push(stream.events, (await service.request('GET', `/api/calls/${call_id}`)).body);
    texts.push((await service.request('GET', `/api/calls/${call_id}/analyses`)).body);
  }
  return JSON.stringify(texts);
}

/** Records a call, so that the store is not empty. */
async function record(service: Service, { call_id }: Call): Promise<void> {
  const of = recorder(service, call_id);
  await of.report('recording');
  assert.equal((await of.add(segment(0))).status, 201);
}

/** Plants the secrets in a service on this database, and checks every place but the database itself. */
export async function plant(dir: string, database: Database, report: Report): Promise<void> {
  const clock = createTestClock();
  const [store, spoolDir] = [path.join(dir, 'store'), path.join(dir, 'spool')];
  const receiver = await startReceiver();
  const env = { ...AT_ONCE, CALLS_CONCURRENT: '1000', CALLS_PER_DAY: '10000' };
  const service = await startService({ database, clock, env, storage: createFolderStorage(store) });
  const calls = await begin(service, receiver.url);
  await record(service, calls[0] ?? assert.fail());
  await report(service, calls, spoolDir);
  await end(service, calls, receiver, clock);
  assertKept('what the service shows', [Buffer.from(await shown(service, calls))]);
  assertKept(
    'callbacks',
    receiver.received.map(({ body }) => Buffer.from(body)),
  );
  const find = (q: string) => service.request('GET', `/api/calls?q=${encodeURIComponent(q)}`, { user: USER });
  assert.ok((await find('zebulon')).body.items.length > 0);
  assert.deepEqual((await find('378282246310005')).body.items, []);
  assertKept('the store', (await bytesIn(store)).values(), false);
  await service.close();
  assertKept('the log of the service', [Buffer.from(service.logged().join('\n'))], false);
  assert.ok(service.logged().some((line) => line.includes('/api/sessions/by-room/:room_name/transcripts')));
}
