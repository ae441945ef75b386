import { createHash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';

/** Encrypts secrets in the database: JWE (RFC 7516, `dir`, A256GCM) under keys from the environment. */
export interface Seal {
  /** Encrypts `text` for its owner with the first key; returns it unchanged without keys. */
  close(text: string, owner: string): Promise<string>;
  /** Decrypts a text. Throws if no key decrypts it, or if it was encrypted for another owner. */
  open(sealed: string, owner: string): Promise<string>;
  /** Whether `close` would use the same key, or none; otherwise the text should be encrypted again. */
  isCurrent(sealed: string): boolean;
}

/** `keys`: 32 bytes each, in base64. The first encrypts and all decrypt, so that a key can be rotated. */
export function createSeal(keys: string[]): Seal {
  const known = keys.map((text) => {
    const key = Buffer.from(text, 'base64');
    return { key, kid: createHash('sha256').update(key).digest('hex').slice(0, 16) };
  });
  const [first] = known;
  return {
    async close(text, owner) {
      if (!first) return text;
      const header = { alg: 'dir', enc: 'A256GCM', kid: first.kid, sub: owner };
      return new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(first.key);
    },
    async open(sealed, owner) {
      if (!isSealed(sealed)) return sealed;
      const { kid, sub } = decodeProtectedHeader(sealed);
      const found = known.find((candidate) => candidate.kid === kid);
      if (!found) throw new Error(`no key of SECRETS_KEY has the id ${kid}, which a stored secret was sealed with`);
      if (sub !== owner) throw new Error('a stored secret belongs to another owner');
      return Buffer.from((await compactDecrypt(sealed, found.key)).plaintext).toString();
    },
    isCurrent: (sealed) => (isSealed(sealed) ? decodeProtectedHeader(sealed).kid : undefined) === first?.kid,
  };
}

// A signing secret begins with `whsec_`; a JWE has five parts with dots between them.
function isSealed(text: string): boolean {
  return text.split('.').length === 5;
}
