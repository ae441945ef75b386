/** Replaces secrets in what was said by placeholders like `[card]`. */
import { createConversation } from './conversation.ts';
import { addSpan } from './line.ts';
import { compilePattern } from './patterns.ts';
import { countryOf } from './phones.ts';
import type { Redacted, Rules, Span } from './types.ts';

export type Redactor = ReturnType<typeof createRedactor>;

/** Takes milliseconds for each pattern: keep it. */
export function createRedactor({ kinds, custom = [], language }: Rules) {
  const patterns = custom.map(({ name, pattern }) => ({ name, compiled: compilePattern(pattern) }));
  const settings = { kinds: new Set<string>(kinds), country: countryOf(language), custom: findCustom };

  function findCustom(text: string): Span[] {
    const spans: Span[] = [];
    for (const { name: kind, compiled } of patterns) {
      const matcher = compiled.matcher(text);
      while (matcher.find()) {
        const [from, to] = [matcher.start(), matcher.end()];
        if (to > from) addSpan(spans, { kind, from, to });
      }
    }
    return spans;
  }

  return {
    /** Redacts one text, whatever was said before. */
    redact: (text: string): Redacted => createConversation(settings).redact('', text),
    /** Redacts the lines of a conversation, one after the other. */
    conversation: () => createConversation(settings),
  };
}
