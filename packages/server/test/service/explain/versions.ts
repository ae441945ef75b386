import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { isPlanned } from '../../support/plans.ts';
import { database, rowsRead, sent } from './filled.ts';

test('a page of 20 of 10,000 versions, or releases, reads 21 of them, wherever it is', async () => {
  const service = await startService({ database, env: { LOG_LEVEL: 'silent' } });
  const { id } = await database.db
    .selectFrom('agents')
    .select('id')
    .where('user_id', '=', 'user-3')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  for (const list of ['versions', 'releases']) {
    for (const at of [10_001, 5_000, 500]) {
      const path = `/api/agents/${id}/${list}?limit=20&cursor=${Buffer.from(String(at)).toString('base64url')}`;
      const before = sent.length;
      const { status, body } = await service.request('GET', path);
      assert.deepEqual([status, body.items.length], [200, 20], path);
      const page = sent.slice(before).find((one) => isPlanned(one) && new RegExp(`from "agent_${list}"`).test(one.sql));
      assert.equal(await rowsRead(page ?? assert.fail(path)), 21, path);
    }
  }
  await service.close();
});
