// Secrets that callers say, in the forms and languages of docs/privacy.md, through the real paths of a worker and the
// service: none of their bytes are in the spool, a log, the database's files, a backup, the store, or what was sent.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { copyTemplate } from '@switchboard/testkit/template.ts';
import { SECRETS } from '../../../redaction/test/secrets.ts';
import { openDatabase } from '../../src/db/open.ts';
import { bytesIn, createSearch } from '../support/bytes.ts';
import { assertKept, byOurWorker, PLANTED, plant, SEARCHED } from '../support/planted.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-planted-'));
after(() => rm(dir, { recursive: true, force: true }));

test('what is searched are twelve forms and more in four languages, and found in any form', () => {
  assert.ok(new Set(SECRETS.map(({ form }) => form)).size >= 12 && SEARCHED.size > 150, `${SEARCHED.size}`);
  // Groups of four digits are too short: `shown` compares their lines.
  for (const [index, { secrets }] of PLANTED.entries())
    if (!SECRETS[index]?.form.includes('turns'))
      assert.ok(
        secrets.every((secret) => [...SEARCHED].some((text) => text.includes(secret))),
        secrets.join(),
      );
  const secret = 'carte “4000 0566”, é';
  const search = createSearch([secret]);
  const forms: (Buffer | string)[] = [
    JSON.stringify({ secret }),
    encodeURIComponent(secret),
    new URLSearchParams({ secret }).toString(),
    ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${secret} after`).toString('base64')),
    ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${secret} after`).toString('base64url')),
    Buffer.from(secret, 'utf16le'),
    Buffer.from(secret, 'utf16le').swap16(),
    Buffer.from(secret).toString('hex'),
    `{"secret":"carte \\u201c4000 0566\\u201d, \\u00e9"}`,
  ];
  for (const form of forms)
    assert.equal(search(typeof form === 'string' ? Buffer.from(`#${form}`) : form).length, 1, `${form}`);
  assert.deepEqual(search(Buffer.from('carte “4000 0567”, é')), []);
});

test('secrets are in no file of the embedded database, and in no copy of it', async () => {
  const [data, backup] = [path.join(dir, 'data'), path.join(dir, 'backup')];
  await copyTemplate(data);
  const database = await openDatabase({ dir: data, poolMax: 10, onIdleError: () => {} });
  await plant(dir, database, byOurWorker).finally(() => database.close());
  assertKept('the embedded database', (await bytesIn(data)).values());
  await cp(data, backup, { recursive: true });
  assertKept('its backup', (await bytesIn(backup)).values());
});
