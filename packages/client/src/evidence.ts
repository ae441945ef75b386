import { createHash, createPublicKey, verify } from 'node:crypto';
import type { CallEvidence, DecisionEvidence, EvidenceKeySet } from './generated/schema.ts';

/** The public keys, as `GET /.well-known/switchboard-evidence.json` returns them. */
export type EvidenceKeys = Pick<EvidenceKeySet, 'keys'> | { keys: { kid: string; x: string }[] };

/** A document that is not what the service has signed; the message says why. */
export class EvidenceError extends Error {
  override name = 'EvidenceError';
}

/** Everything before the signature, and the signature: 64 bytes in lower-case hexadecimal. */
const SIGNED = /^(\{.*),"signature":"([0-9a-f]{128})"\}$/s;

export type Evidence = CallEvidence | DecisionEvidence;
const KINDS = ['switchboard.call-evidence', 'switchboard.decision-evidence'];

/**
 * Verifies the evidence of a call, offline: the bytes of the response of `GET /api/calls/{call_id}/evidence`, each of
 * which is signed. Returns what it says. Throws `EvidenceError`.
 */
export function verifyEvidence(bytes: Uint8Array | string, keys: EvidenceKeys): CallEvidence {
  const evidence = verifyDocument(bytes, keys);
  if (!('call' in evidence)) throw new EvidenceError('it is the evidence of a decision, not of a call');
  return evidence;
}

/** The same for the evidence of a call or of a decision: the latter has `decision`, and no `call`. */
export function verifyDocument(bytes: Uint8Array | string, { keys }: EvidenceKeys): Evidence {
  const document = Buffer.from(bytes);
  // One character for each byte.
  const [, text, signature] = SIGNED.exec(document.toString('latin1')) ?? [];
  if (text === undefined || signature === undefined)
    throw new EvidenceError('it is no evidence as the service sends it: something was added, removed or formatted');
  const evidence = parse(document);
  const key = keys.find(({ kid }) => kid === evidence.key_id);
  if (!key) throw new EvidenceError(`its key ${JSON.stringify(evidence.key_id)} is not among the public keys`);
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' });
  if (!verify(null, Buffer.from(`${text}}`, 'latin1'), publicKey, Buffer.from(signature, 'hex')))
    throw new EvidenceError('it was changed, or was not signed with this key');
  if (!KINDS.includes(evidence.kind) || evidence.format !== 1)
    throw new EvidenceError('it is a document of another kind, or of a later format');
  const decisions = 'call' in evidence ? evidence.decisions : [evidence.decision];
  for (const { id, inputs, inputs_hash } of decisions) {
    // Their members are in canonical order, as the document has them. Those of earlier releases were hashed otherwise.
    if ('format' in inputs && hashOf(JSON.stringify(inputs)) !== inputs_hash)
      throw new EvidenceError(`the inputs of the decision ${id} do not match its hash`);
  }
  return evidence;
}

/** The user whose chain has the document. */
const userOf = (evidence: Evidence): string => ('call' in evidence ? evidence.call.user_id : evidence.decision.user_id);

function parse(document: Buffer): Evidence {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document));
  } catch (cause) {
    throw new EvidenceError('it is no JSON', { cause });
  }
}

/** A verified document, and its bytes. */
export interface Verified {
  name: string;
  bytes: Uint8Array | string;
  evidence: Evidence;
}

/** A document's place in its chain, without its bytes: a file may have more documents than fit into memory. */
export interface Link {
  name: string;
  user: string;
  position: number;
  previous: string | null;
  hash: string;
}

export function linkOf({ name, bytes, evidence }: Verified): Link {
  const { position, previous } = evidence.chain;
  return { name, user: userOf(evidence), position, previous, hash: hashOf(bytes) };
}

/**
 * Compares verified documents of any users with each other: each names the hash of the one before it. Returns the
 * contradictions, in words, and how many documents between them are missing here.
 */
export function verifyChain(links: readonly Link[]): { problems: string[]; missing: number } {
  const problems: string[] = [];
  let missing = 0;
  for (const user of new Set(links.map((link) => link.user))) {
    const chain = links.filter((link) => link.user === user).sort((a, b) => a.position - b.position);
    for (const [index, { name, position, previous, hash }] of chain.entries()) {
      const before = chain[index - 1];
      const gap = position - (before?.position ?? 0);
      if (position === 1 && previous !== null) problems.push(`${name} is the first, and names one before it`);
      if (position > 1 && previous === null) problems.push(`${name} is not the first, and names none before it`);
      if (gap === 0 && before && before.hash !== hash)
        problems.push(`${before.name} and ${name} are different documents with the same number`);
      if (gap === 1 && before && before.hash !== previous)
        problems.push(`${name} does not follow ${before.name}: it names another document`);
      if (before) missing += Math.max(0, gap - 1);
    }
  }
  return { problems, missing };
}

const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
