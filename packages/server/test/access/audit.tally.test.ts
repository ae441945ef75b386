import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { createAudit } from '../../src/access/audit/audit.ts';
import { countUnsealed } from '../../src/access/audit/store.ts';
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

test('more kinds than one statement can write are all written, once', async () => {
  const { db } = await openTestDatabase();
  const audit = createAudit({ db, clock: systemClock });
  const targets = Array.from({ length: 5000 }, (_, index) => `call/${index}`);
  for (const target of [...targets, ...targets]) audit.hasRead({ ...EVENT, action: 'transcripts.read', target });
  await audit.flush();
  await audit.flush();
  const written = await db.selectFrom('audit_log').select(['target', 'count']).orderBy('id').execute();
  assert.deepEqual(
    written,
    targets.map((target) => ({ target, count: 2 })),
  );
});

test('after a failure only what was not written is written again, without those who were erased meanwhile', async () => {
  const kinds = 1200;
  const written: Counted[] = [];
  let batches = 0;
  const { count, flush, forget } = createTally({
    clock: systemClock,
    maxGroups: kinds,
    write: async (events) => {
      batches++;
      if (batches === 1) {
        forget('user-600');
        count('user-3', { ...EVENT, user_id: 'user-3' });
      }
      if (batches === 3) throw new Error('away');
      written.push(...events);
    },
  });
  for (let index = 0; index < kinds; index++) count(`user-${index}`, { ...EVENT, user_id: `user-${index}` });
  await assert.rejects(flush(), /away/);
  await flush(true);
  const counts = Map.groupBy(written, ({ user_id }) => user_id);
  assert.deepEqual([counts.size, counts.has('user-600')], [kinds - 1, false]);
  const repeated = [...counts].filter(([, { length }]) => length > 1).map(([user_id]) => user_id);
  assert.deepEqual(repeated, ['user-3'], 'it was counted again while it was written');
});

test('entries are sealed although what was counted cannot be written', async () => {
  const { db } = await openTestDatabase();
  const audit = createAudit({ db, clock: systemClock });
  await audit.record(db, EVENT, 'key.revoked', 'api_key/1');
  audit.refused({ ...EVENT, target: 'no text of the database has this: \0' }, '');
  await assert.rejects(audit.round(), /invalid byte sequence/);
  assert.equal(await countUnsealed(db), 0);
});
