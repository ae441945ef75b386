import { isDeepStrictEqual } from 'node:util';
import type { StandIn } from '@switchboard/scenarios/schema';

/** A call of a tool in a conversation, and its result as text; null if it never came. */
export interface RecordedCall {
  name: string;
  arguments: Record<string, unknown>;
  result: string | null;
  is_error: boolean;
}

/** The stand-in of transfers, of which none took the caller away but `taken`; one alone that did needs none. */
export function transferOf(
  calls: RecordedCall[],
  taken: RecordedCall | undefined,
): Record<string, StandIn | StandIn[]> {
  if (calls.every((call) => call === taken)) return {};
  return { transfer: inTurn(calls.map((call) => (call === taken ? {} : { status: 500 }))) };
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
