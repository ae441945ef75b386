import assert from 'node:assert/strict';
import { createLogger } from '../server/src/lib/log.ts';

/** Shorter values would match by chance: `x` is in every line. */
const SHORTEST = 6;
const PHONE = /\+[1-9]\d{6,14}/g;
/** Fields whose values must not be logged: transcripts, other personal data, and credentials. */
const PRIVATE = new Set(['content', 'secret', 'key', 'token']);
const SECRET_SETTING = /SECRET|TOKEN|KEY/;

const printed: string[] = [];
const { write } = process.stderr;
// Libraries print their own warnings here.
process.stderr.write = function watched(this: typeof process.stderr, chunk: Uint8Array | string, ...rest: never[]) {
  printed.push(String(chunk));
  return write.call(this, chunk, ...rest);
} as typeof write;

/** The log of a service under test, at the most verbose level, and the values that must not be in it. */
export function watchLog(env: Record<string, string> = {}) {
  const lines: string[] = [];
  const secrets = new Set<string>();
  const note = (text: unknown) => {
    if (typeof text === 'string' && text.length >= SHORTEST) secrets.add(text);
  };
  for (const [name, value] of Object.entries(env)) if (SECRET_SETTING.test(name)) note(value);
  return {
    log: createLogger({ level: 'trace', pretty: false, destination: { write: (line) => void lines.push(line) } }),
    /** Collects personal data from something sent or received: a body, a path, headers. */
    notice(value: unknown): void {
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      for (const [phone] of decoded(text).matchAll(PHONE)) note(phone.slice(1));
      collect(value, note);
    },
    noticeToken: (authorization: string | undefined) => note(authorization?.replace(/^Bearer +/i, '')),
    /** Fails if personal data was logged or printed. */
    assertClean(): void {
      const found = [...secrets].filter((secret) => [...lines, ...printed].some((line) => line.includes(secret)));
      const where = [...lines, ...printed].filter((line) => found.some((secret) => line.includes(secret)));
      assert.deepEqual(found, [], `these were logged:\n${where.join('\n')}`);
    },
    lines,
  };
}

function decoded(text: string): string {
  return text.replaceAll(/%2B/gi, '+');
}

function collect(value: unknown, note: (text: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (PRIVATE.has(name)) note(inner);
    collect(inner, note);
  }
}
