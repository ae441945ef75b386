import type { Step } from '@switchboard/scenarios/schema';
import type { SaidAndCalled } from './recorded-turns.ts';
import { MAX_TEXT } from './schema.ts';

/** Steps of a script, and characters of one: what the format allows, without the step that hangs up. */
const MAX_STEPS = 199;
const MAX_WORDS = 4_000;
/** Characters of all steps: the rest of the text is about as long. */
const MAX_SAID = MAX_TEXT / 2;
const KEYS = /^[0-9*#A-D]{1,32}$/;

/**
 * The steps of the caller, as many as the format, and the limit on texts, allow. Keys were pressed where one of the
 * tools `entries` has taken them.
 */
export function scriptOf(lines: readonly SaidAndCalled[], entries: readonly string[]): Step[] {
  let length = 0;
  const steps = lines.flatMap((one) => [...wordsIn(one), ...keysIn(one, entries)]);
  const end = steps.findIndex(({ say, interrupt, dtmf }, index) => {
    length += (say ?? interrupt ?? dtmf ?? '').length;
    return length > MAX_SAID || index >= MAX_STEPS;
  });
  return end === -1 ? steps : steps.slice(0, end);
}

function wordsIn({ speaker, content, interrupts_ms = null }: SaidAndCalled): Step[] {
  const words = content.trim().slice(0, MAX_WORDS);
  if (speaker !== 'USER' || words === '') return [];
  return [interrupts_ms === null ? { say: words } : { interrupt: words, after_ms: interrupts_ms }];
}

function keysIn({ calls }: SaidAndCalled, entries: readonly string[]): Step[] {
  const results = calls.filter(({ name }) => entries.includes(name)).map(({ result }) => keysOf(result));
  return results.flatMap((dtmf) => (dtmf === null ? [] : [{ dtmf }]));
}

/** The keys that a tool has taken; null if it took none, or does not tell which. */
export function keysOf(result: string | null): string | null {
  const keys = result?.replace(/^"(.*)"$/, '$1') ?? '';
  return KEYS.test(keys) ? keys : null;
}
