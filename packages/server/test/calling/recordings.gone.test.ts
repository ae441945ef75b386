import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { AppError } from '../../src/lib/errors.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-recordings-'));
after(() => rm(dir, { recursive: true, force: true }));
const folder = createFolderStorage(dir);
/** Runs before the next segment fails. */
let beforeNext = async () => {};
const put: typeof folder.put = async () => {
  await beforeNext();
  throw new AppError('provider_unavailable');
};
const service = await startService({ storage: { ...folder, put } });

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
    await assert.rejects(readdir(path.join(dir, of.recording_id)));
  });
