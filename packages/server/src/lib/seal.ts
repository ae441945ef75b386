import { createHash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';

/** Keeps secrets unreadable in the database: JWE (RFC 7516, `dir`, A256GCM) under keys from the environment. */
export interface Seal {
  /** Seals `text` for its owner under the first key; without keys the text stays as it is. */
  close(text: string, owner: string): Promise<string>;
  /** The text. Throws when no key opens it, or when it was sealed for another owner. */
  open(sealed: string, owner: string): Promise<string>;
  /** Whether `close` would use the same key: if not, the text should be sealed anew. */
  isCurrent(sealed: string): boolean;
}

/** `keys`: 32 bytes each, in base64. The first seals, all of them open, so that a key can be replaced. */
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

// A signing secret begins with `whsec_`; the five parts of a JWE have dots between them.
function isSealed(text: string): boolean {
  return text.split('.').length === 5;
}
