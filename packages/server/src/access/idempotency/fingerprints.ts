import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { sha256 } from '../../lib/canonical-json.ts';
import type { Fingerprint } from './store.ts';

export type Fingerprints = ReturnType<typeof createFingerprints>;

/** Between the id of a key and what it makes, which have no dots. */
const DOT = '.';

/** Makes fingerprints from which nobody without SECRETS_KEY can guess what was said. Its first key makes new ones. */
export function createFingerprints(secretsKeys: string[]) {
  const keys = secretsKeys.map((text) => {
    const derive = (what: string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(text, 'base64'), '', `fingerprints ${what}`, bytes));
    return { id: derive('id', 8).toString('hex'), key: createSecretKey(derive('key', 32)) };
  });
  const [first] = keys;

  return (request: string): Fingerprint => {
    const plain = sha256(request);
    const by = ({ id, key }: NonNullable<typeof first>) =>
      id + DOT + createHmac('sha256', key).update(plain).digest('base64url');
    const keyed = first ? by(first) : null;

    function matches(stored: string): boolean {
      const [id, isKeyed] = stored.split(DOT);
      if (isKeyed === undefined) return stored === plain;
      const key = keys.find((one) => one.id === id);
      // Nobody can compare with one of a key that was removed: better answer twice than refuse a repeated request.
      return key === undefined || stored === (key === first ? keyed : by(key));
    }

    return { plain, keyed, matches };
  };
}
