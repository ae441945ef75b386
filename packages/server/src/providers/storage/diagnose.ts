import { randomBytes, randomUUID } from 'node:crypto';
import { networkTrouble } from '../../lib/network-trouble.ts';
import { type Finding, ok, wrong } from '../diagnosis.ts';
import type { Storage } from './storage.ts';

const CHECK = 'storage of recordings';

/** Whether a storage keeps an object, returns it, and deletes it; `remedy` is what to do if it does not. */
export async function diagnoseStorage(
  { name, put, read, removeAll }: Omit<Storage, 'diagnose'>,
  remedy: string,
): Promise<Finding> {
  const folder = `doctor-${randomUUID()}`;
  const key = `${folder}/000000.ogg`;
  const bytes = randomBytes(64);
  try {
    await put(key, bytes);
    // Deleted also if it cannot be read: each start would leave one.
    const kept = await read(key)
      .then(async (found) => Buffer.concat(await found.toArray()))
      .finally(() => removeAll(folder));
    if (!kept.equals(bytes)) return wrong(CHECK, `${name} returns other bytes than it was given. ${remedy}`);
    return ok(CHECK, `${name} stores, returns and deletes what it is given`);
  } catch (error) {
    return wrong(CHECK, `${name} fails: ${reasonOf(error)}. ${remedy}`);
  }
}

/** The reason behind an error of the port. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // A request without a response says why only in its own cause.
  if (reason instanceof TypeError) return networkTrouble(reason);
  return reason instanceof Error ? reason.message : String(reason);
}
