import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { bytesOf, idOfBytes } from './ids.ts';

/**
 * The format of encrypted audio: AES256-GCM-HKDF streaming as in Google's Tink, behind the id of the key of its user.
 *
 *     "SBA1" | id of the user's key (16) | salt (32) | beginning of the nonces (7) | pieces
 *
 * The key of an object is HKDF-SHA-256 of the user's key, the salt, and the object's name; no two objects share one.
 * A piece has 16 KiB of audio, the last one what is left, and a tag of 16 bytes. Its nonce is that beginning, the
 * piece's number (4 bytes, big-endian), and 1 for the last piece, otherwise 0: none can be changed, moved or cut off.
 */
const MAGIC = Buffer.from('SBA1');
const SALT = 32;
const NONCE = 7;
const TAG = 16;
const PIECE = 16 * 1024;
const HEADER = MAGIC.length + 16 + SALT + NONCE;
const CIPHER = 'aes-256-gcm';

/** An object, of `size` bytes of audio. */
interface Named {
  name: string;
  size: number;
}

interface Range {
  start: number;
  end: number;
}

/** The encrypted form of an object. */
export function closeAudio(audio: Uint8Array, name: string, { id, key }: { id: string; key: Buffer }): Buffer {
  const random = randomBytes(SALT + NONCE);
  const own = keyOf(key, random, name);
  const parts = [MAGIC, bytesOf(id), random];
  const count = piecesOf(audio.length);
  for (let index = 0; index < count; index++) {
    const cipher = createCipheriv(CIPHER, own, nonceOf(random, index, count));
    const piece = audio.subarray(index * PIECE, (index + 1) * PIECE);
    parts.push(cipher.update(piece), cipher.final(), cipher.getAuthTag());
  }
  return Buffer.concat(parts);
}

/** The last byte that has to be read to have the audio up to `end`; null for all of them, so that none may follow. */
export function lastByteOf(end: number, size: number): number | null {
  const last = Math.floor(end / PIECE);
  return last >= piecesOf(size) - 1 ? null : HEADER + (last + 1) * (PIECE + TAG) - 1;
}

/**
 * The audio from `start` to `end`, both included, of an object that is read from its beginning; also of one that is
 * not encrypted. Throws if it is not what was closed under this name.
 */
export async function* openAudio(
  source: AsyncIterable<Uint8Array>,
  object: Named,
  range: Range,
  findKey: (id: string) => Promise<Buffer>,
): AsyncGenerator<Uint8Array> {
  const bytes = readerOf(source);
  try {
    const head = await bytes.take(MAGIC.length);
    if (head.equals(MAGIC)) yield* openPieces(bytes, object, range, findKey);
    else yield* cut(head, bytes, object, range);
  } finally {
    await bytes.close();
  }
}

async function* openPieces(
  bytes: Reader,
  { name, size }: Named,
  { start, end }: Range,
  findKey: (id: string) => Promise<Buffer>,
): AsyncGenerator<Uint8Array> {
  const [id, random] = [await bytes.take(16), await bytes.take(SALT + NONCE)];
  const key = keyOf(await findKey(idOfBytes(id)), random, name);
  const count = piecesOf(size);
  for (let index = 0; index * PIECE <= end; index++) {
    const from = index * PIECE;
    const length = Math.min(PIECE, size - from);
    const piece = await bytes.take(length + TAG);
    if (from + length <= start) continue;
    const audio = openPiece(piece, key, nonceOf(random, index, count), name);
    yield audio.subarray(Math.max(start - from, 0), end - from + 1);
  }
  if (lastByteOf(end, size) === null && (await bytes.take(1)).length > 0) throw unlike(name);
}

function openPiece(piece: Buffer, key: Buffer, nonce: Buffer, name: string): Buffer {
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG });
    decipher.setAuthTag(piece.subarray(Math.max(piece.length - TAG, 0)));
    return Buffer.concat([decipher.update(piece.subarray(0, -TAG)), decipher.final()]);
  } catch (cause) {
    throw unlike(name, cause);
  }
}

/** The same of an object that is not encrypted. */
async function* cut(head: Buffer, bytes: Reader, { name, size }: Named, { start, end }: Range) {
  let at = 0;
  for (let part = head; part.length > 0; part = await bytes.next()) {
    const wanted = part.subarray(Math.max(start - at, 0), Math.max(end - at + 1, 0));
    at += part.length;
    if (wanted.length > 0) yield wanted;
  }
  if (lastByteOf(end, size) === null && at !== size) throw unlike(name);
}

const unlike = (name: string, cause?: unknown) =>
  new Error(`the storage returns other bytes for segment ${name} than it was given`, { cause });

type Reader = ReturnType<typeof readerOf>;

/** Reads pieces of exact lengths, shorter only at the end; holds no more than one, and what was read with it. */
function readerOf(source: AsyncIterable<Uint8Array>) {
  const parts = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  async function read(): Promise<Buffer> {
    const { value, done } = await parts.next();
    return done ? Buffer.alloc(0) : Buffer.from(value.buffer, value.byteOffset, value.length);
  }
  return {
    async take(length: number): Promise<Buffer> {
      const all = [held];
      for (let count = held.length; count < length; ) {
        const more = await read();
        if (more.length === 0) break;
        all.push(more);
        count += more.length;
      }
      const whole = Buffer.concat(all);
      held = whole.subarray(length);
      return whole.subarray(0, length);
    },
    /** Bytes that are held, or are read next; empty at the end. */
    async next(): Promise<Buffer> {
      const next = held.length > 0 ? held : await read();
      held = Buffer.alloc(0);
      return next;
    },
    close: async () => void (await parts.return?.()),
  };
}

const piecesOf = (size: number) => Math.max(1, Math.ceil(size / PIECE));

function keyOf(key: Buffer, random: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, random.subarray(0, SALT), name, 32));
}

function nonceOf(random: Buffer, index: number, count: number): Buffer {
  const nonce = Buffer.alloc(12);
  random.copy(nonce, 0, SALT);
  nonce.writeUInt32BE(index, NONCE);
  nonce[11] = index === count - 1 ? 1 : 0;
  return nonce;
}
