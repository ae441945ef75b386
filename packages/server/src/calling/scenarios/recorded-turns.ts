import type { RecordedCall } from './stand-ins.ts';

/** A line of a transcript, and the calls of tools that were made for it. */
export interface SaidAndCalled {
  speaker: string;
  content: string;
  calls: RecordedCall[];
  /** Set for words of the caller into those of the agent: how long it had spoken by then. */
  interrupts_ms?: number | null;
}

/** Words that interrupted the agent, by the time at which they ended. */
export interface Interruption {
  ended_at: Date;
  after_ms: number;
}

/** Lines of which those of the caller that interrupted say so: the first ones after these words ended. */
export function withInterruptions<T extends SaidAndCalled & { timestamp: Date }>(
  said: readonly T[],
  interruptions: readonly Interruption[],
): T[] {
  const lines = said.map((line) => ({ ...line }));
  for (const { ended_at, after_ms } of interruptions) {
    const line = lines.find(({ speaker, timestamp }) => speaker === 'USER' && timestamp >= ended_at);
    if (line) line.interrupts_ms = after_ms;
  }
  return lines;
}

/** A call of a tool that is known by its time. */
export interface TimedCall extends RecordedCall {
  called_at: Date;
}

/** Lines with calls of tools between them, each where it was made: the time of a line is that of its end. */
export function withTimed(said: readonly (SaidAndCalled & { timestamp: Date })[], calls: TimedCall[]): SaidAndCalled[] {
  const left = [...calls];
  const before = (time: number) => {
    const end = left.findIndex(({ called_at }) => called_at.getTime() >= time);
    const made = left.splice(0, end === -1 ? left.length : end);
    return made.map((call) => ({ speaker: 'AGENT', content: '', calls: [call] }));
  };
  return [...said.flatMap((line) => [...before(line.timestamp.getTime()), line]), ...before(Number.POSITIVE_INFINITY)];
}

/** One exchange of a recorded conversation. */
export interface RecordedTurn {
  /** Null for words with which the agent began. */
  heard: string | null;
  words: string;
  /** Null if calls of tools were not recorded. */
  calls: { name: string; arguments: Record<string, unknown> }[] | null;
}

/** The turns of a conversation, up to so many of the caller. `isWhole` says whether calls of tools were recorded. */
export function turnsOf(said: readonly SaidAndCalled[], isWhole: boolean, limit: number): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  const begin = (heard: string | null): RecordedTurn => {
    const turn = { heard, words: '', calls: isWhole ? [] : null };
    turns.push(turn);
    return turn;
  };
  for (const { speaker, content, calls } of said) {
    const words = content.trim();
    if (speaker === 'USER' && words !== '') begin(words);
    if (speaker !== 'AGENT') continue;
    const turn = turns.at(-1) ?? begin(null);
    turn.words = [turn.words, words].filter(Boolean).join(' ');
    turn.calls?.push(...calls.map(({ name, arguments: args }) => ({ name, arguments: args })));
  }
  return turns.slice(0, limit + (turns[0]?.heard === null ? 1 : 0));
}
