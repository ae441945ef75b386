// Evidence that is verified by the command and by a program in Python, offline.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { EvidenceError, verifyEvidence } from '@switchboard/client/evidence';
import { NODE } from '@switchboard/testkit/program.ts';
import { SECRETS_KEY, startEvidence } from '../support/evidence.ts';

const run = promisify(execFile);
const COMMAND = path.resolve(import.meta.dirname, '../../../client/src/command.ts');
const { ask, evidenceOf, publicKeys, eventfulCall, keysWith } = await startEvidence();
const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-evidence-'));
after(() => rm(dir, { recursive: true, force: true }));

test('each document names the hash of the one before it, and what changes makes another one', async () => {
  const user = 'chained';
  const [one, two] = [await eventfulCall(user), await eventfulCall(user)];
  const texts = [(await evidenceOf(one.call_id, user)).text, (await evidenceOf(two.call_id, user)).text];
  const { items } = (await ask('GET', '/api/consents', undefined, user)).body;
  const consent = items.find(({ phone_number }: { phone_number: string }) => phone_number === one.phone_number);
  assert.equal((await ask('POST', `/api/consents/${consent.id}/revoke`, undefined, user)).status, 200);
  const again = (await evidenceOf(one.call_id, user)).text;
  const positions = [...texts, again].map((text) => JSON.parse(text).chain.position);
  assert.deepEqual(positions, [1, 2, 3]);
  assert.ok(JSON.parse(again).consents[0].revoked_at);
  const at = async (name: string, text: string) => {
    await writeFile(path.join(dir, name), text);
    return path.join(dir, name);
  };
  const keys = await at('keys.json', JSON.stringify(await publicKeys()));
  const files = [
    await at('1.json', texts[0] ?? ''),
    await at('2.json', texts[1] ?? ''),
    await at('3.json', again),
  ] as const;
  const [file = '', ...options] = NODE;
  const command = (...args: string[]) =>
    run(file, [...options, COMMAND, 'verify', '--keys', keys, ...args]).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  const all = await command(...files);
  assert.deepEqual([all.code, all.stderr, all.stdout.match(/: valid\./g)?.length], [0, '', 3]);
  const some = await command(files[2], files[0]);
  assert.deepEqual([some.code, some.stdout.match(/Documents between them that are not here: 1\./)?.length], [0, 1]);
  const changed = await at('changed.json', (await readFile(files[1], 'utf8')).replace('"COMPLETED"', '"NO_ANSWER"'));
  const refused = await command(files[0], changed);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /changed\.json: NOT valid: it was changed, or was not signed with this key\.\n/);
  // Somebody with the key, who leaves one out and numbers the rest anew.
  const { issue } = await forger();
  const forged = await at('forged.json', issue(JSON.parse(again), { position: 2, previous: 'f'.repeat(64) }));
  const contradicted = await command(files[0], files[1], forged);
  assert.equal(contradicted.code, 1);
  assert.match(contradicted.stderr, /different documents with the same number/);
  const unlinked = await command(files[0], forged);
  assert.match(unlinked.stderr, /forged\.json does not follow .*1\.json: it names another document/);
  const wrong = await command();
  assert.match(wrong.stderr, /verify needs the files to verify\./);
});

/** Signs anything with the key of the service. */
async function forger() {
  const keys = keysWith(SECRETS_KEY);
  const signer = await keys.signer();
  return {
    issue: ({ signature: _, ...evidence }: { signature: string }, chain: object) => {
      const text = JSON.stringify({ ...evidence, chain });
      return `${text.slice(0, -1)},"signature":"${signer.sign(text)}"}`;
    },
  };
}

/** Each value of a JSON document, by its path. */
function leaves(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...at, name]));
}

test('a change of any field, and of any byte, is found', async () => {
  const { call_id } = await eventfulCall();
  const { text } = await evidenceOf(call_id);
  const keys = await publicKeys();
  const places = leaves(JSON.parse(text));
  assert.ok(places.length > 60, `${places.length} fields`);
  for (const place of places) {
    for (const other of ['changed', null]) {
      const document = JSON.parse(text);
      const parent = place.slice(0, -1).reduce((inner, name) => inner[name], document);
      const name = place.at(-1) ?? '';
      if (parent[name] === other) continue;
      parent[name] = other;
      assert.throws(
        () => verifyEvidence(JSON.stringify(document), keys),
        EvidenceError,
        `${place.join('.')}: ${other}`,
      );
      delete parent[name];
      assert.throws(() => verifyEvidence(JSON.stringify(document), keys), EvidenceError, place.join('.'));
    }
  }
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) {
    for (const bit of [1, 32]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ bit;
      assert.throws(() => verifyEvidence(changed, keys), EvidenceError, `byte ${at}`);
    }
  }
  for (const other of [
    `${text}\n`,
    ` ${text}`,
    JSON.stringify(JSON.parse(text), null, 2),
    text.slice(1),
    '',
    '{}',
    'null',
  ])
    assert.throws(() => verifyEvidence(other, keys), EvidenceError);
  assert.throws(() => verifyEvidence(text, { keys: [] }), /is not among the public keys/);
});
