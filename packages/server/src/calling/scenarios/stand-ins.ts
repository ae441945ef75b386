import { isDeepStrictEqual } from 'node:util';
import type { StandIn } from '@switchboard/scenarios/schema';

/** A call of a tool in a conversation, and its result as text; null if it never came. */
export interface RecordedCall {
  name: string;
  arguments: Record<string, unknown>;
  result: string | null;
  is_error: boolean;
}

/** A call of a tool, and whether the caller has said something after it. */
export interface Called extends RecordedCall {
  goesOn: boolean;
}

/** Whether a transfer has not taken the caller away: it was refused, or nobody answered there. */
export const isMissed = ({ is_error, goesOn }: Called): boolean => is_error || goesOn;

/** The stand-in of transfers of which one was missed; the others need none. */
export function transferOf(calls: Called[]): Record<string, StandIn | StandIn[]> {
  const made = calls.filter(({ name }) => name === 'transfer');
  if (!made.some(isMissed)) return {};
  return { transfer: inTurn(made.map((call) => (isMissed(call) ? { status: 500 } : {}))) };
}

/**
 * Stand-ins for functions, which answer as those of a conversation did: the first call as the first one, and so on.
 * One that was not called, or whose results are longer than `maxLength` characters in all, says that all is well.
 */
export function standInsOf(names: string[], calls: RecordedCall[], maxLength: number) {
  let length = 0;
  const entries = names.map((name): [string, StandIn | StandIn[]] => {
    const theirs = calls.filter((call) => call.name === name);
    const added = theirs.reduce((sum, { result }) => sum + (result?.length ?? 0), 0);
    if (theirs.length === 0 || length + added > maxLength) return [name, {}];
    length += added;
    return [name, inTurn(theirs.map(answerOf))];
  });
  return Object.fromEntries(entries);
}

/** One stand-in if all are the same; otherwise the last one answers whatever is called after it, too. */
function inTurn(answers: StandIn[]): StandIn | StandIn[] {
  const [first = {}] = answers;
  if (answers.every((one) => isDeepStrictEqual(one, first))) return first;
  return answers.map((one, at) => (at === answers.length - 1 ? one : { ...one, on_call: at + 1 }));
}

function answerOf({ result, is_error }: RecordedCall): StandIn {
  if (result === null) return { time_out: true };
  if (is_error) return { status: 500 };
  try {
    return { return: JSON.parse(result) };
  } catch {
    return { text: result };
  }
}
