import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A text in one of the forms in which it may be stored. */
interface Needle {
  text: string;
  form: string;
  bytes: Buffer;
}

/** Bits of a hash of four bytes. */
const BITS = 20;

/** A text as it may be written: as it is, inside of JSON, a URL or base64, in UTF-16, and as hexadecimal digits. */
function formsOf(text: string): Needle[] {
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replaceAll(/[^\0-~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const url = encodeURIComponent(text);
  const base64 = [0, 1, 2].map((offset) => inBase64(bytes, offset));
  const written: [form: string, bytes: Buffer][] = [
    ['as it is', bytes],
    ['in JSON', Buffer.from(json)],
    ['in JSON, as ASCII', Buffer.from(ascii)],
    ['in a URL', Buffer.from(url)],
    ['in a form', Buffer.from(url.replaceAll('%20', '+'))],
    ...base64.map((one): [string, Buffer] => ['in base64', Buffer.from(one)]),
    ...base64.map((one): [string, Buffer] => ['in base64url', Buffer.from(toUrl(one))]),
    ['in UTF-16', Buffer.from(text, 'utf16le')],
    ['in UTF-16, the other way round', Buffer.from(text, 'utf16le').swap16()],
    ['in hexadecimal', Buffer.from(bytes.toString('hex'))],
  ];
  const seen = new Set<string>();
  const isNew = (one: Buffer) => seen.size < seen.add(one.toString('hex')).size;
  return written.filter(([, one]) => isNew(one)).map(([form, one]) => ({ text, form, bytes: one }));
}

/** The characters of base64 that these bytes alone decide, at this offset from a multiple of three. */
function inBase64(bytes: Buffer, offset: number): string {
  const all = Buffer.concat([Buffer.alloc(offset), bytes]);
  return all.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((all.length * 8) / 6));
}

const toUrl = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

/** Finds texts of four bytes or more in bytes, whatever their form: in one pass, however many they are. */
export function createSearch(texts: Iterable<string>) {
  const begins = new Map<number, Needle[]>();
  const possible = new Uint8Array(2 ** BITS);
  for (const needle of [...new Set(texts)].flatMap(formsOf)) {
    const begin = needle.bytes.readInt32LE(0);
    begins.set(begin, [...(begins.get(begin) ?? []), needle]);
    possible[hash(begin)] = 1;
  }
  /** Returns each text in each form once. */
  return function find(bytes: Buffer): Pick<Needle, 'text' | 'form'>[] {
    const found = new Set<Needle>();
    for (let at = 0, last = bytes.length - 4; at <= last; at++) {
      const begin = bytes.readInt32LE(at);
      if (possible[hash(begin)] === 0) continue;
      for (const needle of begins.get(begin) ?? [])
        if (bytes.subarray(at, at + needle.bytes.length).equals(needle.bytes)) found.add(needle);
    }
    return [...found].map(({ text, form }) => ({ text, form }));
  };
}

const hash = (begin: number) => Math.imul(begin, -1_640_531_535) >>> (32 - BITS);

/** The bytes of each file in a folder and in those below it. A file that is gone meanwhile has none. */
export async function bytesIn(dir: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return new Map(
    await Promise.all(
      files.map(async (file): Promise<[string, Buffer]> => [file, await readFile(file).catch(() => Buffer.alloc(0))]),
    ),
  );
}
