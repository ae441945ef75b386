import { asksToStop } from '@switchboard/rules/opt-out';
import { OPT_OUT_TOOL } from '@switchboard/scenarios/agent';
import type { Session } from '../../conversations/sessions/sessions.ts';
import type { SaidAndCalled } from './recorded-turns.ts';
import type { RecordedCall } from './stand-ins.ts';

/** How an agent has ended a conversation, and in which line. */
export interface Ending {
  at: number;
  end_reason: 'agent_hung_up' | 'transferred';
  opted_out?: true;
  /** The transfer that took the caller away, if it is known. */
  transfer?: RecordedCall | undefined;
}

type Lines = readonly SaidAndCalled[];

/** The first thing with which an agent has ended a conversation; null if the caller did, or somebody else. */
export function endingOf(
  { end_reason, transferred_to }: Pick<Session, 'end_reason' | 'transferred_to'>,
  lines: Lines,
  takesRefusals: boolean,
): Ending | null {
  const lastOf = (tool: string) => lines.findLastIndex(({ calls }) => calls.some(hasDone(tool)));
  const isNothingKnown = lines.every(({ calls }) => calls.length === 0);
  const transferred = isNothingKnown ? lines.length : lastOf('transfer');
  const left = lastOf('hang_up');
  // Words after it count only if the call has not ended with it: the caller says goodbye, too.
  const hasLeft = end_reason === 'ended_by_agent' || !lines.some((line, at) => at > left && isHeard(line));
  const transfer = lines[transferred]?.calls.findLast(hasDone('transfer'));
  const found: Ending[] = [
    { at: takesRefusals ? lines.findIndex(isRefusal) : -1, end_reason: 'agent_hung_up', opted_out: true },
    { at: transferred_to === null ? -1 : transferred, end_reason: 'transferred', transfer },
    { at: hasLeft ? left : -1, end_reason: 'agent_hung_up' },
  ];
  const [first = null] = found.filter(({ at }) => at !== -1).sort((a, b) => a.at - b.at);
  return first;
}

/** The lines until then. A realtime model may have ended the call before the words that it answers were reported. */
export function linesUntil(lines: Lines, { at }: Ending): SaidAndCalled[] {
  const untilThen = [...lines.slice(0, at).filter(isSpoken), ...lines.slice(at, at + 1).filter(isHeard)];
  const late =
    untilThen.at(-1)?.speaker === 'USER' ? -1 : lines.findIndex((line, index) => index > at && isHeard(line));
  return lines.slice(0, Math.max(at, late) + 1);
}

const hasDone =
  (tool: string) =>
  ({ name, is_error }: RecordedCall): boolean =>
    name === tool && !is_error;

const isSpoken = ({ content }: SaidAndCalled) => content.trim() !== '';
const isHeard = (line: SaidAndCalled) => line.speaker === 'USER' && isSpoken(line);
const isRefusal = ({ speaker, content, calls }: SaidAndCalled) =>
  (speaker === 'USER' && asksToStop(content)) || calls.some(hasDone(OPT_OUT_TOOL));
