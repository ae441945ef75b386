// The program in docs/evidence.md that verifies evidence, run by the Python of CLIENTS_PYTHON, which needs the package
// `cryptography` (requirements.txt).
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';

const python = process.env.CLIENTS_PYTHON ?? 'python3';
const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/evidence.md'), 'utf8');
const program = /<!-- verifier -->\n```python\n([\s\S]*?)```\n<!-- \/verifier -->/.exec(page)?.[1] ?? '';
const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-evidence-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const write = (name: string, content: string | Buffer) => {
  writeFileSync(path.join(dir, name), content);
  return name;
};

write('verify.py', program);
const run = promisify(execFile);
const verify = (...files: string[]) =>
  run(python, ['verify.py', 'keys.json', ...files], { cwd: dir }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

/** Verifies many documents in one process: the numbers of those that are valid. */
async function validAmong(documents: Buffer[]): Promise<number[]> {
  write('many.json', JSON.stringify(documents.map((document) => document.toString('base64'))));
  const many = `${program.split('\nkeys, chain')[0]}
with open("keys.json", "rb") as file:
    keys = {key["kid"]: key["x"] for key in json.load(file)["keys"]}
for number, text in enumerate(json.load(open("many.json"))):
    try:
        verified(base64.b64decode(text), keys)
        print(number)
    except Exception:
        pass
`;
  const { stdout } = await run(python, ['-c', many], { cwd: dir });
  return stdout.split('\n').filter(Boolean).map(Number);
}

function leaves(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...at, name]));
}

/** Verifies the evidence of a decision, with its inputs as they were, with other ones, and as of earlier releases. */
async function verifyDecision(service: Service, agent_id: string, evidenceAt: (path: string) => Promise<Buffer>) {
  const phone_number = '+15005550123';
  await service.request('POST', '/api/suppressions', { user: USER, body: { entries: [{ phone_number }] } });
  const call = { agent_id, phone_number };
  const { id } = (await service.request('POST', '/api/calls/outbound', { user: USER, body: call })).body.decision;
  const verified = async () =>
    verify('1.json', '2.json', write('3.json', await evidenceAt(`/api/dial-decisions/${id}/evidence`)));
  const { db } = service.database;
  const rows = db.selectFrom('dial_decisions').select('inputs').where('id', '=', id);
  const inputs = JSON.parse((await rows.executeTakeFirstOrThrow()).inputs);
  const change = (other: object) =>
    db
      .updateTable('dial_decisions')
      .set({ inputs: JSON.stringify(other) })
      .where('id', '=', id)
      .execute();
  const valid = await verified();
  await change({ ...inputs, suppressions: [] });
  const other = await verified();
  await change({ ...inputs, format: undefined });
  return { valid, other, before: await verified() };
}

/** Documents that somebody with the key has numbered or linked otherwise contradict the others. */
async function verifyForged(document: string): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keys = write(
    'forged-keys.json',
    JSON.stringify({ keys: [{ kid: 'k', x: publicKey.export({ format: 'jwk' }).x }] }),
  );
  const { signature: _, ...signed } = JSON.parse(document);
  const issue = (name: string, position: number, before: string | null) => {
    const previous = before === null ? null : createHash('sha256').update(before).digest('hex');
    const text = JSON.stringify({ ...signed, key_id: 'k', chain: { position, previous } });
    const issued = `${text.slice(0, -1)},"signature":"${sign(null, Buffer.from(text), privateKey).toString('hex')}"}`;
    write(name, issued);
    return issued;
  };
  const codeOf = (...files: string[]) =>
    run(python, ['verify.py', keys, ...files], { cwd: dir }).then(
      () => 0,
      ({ code }) => code,
    );
  const second = issue('f2.json', 2, issue('f1.json', 1, null));
  issue('f3.json', 3, second);
  issue('other2.json', 2, 'another');
  issue('other3.json', 3, 'another');
  issue('none2.json', 2, null);
  assert.deepEqual([await codeOf('f3.json', 'f1.json', 'f2.json'), await codeOf('f1.json', 'f3.json')], [0, 0]);
  for (const files of [
    ['f1.json', 'other2.json'],
    ['f2.json', 'other2.json'],
    ['f2.json', 'other3.json'],
    ['none2.json'],
  ])
    assert.equal(await codeOf(...files), 1, files.join());
}

test('the program in docs/evidence.md accepts what the service signs, and finds a change of any field and of any byte', async () => {
  const lines = program.trimEnd().split('\n');
  assert.ok(lines.length <= 30 && lines.every(({ length }) => length <= 120), `${lines.length} lines`);
  const service = await startService();
  const evidenceAt = async (path: string) => {
    const response = await fetch(`${service.url}${path}`, { headers: { 'x-user-id': USER } });
    assert.equal(response.status, 200);
    return Buffer.from(await response.arrayBuffer());
  };
  const evidenceOf = (call_id: string) => evidenceAt(`/api/calls/${call_id}/evidence`);
  const compliance = { policy: 'gap', disclosure: { text: 'Das ist eine KI – “ok” €.' } };
  const policy = { min_gap_s: 1, max_abandoned_rate: 0.00000123 };
  await service.request('PUT', '/api/dial-policies/gap', { user: USER, body: policy });
  const agent_id = await createAgent(service, { config: { compliance } });
  const documents: Buffer[] = [];
  for (const number of ['+15005550121', '+15005550122']) {
    const { call_id } = await placeCall(service, number, { agent_id });
    await reaches(service, call_id, 'ANSWERED');
    const disclosure = {
      text: 'Das ist eine KI – “ok” €.\n',
      started_at: '2026-01-15T09:30:02.000Z',
      is_complete: true,
    };
    await service.request('POST', `/api/calls/${call_id}/outcome`, { user: USER, body: { disclosure, hang_up: true } });
    await reaches(service, call_id, 'COMPLETED');
    documents.push(await evidenceOf(call_id));
  }
  const keys = await (await fetch(`${service.url}/.well-known/switchboard-evidence.json`)).text();
  write('keys.json', keys);
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = documents;
  const [one, two] = [write('1.json', first), write('2.json', second)];
  const both = await verify(two, one);
  assert.deepEqual([both.code, both.stdout.match(/is valid/g)?.length], [0, 2], both.stderr);
  const changed = write('changed.json', second.toString().replace('"COMPLETED"', '"NO_ANSWER"'));
  const refused = await verify(one, changed);
  assert.deepEqual([refused.code, refused.stderr.trim()], [1, 'changed.json is NOT valid: it was changed']);
  assert.equal((await verify(one, two, write('copy.json', second))).code, 0, 'the same document twice');
  await verifyForged(second.toString());
  const inLines = await verify(write('both.ndjson', Buffer.from(`${first}\n${second}\n`)));
  assert.deepEqual([inLines.code, inLines.stdout.match(/both\.ndjson is valid/g)?.length], [0, 2], inLines.stderr);
  for (const other of [`${first}\n${readFileSync(path.join(dir, changed))}\n`, `${first}\n\n${second}`, ''])
    assert.equal((await verify(write('other.ndjson', Buffer.from(other)))).code, 1, 'other lines');
  const decided = await verifyDecision(service, agent_id, evidenceAt);
  assert.match(decided.valid.stdout, /3\.json is valid: number 3 of user-1/);
  assert.match(decided.before.stdout, /3\.json is valid/);
  assert.deepEqual(
    [decided.other.code, decided.other.stderr.trim()],
    [1, '3.json is NOT valid: the inputs of a decision do not match their hash'],
  );
  const changes: Buffer[] = [];
  for (let at = 0; at < first.length; at++) {
    const other = Buffer.from(first);
    other[at] = (other[at] ?? 0) ^ 1;
    changes.push(other);
  }
  for (const place of leaves(JSON.parse(first.toString()))) {
    const document = JSON.parse(first.toString());
    const parent = place.slice(0, -1).reduce((inner, name) => inner[name], document);
    parent[place.at(-1) ?? ''] = 'changed';
    changes.push(Buffer.from(JSON.stringify(document)));
  }
  changes.push(Buffer.from(`${first}\n`), Buffer.from(JSON.stringify(JSON.parse(first.toString()), null, 1)));
  assert.ok(changes.length > 1_000, `${changes.length} changes`);
  assert.deepEqual(await validAmong([first, ...changes, second]), [0, changes.length + 1]);
});
