import type { Db } from '../../db/tables.ts';
import { canonical, sha256 } from '../../lib/canonical-json.ts';
import type { Platform } from '../../platform.ts';
import type { EvidenceKeys, Signer } from './keys.ts';
import { type About, addDocument, type DocumentRow, lastAbout, lastOfUser, lockChain } from './store.ts';

/** The subject of a document. */
interface Subject {
  user_id: string;
  about: About;
  /** The part of the document that says something about it. */
  content(): Promise<object>;
  /** Has an erasure wait until the transaction ends; throws `not_found` after one. */
  hold(trx: Db): Promise<void>;
}

/** Signs documents, and adds each to the chain of its user. */
export function createChain({ db, clock, keys }: Pick<Platform, 'db' | 'clock'> & { keys: EvidenceKeys }) {
  /**
   * The document as canonical JSON (RFC 8785): the same bytes as long as nothing has changed. Throws `not_found` after
   * an erasure, and `secret_unreadable`.
   */
  async function issue(subject: Subject): Promise<string> {
    for (;;) {
      const before = await lastAbout(db, subject.about);
      const document = await certify(subject, await subject.content(), before?.position);
      if (document !== null) return document;
    }
  }

  /** The document with this content; null if another one was issued since the one at `position`, and it may be old. */
  async function certify(subject: Subject, content: object, position: number | undefined): Promise<string | null> {
    const signer = await keys.signer();
    return db.transaction().execute(async (trx) => {
      await lockChain(trx, subject.user_id);
      await subject.hold(trx);
      const last = await lastAbout(trx, subject.about);
      if (last?.position !== position) return null;
      const isSame = last?.content_hash === sha256(canonical(content));
      const row = isSame ? last : await add(trx, subject, content, signer);
      return withSignature(textOf(content, row), row.signature);
    });
  }

  /** Adds a document at the end of the user's chain. */
  async function add(trx: Db, { user_id, about }: Subject, content: object, signer: Signer): Promise<DocumentRow> {
    const last = await lastOfUser(trx, user_id);
    const { key_id } = signer;
    const unsigned = {
      user_id,
      ...about,
      position: (last?.position ?? 0) + 1,
      content_hash: sha256(canonical(content)),
      key_id,
      previous_hash: last?.document_hash ?? null,
      issued_at: clock.now(),
    };
    const signature = signer.sign(textOf(content, unsigned));
    const document = withSignature(textOf(content, unsigned), signature);
    const row = { ...unsigned, signature, document_hash: sha256(document) };
    await addDocument(trx, row);
    return row;
  }

  return { issue };
}

type Place = Pick<DocumentRow, 'position' | 'key_id' | 'issued_at' | 'previous_hash'>;

/** The text that is signed. */
function textOf(content: object, { position, key_id, issued_at, previous_hash: previous }: Place): string {
  return canonical({ ...content, issued_at, key_id, chain: { position, previous } });
}

/** The last member of the object: its name follows all others in the order of RFC 8785. */
function withSignature(text: string, signature: string): string {
  return `${text.slice(0, -1)},"signature":"${signature}"}`;
}
