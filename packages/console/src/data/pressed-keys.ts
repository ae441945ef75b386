import type { TimelineKeys } from '@switchboard/client';

/** Keys that nobody may know. How many there were is not told either. */
const HIDDEN = '••••';

/** Words for keys: who pressed them, and what for. */
export function keysText({ speaker, name, digits, is_sensitive }: TimelineKeys): { title: string; detail?: string } {
  const keys = digits ?? HIDDEN;
  const hidden = is_sensitive ? ', sensitive' : digits === null ? ', redacted' : '';
  if (speaker === 'AGENT') return { title: `The agent pressed ${keys}`, ...(hidden && { detail: 'Redacted.' }) };
  return { title: `The caller pressed ${keys}`, detail: `For ${name}${hidden}.` };
}
