import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { AppError } from '../../src/lib/errors.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-recordings-'));
after(() => rm(dir, { recursive: true, force: true }));
const folder = createFolderStorage(dir);
/** Runs before the next segment fails. */
let beforeNext = async () => {};
let [putFails, removalFails] = [true, false];
const storage: typeof folder = {
  ...folder,
  put: async (...args) => {
    await beforeNext();
    if (putFails) throw new AppError('provider_unavailable');
    return folder.put(...args);
  },
  removeAll: async (...args) => {
    if (removalFails) throw new AppError('provider_unavailable');
    return folder.removeAll(...args);
  },
};
const service = await startService({ storage });

const isGone = (recording_id: string) =>
  eventually(
    async () => {
      await service.app.reconcile();
      return readdir(dir);
    },
    (found) => !found.includes(recording_id),
  );

for (const [what, address] of [
  ['deleted', (call: string, recording: string) => `/api/calls/${call}/recordings/${recording}`],
  ['erased', () => `/api/users/${USER}`],
] as const)
  test(`a segment whose recording is ${what} while it is being stored is neither sent again nor left behind`, async () => {
    const { call_id } = await answeredCall(service);
    const of = recorder(service, call_id);
    await of.report('recording');
    await service.request('POST', `/api/calls/${call_id}/end`);
    beforeNext = async () => {
      assert.ok((await service.request('DELETE', address(call_id, of.recording_id))).status < 300);
      // A store that answers too late has it all the same.
      await folder.put(`${of.recording_id}/000000.ogg`, segment(0).bytes);
    };
    assert.deepEqual((await of.add(segment(0))).body, { added: false });
    await isGone(of.recording_id);
  });

test('a segment of a deleted recording is removed, if the storage refuses at first, and whichever attempt brought it', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  putFails = false;
  beforeNext = async () => {
    await service.request('DELETE', `/api/calls/${call_id}/recordings/${of.recording_id}`, { user: USER });
    await isGone(of.recording_id);
    removalFails = true;
  };
  assert.deepEqual((await of.add(segment(0))).body, { added: false });
  beforeNext = async () => {};
  // Once the removal by the request and an attempt of the work have failed.
  const { failing } = await eventually(
    async () => (await service.request('GET', '/api/work?kind=recording_removal')).body,
    ({ failing }) => failing.length > 0,
  );
  assert.ok((await readdir(dir)).includes(of.recording_id));
  removalFails = false;
  await service.request('POST', `/api/work/${failing[0].id}/retry`);
  await isGone(of.recording_id);

  // A service that died between the storage and the database has it again.
  await folder.put(`${of.recording_id}/000001.ogg`, segment(1).bytes);
  assert.deepEqual((await of.add(segment(1))).body, { added: false });
  await isGone(of.recording_id);
});
