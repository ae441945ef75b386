import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { createAudit } from '../../src/access/audit/audit.ts';
import { type Counted, createTally } from '../../src/access/audit/tally.ts';
import { systemClock } from '../../src/lib/clock.ts';

const EVENT = {
  actor: 'token',
  actor_user_id: null,
  user_id: 'eve',
  ip: null,
  action: 'key.revoked',
  target: 'x',
  outcome: 'refused',
  detail: null,
} as const;

test('whoever has everything written waits for what is being written', async () => {
  const writing: PromiseWithResolvers<void>[] = [];
  const written: Counted[] = [];
  const { count, flush } = createTally({
    clock: systemClock,
    maxGroups: 10,
    write: async (events) => {
      const one = Promise.withResolvers<void>();
      writing.push(one);
      await one.promise;
      written.push(...events);
    },
  });
  count('one', EVENT);
  const rounds = [flush(), flush(true)];
  let isOver = false;
  const all = rounds[1]?.then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  assert.deepEqual([writing.length, isOver], [1, false]);
  writing[0]?.reject(new Error('away'));
  await assert.rejects(rounds[0] ?? assert.fail(), /away/);
  await new Promise(setImmediate);
  writing[1]?.resolve();
  await all;
  assert.deepEqual(
    written.map(({ count }) => count),
    [1],
  );
});

test('an erasure that is in vain leaves what was counted of its user', async () => {
  const { db } = await openTestDatabase();
  const audit = createAudit({ db, clock: systemClock });
  audit.refused(EVENT, '');
  const erase = db.transaction().execute(async (trx) => {
    await audit.pseudonymize(trx, 'eve', 'erased-eve');
    throw new Error('in vain');
  });
  await assert.rejects(erase, /in vain/);
  await audit.flush();
  const written = await db.selectFrom('audit_log').select('user_id').execute();
  assert.deepEqual(written, [{ user_id: 'eve' }]);
});
