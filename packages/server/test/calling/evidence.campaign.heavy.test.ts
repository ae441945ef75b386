// The command that adds the evidence of a campaign to a file, and those that read it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { reaches, USER } from '@switchboard/testkit/calls.ts';
import { COMPILE_CACHE, NODE } from '@switchboard/testkit/program.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';

const SWITCHBOARD = path.resolve(import.meta.dirname, '../../../client/src/command.ts');
const DECIDE_AGAIN = path.resolve(import.meta.dirname, '../../scripts/decide-again.ts');
const [TALKING, FRENCH] = ['+15005550199', '+33612345678'];
const person = (n: number) => `+1500555${String(1000 + n)}`;
/** More than a page of recipients, and of decisions. */
const SUPPRESSED = Array.from({ length: 101 }, (_, n) => person(100 + n));

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-evidence-of-'));
after(() => rm(dir, { recursive: true, force: true }));
const file = path.join(dir, 'evidence.ndjson');
const { media } = countingMedia(TALKING);
const service = await startService({ env: LIMITS, media });
const { agent_id, ok, send, create, add, act, recipients, becomes } = await outreach(service);

async function run(script: string, ...args: string[]) {
  const [node = '', ...options] = NODE;
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE, SWITCHBOARD_URL: service.url, SWITCHBOARD_USER: USER };
  return promisify(execFile)(node, [...options, script, ...args], { env, cwd: dir }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}
const collect = (campaign: string, into = file) => run(SWITCHBOARD, 'evidence', into, '--campaign', campaign);
const verify = () => run(SWITCHBOARD, 'verify', '--keys', 'keys.json', 'evidence.ndjson');
const linesOf = async () => (await readFile(file, 'utf8')).split('\n').slice(0, -1);

await ok('PUT', '/api/dial-policies/consents', {
  is_default: true,
  requires_consent: [{ country: 'FR', purpose: 'marketing' }],
});
await ok('POST', '/api/suppressions', { entries: SUPPRESSED.map((phone_number) => ({ phone_number })) });
// A call and a refusal that are of no campaign.
await ok('POST', '/api/calls/outbound', { agent_id, phone_number: person(1) });
assert.equal((await send('POST', '/api/calls/outbound', { agent_id, phone_number: SUPPRESSED[0] })).status, 409);
const id = await create();
const people = [person(2), person(3), TALKING, FRENCH, ...SUPPRESSED];
await add(
  id,
  people.map((phone_number) => ({ phone_number })),
);
await act(id, 'start');
await becomes(
  id,
  ({ recipients: { waiting, dialling, connected, reached } }) =>
    waiting === 0 && dialling === 0 && connected === 1 && reached === 2,
);
const open = (await ok('GET', `/api/campaigns/${id}/recipients?state=connected`)).items[0].attempts[0].call_id;
await writeFile(path.join(dir, 'keys.json'), JSON.stringify(await ok('GET', '/.well-known/switchboard-evidence.json')));

test('the evidence of a campaign is added to a file: of its calls, and of those who were not called', async () => {
  const first = await collect(id);
  assert.equal(first.code, 1);
  assert.match(first.stderr, /^Calls that have not ended: 1\. Run the same command again when they have\.\n$/);
  assert.match(first.stdout, /evidence\.ndjson: documents added: 104; already there: 0\./);
  const before = await linesOf();
  assert.equal(before.length, 104);
  // As if the command had been killed while it wrote.
  await writeFile(file, `${before.slice(0, -1).join('\n')}\n${before.at(-1)?.slice(0, 50)}`);
  await ok('POST', `/api/calls/${open}/end`);
  await reaches(service, open, 'COMPLETED');
  const second = await collect(id);
  assert.deepEqual([second.code, second.stderr], [0, '']);
  assert.match(second.stdout, /documents added: 2; already there: 103\./);
  const documents = await linesOf();
  assert.deepEqual(documents.slice(0, 103), before.slice(0, 103));
  assert.ok(documents.includes(before.at(-1) ?? ''), 'the same bytes as before');
  const about = documents
    .map((line) => JSON.parse(line))
    .map(({ call, decision }) => call?.to_number ?? decision.phone_number);
  assert.deepEqual(about.sort(), people.sort());
  assert.match((await collect(id)).stdout, /documents added: 0; already there: 105\./);
  // One that was downloaded by itself has no newline.
  await writeFile(file, documents[0] ?? assert.fail());
  assert.match((await collect(id)).stdout, /documents added: 104; already there: 1\./);
  assert.equal((await linesOf())[0], documents[0]);
});

test('its lines are verified, and decided again', async () => {
  const valid = await verify();
  assert.deepEqual([valid.code, valid.stderr, valid.stdout.match(/: valid\./g)?.length], [0, '', 105]);
  const decided = await run(DECIDE_AGAIN, file);
  assert.deepEqual([decided.code, decided.stderr, decided.stdout.match(/ agrees: /g)?.length], [0, '', 105]);
  const lines = await linesOf();
  const changed = [...lines];
  changed[6] = changed[6]?.replace('"deny"', '"allow"') ?? '';
  const cases: [string[], number, RegExp][] = [
    [lines.toSpliced(5, 1), 0, /Documents between them that are not here: 1\./],
    [changed, 1, /evidence\.ndjson:7: NOT valid: it was changed/],
    [[lines[0] ?? '', `${lines[1]} `], 1, /evidence\.ndjson:2: NOT valid/],
    [[], 1, /evidence\.ndjson: it has no documents\./],
  ];
  for (const [others, code, said] of cases) {
    await writeFile(file, others.map((line) => `${line}\n`).join(''));
    const { stdout, stderr, ...other } = await verify();
    assert.equal(other.code, code);
    assert.match(stdout + stderr, said);
  }
  assert.equal((await run(DECIDE_AGAIN, file)).code, 2, 'no documents agree with nothing');
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
});

test('what is not there is said, and a file that is something else is left as it is', async () => {
  const [{ attempts }] = await recipients(id);
  const { db } = service.database;
  await db.updateTable('sessions').set({ erased_at: new Date() }).where('id', '=', attempts[0].call_id).execute();
  const other = path.join(dir, 'other.ndjson');
  const erased = await collect(id, other);
  assert.deepEqual(
    [erased.code, erased.stderr],
    [1, 'Calls and decisions that were erased, or are not kept any more: 1.\n'],
  );
  assert.match(erased.stdout, /documents added: 104; already there: 0/);
  const unknown = await collect(agent_id);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /not_found|not found/i);
  for (const text of ['notes\nmore', 'notes', '{}']) {
    await writeFile(file, text);
    const refused = await collect(id);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /has a line that is no evidence: it is left as it is/);
    assert.equal(await readFile(file, 'utf8'), text);
  }
  assert.equal((await collect(id, path.join(dir, 'evidence.json'))).code, 2, 'one document a line needs the name');
});
