import type { ToolCall } from '@switchboard/scenarios/agent';
import type { TraceTurn } from '@switchboard/scenarios/trace';
import { stored } from '../../chat/writing-agent.ts';
import type { createWatch } from '../agent.ts';

export type Turns = ReturnType<typeof createTurns>;

/** The trace of a call by voice, from what the agent's session tells in the order in which it happens. */
export function createTurns(nowMs: () => number, watch: ReturnType<typeof createWatch> | null, model: () => string) {
  const turns: TraceTurn[] = [];
  /** The answer in the last turn is over: what the agent says next it says of its own accord. */
  let isOver = true;
  let interrupted = false;
  /** Since the mark nothing was heard, or the agent has said or called something. */
  let sinceMark = { isNothingHeard: false, hasActed: false };
  /** The model's answers of which nothing was heard or called yet. */
  let thought: { decisions: TraceTurn['decisions']; firstWordMs: number | null } = { decisions: [], firstWordMs: null };
  let step = { words: '', calls: [] as string[] };
  let toolMs = 0;
  let spokeAt: number | null = null;

  function begin(heard: string | null): TraceTurn {
    // Words of the agent's own accord are told when it began to say them.
    const at_ms = heard === null ? (spokeAt ?? nowMs()) : nowMs();
    const none = { words: '', calls: [], decisions: [], first_word_ms: null, first_audio_ms: null };
    const turn = { at_ms, heard, interrupted: heard !== null && interrupted, ...none };
    if (heard !== null) {
      interrupted = false;
      sinceMark.isNothingHeard = false;
    }
    turns.push(turn);
    isOver = false;
    toolMs = 0;
    return turn;
  }

  /** The turn in which the agent acts now, with what its model has thought. */
  function acting(): TraceTurn {
    const last = turns.at(-1);
    const turn = last && !isOver ? last : begin(null);
    sinceMark.hasActed = true;
    turn.decisions.push(...thought.decisions);
    turn.first_word_ms ??= thought.firstWordMs;
    thought = { decisions: [], firstWordMs: null };
    return turn;
  }

  /** The caller goes on before anything was answered, in the same step. */
  const goesOn = ({ heard, words, calls }: TraceTurn) =>
    !isOver && !sinceMark.isNothingHeard && heard !== null && !words && calls.length === 0;

  return {
    turns,
    /** The caller takes a step: what is heard next is a new turn, whose number is returned. */
    mark: (): number => {
      sinceMark = { isNothingHeard: true, hasActed: false };
      return turns.length;
    },
    transcript(speaker: 'USER' | 'AGENT', text: string): void {
      const words = stored(text).trim();
      if (!words) return;
      if (speaker === 'AGENT') {
        const turn = acting();
        turn.words = [turn.words, words].filter(Boolean).join(' ');
        return;
      }
      const last = turns.at(-1);
      if (last && goesOn(last)) last.heard += ` ${words}`;
      else begin(words);
    },
    pressed: (keys: string): void => void begin(`[${keys}]`),
    called(call: ToolCall): void {
      toolMs += call.ms;
      acting().calls.push(call);
    },
    /** The agent was cut off: whoever speaks next has interrupted it, and what it has said answers an earlier step. */
    cutOff: (): void => {
      interrupted = true;
      if (sinceMark.isNothingHeard) sinceMark.hasActed = false;
    },
    /** The agent begins to speak. */
    speaks: (): void => {
      spokeAt = nowMs();
    },
    /** The agent listens again. */
    listens: (): void => {
      if (turns.at(-1)?.words) isOver = true;
    },
    seen: {
      onBegin: (): void => {
        // An answer to words that went on was given up; nobody has heard it.
        thought = { decisions: [], firstWordMs: null };
        step = { words: '', calls: [] };
        watch?.begin();
      },
      onText: (text: string): void => {
        step.words += text;
        if (text.trim()) thought.firstWordMs ??= toolMs + (watch?.firstWordMs() ?? 0);
      },
      onCall: ({ name }: { name: string }): void => void step.calls.push(name),
      onEnd: (): void => {
        const words = stored(step.words).trim();
        thought.decisions.push({ ...step, words, model: model(), ms: watch?.ms() ?? 0 });
      },
    },
    /** Whether the agent has answered what was heard since the mark; a realtime model may do so before it is there. */
    isAnswered: (mark: number): boolean => sinceMark.hasActed && turns.slice(mark).some(({ heard }) => heard !== null),
    heardSince: (mark: number): string =>
      turns
        .slice(mark)
        .flatMap(({ heard }) => heard ?? [])
        .join(' '),
    saidSince: (mark: number): string =>
      turns
        .slice(mark)
        .map(({ words }) => words)
        .filter(Boolean)
        .join(' '),
  };
}
