import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSessions } from '../../src/conversations/sessions/sessions.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

test('a call that is hung up while the database is slow lasts until that is recorded: its phone talks on', async () => {
  const clock = createTestClock();
  const service = await startService({ clock, media: createSandboxMedia({ clock, ringMs: 1 }) });
  const { call_id } = await answeredCall(service);
  const { db } = service.database;
  const unused = {
    metrics: null as never,
    agents: null as never,
    aroundCorrection: null as never,
    content: null as never,
  };
  const parts = { db, clock, closeRoom: async () => {}, leftAt: async () => new Map(), listeners: [], afterEnd: [] };
  const sessions = createSessions({ ...parts, ...unused });
  const session = await sessions.get(call_id, null);
  clock.advance(10_000);
  const { asked } = await db.transaction().execute(async () => {
    // The embedded database has a single connection: the end waits for it, as for a busy one.
    const ended = sessions.end(session, 'ended_by_user');
    clock.advance(16_000);
    return { asked: ended };
  });
  assert.equal((await asked).duration, 26);
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'ended_by_user');
  await service.close();
});
