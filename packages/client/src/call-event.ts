import type { CallbackData, Transcript } from './generated/schema.ts';

/** An event of a call: a change of the call, as a callback has it, with its time, or a transcript. */
export type CallEvent =
  | { id: number; event: 'call'; data: Omit<CallbackData, 'transfer'> & { at: string } }
  | { id: number; event: 'transcript'; data: Transcript };
