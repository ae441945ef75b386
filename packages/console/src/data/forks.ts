import type { Replay } from '@switchboard/client';
import { inWords } from './trace-words.ts';

/** The first difference in a turn of a replayed conversation, and how that was in the call. */
export interface Fork {
  what: 'words' | 'calls';
  /** The call at that turn, in words. */
  recorded: string;
}

type Of = Pick<Replay, 'turns' | 'words_fork' | 'calls_fork'>;

/** The forks in one turn of the replayed conversation. */
export function forksAt({ turns, words_fork, calls_fork }: Of, turn: number): Fork[] {
  const at = (fork: Replay['words_fork']) => (fork?.recorded == null ? undefined : turns[fork.recorded]);
  const words = words_fork?.replayed === turn ? [{ what: 'words' as const, recorded: saidIn(at(words_fork)) }] : [];
  const calls = calls_fork?.replayed === turn ? [{ what: 'calls' as const, recorded: calledIn(at(calls_fork)) }] : [];
  return [...words, ...calls];
}

/** Where a replay goes another way, in a sentence. */
export function forkInWords({ turns, words_fork, calls_fork }: Of): string {
  const placeOf = ({ recorded, replayed }: NonNullable<Replay['words_fork']>) => {
    if (replayed !== null) return `in turn ${replayed + 1}`;
    const heard = recorded === null ? null : turns[recorded]?.heard;
    return heard ? `at “${heard}”, which it does not hear any more` : 'at the beginning, where it says nothing';
  };
  const parts = [
    ...(words_fork ? [`says something else for the first time ${placeOf(words_fork)}`] : []),
    ...(calls_fork ? [`calls something else for the first time ${placeOf(calls_fork)}`] : []),
  ];
  if (parts.length > 0) return `The agent ${parts.join(', and ')}.`;
  const isKnown = turns.some(({ calls }) => calls !== null);
  return isKnown ? 'The agent says and calls the same.' : 'The agent says the same.';
}

type Turn = Replay['turns'][number];

const saidIn = (turn: Turn | undefined) => turn?.words || 'nothing';

function calledIn(turn: Turn | undefined): string {
  const calls = turn?.calls ?? [];
  if (calls.length === 0) return 'nothing';
  return calls
    .map(({ name, arguments: given }) => (Object.keys(given).length === 0 ? name : `${name} with ${inWords(given)}`))
    .join(', then ');
}
