import type { Readable } from 'node:stream';
import type { Finding } from '../diagnosis.ts';

/**
 * The port of whatever keeps audio: objects of up to a megabyte, by keys such as `<id>/000001.ogg`. Every method
 * throws `AppError('provider_unavailable')` if the storage refuses, is full, or cannot be reached.
 */
export interface Storage {
  /** Its description, for messages. */
  name: string;
  /** Resolves once the object is stored whole and survives a power failure. Replaces an existing one. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes from `start` to `end`, both included, of an object; all by default. Also throws if there is none. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Deletes all objects whose keys begin with `folder/`. Succeeds if there are none. */
  removeAll(folder: string): Promise<void>;
  /** Stores, reads and deletes a small object, and leaves nothing behind. Never throws. */
  diagnose(): Promise<Finding>;
}
