import type { Answer } from './world.ts';

/** How a tool takes keys of the caller, as in an agent's `config.tools.collect_digits`. */
export interface Entry {
  max?: number;
  finish_on?: string;
  timeout_s?: number;
  sensitive?: boolean;
}

/** The answer of such a tool to keys that were pressed, as in a call; null for a caller who presses none. */
export function entered(keys: string | null, { max = 32, finish_on = '#', timeout_s = 10, sensitive }: Entry): Answer {
  const end = finish_on === '' ? -1 : (keys ?? '').indexOf(finish_on);
  const pressed = (keys ?? '').slice(0, end === -1 ? max : Math.min(end, max));
  if (pressed === '') return { text: 'The caller has pressed no key.', isError: true, ms: timeout_s * 1_000 };
  const text = sensitive ? `The caller has pressed ${pressed.length} keys, which only functions may know.` : pressed;
  return { text, isError: false, ms: 0 };
}
