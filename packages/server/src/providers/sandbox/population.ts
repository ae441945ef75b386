/** How somebody takes a call: `objects` asks not to be called again, `talks` to the end of a conversation. */
export type Reaction = 'busy' | 'rings_out' | 'voicemail' | 'hangs_up' | 'objects' | 'talks';

/** Reactions of a hundred people: of those below each bound, by the last two digits of their number. */
const REACTIONS: [below: number, reaction: Reaction][] = [
  [10, 'busy'],
  [25, 'rings_out'],
  [35, 'voicemail'],
  [42, 'hangs_up'],
  [47, 'objects'],
  [100, 'talks'],
];

/** People of the sandbox, for campaigns: +1 500 556 0000 to +1 500 556 9999. Null for other numbers. */
export function reactionOf(phone_number: string): Reaction | null {
  const digits = /^\+1500556\d\d(\d\d)$/.exec(phone_number)?.[1];
  return REACTIONS.find(([below]) => digits !== undefined && Number(digits) < below)?.[1] ?? null;
}
