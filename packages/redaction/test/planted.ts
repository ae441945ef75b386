import { createRedactor } from '../src/index.ts';
import { KINDS } from '../src/types.ts';
import type { Language } from './secrets.ts';

const MARKED = /<(\w+)\|([^>]*)>/g;

/** Redacts lines with marked secrets; returns what became of each, and what should have. */
export function redactMarked(lines: string | string[], language: Language) {
  const conversation = createRedactor({ kinds: KINDS, language }).conversation();
  return [lines].flat().map((line) => {
    const isAgent = line.startsWith('A: ');
    const marked = isAgent ? line.slice(3) : line;
    const secrets = Array.from(marked.matchAll(MARKED), ([, kind = '', secret = '']) => ({ kind, secret }));
    const said = marked.replace(MARKED, '$2');
    const { text, spans } = conversation.redact(isAgent ? 'AGENT' : 'USER', said);
    return { said, text, spans, secrets, expected: marked.replace(MARKED, '[$1]') };
  });
}
