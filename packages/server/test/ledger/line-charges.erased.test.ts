import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const clock = createTestClock();

test('a phone that answers late is billed to the pseudonym of a user who is erased at that moment', async () => {
  const sandbox = createSandboxMedia({ clock, ringMs: 1 });
  const answered = Promise.withResolvers<void>();
  let closed = 0;
  let erase: (() => Promise<string>) | null = null;
  let erased: Promise<string> | null = null;
  const media = {
    ...sandbox,
    dial: async (request: Parameters<typeof sandbox.dial>[0]) => {
      const outcome = await sandbox.dial(request, new AbortController().signal);
      await answered.promise;
      return outcome;
    },
    // The last thing that happens before the line is billed, whichever of them that is.
    closeRoom: async (room_name: string) => {
      await sandbox.closeRoom(room_name);
      closed += 1;
      if (erase) erased ??= erase();
      await erased;
    },
  };
  const own = (await startService({ clock, media })) as unknown as Service;
  const { call_id } = await placeCall(own, '+15005550100');
  assert.equal((await own.request('POST', `/api/calls/${call_id}/end`)).status, 200);
  await reaches(own, call_id, 'COMPLETED');
  // That of the end.
  await eventually(
    async () => closed,
    (count) => count > 0,
  );
  erase = async () => {
    const { status, body } = await own.request('DELETE', `/api/users/${USER}`);
    assert.equal(status, 200);
    return body.pseudonym;
  };
  answered.resolve();
  const owners = () =>
    own.database.db.selectFrom('usage_events').select('user_id').where('session_id', '=', call_id).execute();
  const found = await eventually(owners, (rows) => rows.length === 2);
  const pseudonym = (await erased) ?? '';
  assert.ok(pseudonym);
  assert.deepEqual(found, [{ user_id: pseudonym }, { user_id: pseudonym }]);
});
