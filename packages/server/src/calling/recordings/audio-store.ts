import type { DataKeys, Owned } from '../../access/data-keys/data-keys.ts';
import { AppError } from '../../lib/errors.ts';
import { closeAudio, lastByteOf, openAudio } from '../../lib/sealed-audio.ts';
import type { Storage } from '../../providers/storage/storage.ts';

export type AudioStore = ReturnType<typeof createAudioStore>;

/** The key of a segment in the storage. */
function nameOf(recording_id: string, seq: number): string {
  return `${recording_id}/${String(seq).padStart(6, '0')}.ogg`;
}

/** The segments of recordings in the storage, encrypted with the keys of their users if these are on. */
export function createAudioStore({ storage, dataKeys }: { storage: Storage; dataKeys: DataKeys }) {
  async function keyOf(id: string): Promise<Buffer> {
    try {
      return (await dataKeys.byId(id)).key;
    } catch (cause) {
      throw new AppError('provider_unavailable', { detail: 'The key that encrypts this audio cannot be read.', cause });
    }
  }

  return {
    /** Stores a segment; returns the id of the key that encrypted it, or null. */
    async put(recording_id: string, seq: number, audio: Uint8Array, session: Owned): Promise<string | null> {
      const name = nameOf(recording_id, seq);
      const key = dataKeys.isOn ? await dataKeys.ofSession(session) : null;
      await storage.put(name, key ? closeAudio(audio, name, key) : audio);
      return key?.id ?? null;
    },

    /** The bytes of a segment of `size` from `start` to `end`, both included; all by default. */
    async *read(recording_id: string, seq: number, size: number, range = { start: 0, end: size - 1 }) {
      const name = nameOf(recording_id, seq);
      const last = lastByteOf(range.end, size);
      const source = await storage.read(name, last === null ? undefined : { start: 0, end: last });
      yield* openAudio(source, { name, size }, range, keyOf);
    },

    removeAll: (recording_id: string) => storage.removeAll(recording_id),
  };
}
