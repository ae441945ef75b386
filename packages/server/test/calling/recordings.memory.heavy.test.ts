// Half a gibibyte of audio on its way to the storage and back: the process holds no more of it than a few segments.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createAudioStore } from '../../src/calling/recordings/audio-store.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';

const MIB = 2 ** 20;
/** As large as a segment may be. */
const SEGMENT_BYTES = MIB / 4;
/** Recordings one after another, each deleted when it was read: all of them would not fit on a small disk. */
const [RECORDINGS, SEGMENTS] = [8, 256];
/** The first ones compile what the others run, and let the process grow to the size at which it collects. */
const WARM = 2;
/** An eighth of what passes after that. */
const ROOM_MIB = ((RECORDINGS - WARM) * SEGMENTS * SEGMENT_BYTES) / MIB / 8;

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-memory-'));
after(() => rm(dir, { recursive: true, force: true }));
const key = { id: '018f0000-0000-7000-8000-000000000001', key: randomBytes(32) };
const dataKeys = { isOn: true, ofSession: async () => key, byId: async () => key };
const audioStore = createAudioStore({ storage: createFolderStorage(dir), dataKeys: dataKeys as never });

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('audio is encrypted, stored, verified and deleted in constant memory, however much it is', async () => {
  const audio = randomBytes(SEGMENT_BYTES);
  let [before, most] = [0, 0];
  for (let index = 0; index < RECORDINGS; index++) {
    if (index === WARM) before = most;
    for (let seq = 0; seq < SEGMENTS; seq++) {
      // As it arrives, in JSON.
      const arrived = Buffer.from(audio.toString('base64'), 'base64');
      assert.equal(await audioStore.put(`recording-${index}`, seq, arrived, { id: 's', user_id: 'u' }), key.id);
      most = Math.max(most, process.memoryUsage.rss() / MIB);
    }
    for (let seq = 0; seq < SEGMENTS; seq++) {
      const hash = createHash('sha256');
      for await (const piece of audioStore.read(`recording-${index}`, seq, SEGMENT_BYTES)) hash.update(piece);
      assert.equal(hash.digest('hex'), hashOf(audio));
      most = Math.max(most, process.memoryUsage.rss() / MIB);
    }
    await audioStore.removeAll(`recording-${index}`);
  }
  assert.ok(before > 0 && most - before < ROOM_MIB, `${before.toFixed()} MiB before, ${most.toFixed()} at most`);
});
