import { isDeepStrictEqual } from 'node:util';
import type { RecordedTurn } from '../scenarios/scenarios.ts';

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** A turn of a replayed conversation. */
interface ReplayedTurn {
  heard: string | null;
  words: string;
  calls: Call[];
}

/** Turns at which conversations differ, by their places; null where one has none. */
interface Fork {
  recorded: number | null;
  replayed: number | null;
}

/** The first turn that says something else than the call did, and the first that calls something else. */
export function forksOf(recorded: readonly RecordedTurn[], replayed: readonly ReplayedTurn[]) {
  const pairs = pair(recorded, replayed);
  const turnsAt = ({ recorded: one, replayed: other }: Fork) =>
    [one === null ? undefined : recorded[one], other === null ? undefined : replayed[other]] as const;
  const first = (differ: (one: RecordedTurn | undefined, other: ReplayedTurn | undefined) => boolean): Fork | null =>
    pairs.find((fork) => differ(...turnsAt(fork))) ?? null;
  return {
    words_fork: first((one, other) => plain(one?.words) !== plain(other?.words)),
    calls_fork: first((one, other) => one?.calls !== null && !isDeepStrictEqual(callsIn(one), callsIn(other))),
  };
}

/** The agent's first words belong together, and then what answers the same words of the caller. */
function pair(recorded: readonly RecordedTurn[], replayed: readonly ReplayedTurn[]): Fork[] {
  const [one, other] = [placesOf(recorded), placesOf(replayed)];
  const length = Math.max(one.answers.length, other.answers.length);
  const answers = Array.from({ length }, (_, at): Fork => {
    return { recorded: one.answers[at] ?? null, replayed: other.answers[at] ?? null };
  });
  const hasOpening = one.opening !== null || other.opening !== null;
  return [...(hasOpening ? [{ recorded: one.opening, replayed: other.opening }] : []), ...answers];
}

function placesOf(turns: readonly { heard: string | null }[]) {
  const answers = turns.flatMap(({ heard }, at) => (heard === null ? [] : [at]));
  return { opening: turns[0]?.heard === null ? 0 : null, answers };
}

const plain = (words = '') => words.trim().replaceAll(/\s+/g, ' ').toLowerCase();

function callsIn(turn: { calls: Call[] | null } | undefined): Call[] {
  return (turn?.calls ?? []).map(({ name, arguments: args }) => ({ name, arguments: args }));
}
