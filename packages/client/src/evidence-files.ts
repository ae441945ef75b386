import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';

const PART = 1024 * 1024;
const NEWLINE = 0x0a;

/** A document as it was sent, and where it is. */
export interface Document {
  name: string;
  bytes: Buffer;
}

/** The documents of a file: each line if its name ends with `.ndjson`, otherwise the whole. Throws if there is none. */
export function* readDocuments(file: string): Generator<Document, void, undefined> {
  if (!existsSync(file)) throw new Error('there is no such file');
  if (!file.endsWith('.ndjson')) return yield { name: file, bytes: readFileSync(file) };
  let number = 0;
  for (const { line } of readLines(file)) yield { name: `${file}:${++number}`, bytes: line };
  if (number === 0) throw new Error('it has no documents');
}

/** Each line, without its end, and where that is in the file; null for what follows the last newline, if anything. */
export function* readLines(file: string): Generator<{ line: Buffer; end: number | null }, void, undefined> {
  const source = openSync(file, 'r');
  try {
    let rest: Buffer[] = [];
    let end = 0;
    for (;;) {
      const part = Buffer.alloc(PART);
      const read = readSync(source, part);
      if (read === 0) break;
      let from = 0;
      for (let to = part.indexOf(NEWLINE); to !== -1 && to < read; to = part.indexOf(NEWLINE, from)) {
        const line = Buffer.concat([...rest, part.subarray(from, to)]);
        rest = [];
        from = to + 1;
        end += line.length + 1;
        yield { line, end };
      }
      rest.push(part.subarray(from, read));
    }
    const line = Buffer.concat(rest);
    if (line.length > 0) yield { line, end: null };
  } finally {
    closeSync(source);
  }
}
