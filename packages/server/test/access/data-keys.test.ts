import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createContent } from '../../src/access/data-keys/content.ts';
import { createDataKeys } from '../../src/access/data-keys/data-keys.ts';
import { createAudioStore } from '../../src/calling/recordings/audio-store.ts';
import { createSessions, type Session } from '../../src/conversations/sessions/sessions.ts';
import { createTranscripts } from '../../src/conversations/transcripts/transcripts.ts';
import { createCallbacks } from '../../src/delivery/callbacks/callbacks.ts';
import { systemClock as clock } from '../../src/lib/clock.ts';
import { createLogger } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { createSeal } from '../../src/lib/seal.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';
import { assertRefused } from '../support/answers.ts';

const database = await openTestDatabase();
after(() => database.close());
const { db } = database;
const service = await startService({ database, env: { SECRETS_KEY, ENCRYPT_CONTENT: 'true' } });
const log = createLogger({ level: 'silent', pretty: false });

const keys = () => db.selectFrom('data_keys').select('id').where('user_id', '=', USER).execute();

/** The parts of another process that write, and what they have read of a session before. */
function writers(read: Session) {
  const dataKeys = createDataKeys({ db, clock, log, seal: createSeal([SECRETS_KEY]), isOn: true });
  const content = createContent({ dataKeys, isOn: true });
  const callbacks = createCallbacks({ db, clock, content, reportDelayMs: 0 });
  const sessions = {
    ...createSessions({
      db,
      clock,
      content,
      metrics: createMetrics(),
      agents: {} as never,
      closeRoom: async () => {},
      leftAt: async () => new Map(),
      listeners: [],
      afterEnd: [],
      aroundCorrection: (_trx, _correction, correct) => correct(),
    }),
    getByRoom: async () => read,
  };
  const transcripts = createTranscripts({ db, clock, sessions, content, hear: async () => null });
  const storage = createFolderStorage('/nowhere');
  return { content, callbacks, transcripts, audio: createAudioStore({ storage, dataKeys }) };
}

type Writers = ReturnType<typeof writers>;
const said = { content: 'too late', speaker: 'AGENT' } as const;
const LATE: Record<string, (to: Writers, read: Session) => Promise<unknown>> = {
  'a transcript': ({ transcripts }, { room_name }) => transcripts.add(room_name, said, USER, null),
  'the audio of a recording': ({ audio }, session) => audio.put('recording', 0, Buffer.from('OggS'), session),
  'a report': ({ callbacks }, session) => callbacks.completeReport(session, '{}'),
  'an analysis': ({ callbacks }, session) =>
    db.transaction().execute((trx) => callbacks.enqueueData(trx, 'call.analyzed', session, {})),
};

for (const [what, write] of Object.entries(LATE))
  for (const remembers of [false, true])
    test(`${what} that was begun before an erasure makes no key after it${remembers ? ', in a process that has used the key' : ''}`, async () => {
      const { call_id, room_name } = await answeredCall(service);
      const path = `/api/sessions/by-room/${room_name}/transcripts`;
      assert.equal((await service.request('POST', path, { body: { content: 'in time' } })).status, 201);
      const read = (await db
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', call_id)
        .executeTakeFirstOrThrow()) as Session;
      const to = writers(read);
      if (remembers) await db.transaction().execute((trx) => to.content.close(read, 'before', trx));
      assert.equal((await keys()).length, 1);
      assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
      await assert.rejects(write(to, read), { code: 'not_found' });
      assert.deepEqual(await keys(), []);
    });

test('a session that is opened while the last step of an erasure waits for its key makes the erasure go round again', async () => {
  const { room_name } = await answeredCall(service);
  const path = `/api/sessions/by-room/${room_name}/transcripts`;
  await service.request('POST', path, { body: { content: 'encrypted' } });
  // As its transaction commits, for whose end the deletion of the key has waited.
  await sql`create function open_session() returns trigger language plpgsql as $$ begin
    insert into sessions (id, room_name, user_id, status, session_data, ended_at, created_at, updated_at)
    values (gen_random_uuid(), 'opened-meanwhile', old.user_id, 'COMPLETED', '{}', now(), now(), now());
    return old; end $$`.execute(db);
  await sql`create trigger open_session after delete on data_keys for each row execute function open_session()`.execute(
    db,
  );
  assertRefused(await service.request('DELETE', `/api/users/${USER}`), 409, 'user_active');
  assert.equal((await keys()).length, 1, 'nothing has happened');
  await sql`drop trigger open_session on data_keys`.execute(db);
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  assert.deepEqual(await keys(), []);
});
