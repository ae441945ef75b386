import type { Seal } from '../../lib/seal.ts';

/**
 * The port of a key management service: it encrypts the keys of users with a key that never leaves it. Every method
 * throws `AppError('provider_unavailable')` if it refuses or cannot be reached, and nobody waits long for that.
 */
export interface Kms {
  /** The name of its key, without colons. What an earlier key has encrypted is encrypted again with this one. */
  key: string;
  /** Encrypts `text` for its owner. */
  wrap(text: string, owner: string): Promise<string>;
  /** Decrypts what the key of this name has encrypted. Throws `secret_unreadable` if that was for another owner. */
  unwrap(wrapped: string, owner: string, key: string): Promise<string>;
}

/** `kms:`, the name of the key, a colon, and what the service has answered. */
const WRAPPED = /^kms:([^:]+):(.+)$/s;

/** Encrypts with the service, and decrypts what `before` has encrypted, too, so that it can be introduced. */
export function createKmsSeal(kms: Kms, before: Seal): Seal {
  return {
    close: async (text, owner) => `kms:${kms.key}:${await kms.wrap(text, owner)}`,
    open: async (sealed, owner) => {
      const [, key, wrapped] = WRAPPED.exec(sealed) ?? [];
      return key && wrapped ? kms.unwrap(wrapped, owner, key) : before.open(sealed, owner);
    },
    isCurrent: (sealed) => WRAPPED.exec(sealed)?.[1] === kms.key,
  };
}
