import type { ChatToolCall } from '@switchboard/client';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { argumentsText, type ChatLine } from '../../../data/chat-lines.ts';
import type { ChatState } from '../../../data/draft-chat.ts';
import { failedOverText } from '../../../data/failovers.ts';
import { useMay } from '../../../ui/permission.ts';

interface Props {
  state: ChatState;
  isSimulated: boolean;
  /** Whether there is a note below. */
  isChanged: boolean;
  onRewind: (index: number) => void;
  /** Shown before the first message. */
  children: ReactNode;
}

/** The messages of both sides; the last one stays in view. */
export function Conversation({ state, isSimulated, isChanged, onRewind, children }: Props) {
  const { lines, answer, changedAfter, doing, error } = state;
  const frame = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may move the end out of view.
  useEffect(() => {
    if (lines.length > 0) frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, [lines, answer, error, isChanged]);
  const mayRewind = useMay('rewindChat');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard.
    <div className="chat-lines" role="log" aria-label="Messages" aria-busy={answer !== null} tabIndex={0} ref={frame}>
      {children}
      {lines.map((line, index) => (
        <Fragment key={line.id}>
          {changedAfter.includes(index) && <Changed />}
          <Line
            line={line}
            isSimulated={isSimulated}
            isBusy={doing !== null}
            {...(mayRewind && !isLastAnswer(lines, index) && { onRewind: () => onRewind(index) })}
          />
        </Fragment>
      ))}
      {changedAfter.includes(lines.length) && !answer && <Changed />}
      {answer && <Answer {...answer} content={answer.words || '…'} isSimulated={isSimulated} />}
    </div>
  );
}

/** Nothing follows it. */
const isLastAnswer = (lines: ChatLine[], index: number) =>
  index === lines.length - 1 && lines[index]?.speaker === 'AGENT';

const Changed = () => <p className="chat-changed muted small">The changed draft goes on from here</p>;

interface LineProps {
  line: ChatLine;
  isSimulated: boolean;
  isBusy: boolean;
  /** Absent without permission. */
  onRewind?: () => void;
}

function Line({ line, isSimulated, isBusy, onRewind }: LineProps) {
  const rewind = onRewind && (
    <button type="button" className="link" disabled={isBusy} onClick={onRewind}>
      Rewind to here
    </button>
  );
  if (line.speaker === 'AGENT')
    return (
      <Answer {...line} isSimulated={isSimulated}>
        {rewind}
      </Answer>
    );
  return (
    <div className="chat-line user">
      <p className="chat-words">{line.content}</p>
      {rewind}
    </div>
  );
}

type AnswerProps = Pick<ChatLine, 'content' | 'tools' | 'failovers'> & { isSimulated: boolean; children?: ReactNode };

function Answer({ content, tools, failovers, isSimulated, children }: AnswerProps) {
  return (
    <div className="chat-line agent">
      {failovers.map((over, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same models may repeat, and none moves.
        <p key={at} className="chat-failover small">
          {failedOverText(over)}
        </p>
      ))}
      {tools.map((tool) => (
        <Tool key={tool.call_id} tool={tool} isSimulated={isSimulated} />
      ))}
      <p className="chat-words">{content}</p>
      {children}
    </div>
  );
}

function Tool({ tool, isSimulated }: { tool: ChatToolCall; isSimulated: boolean }) {
  return (
    <div className="chat-tool">
      <p className="chat-tool-head">
        <strong>{tool.name}</strong>
        {isSimulated && <span className="muted small">Simulated: nothing was called</span>}
      </p>
      <dl className="small">
        <dt>Arguments</dt>
        <dd>
          <code>{argumentsText(tool)}</code>
        </dd>
        <dt>{tool.is_error ? 'Error' : 'Result'}</dt>
        <dd className={tool.is_error ? 'problem' : undefined}>
          <code>{tool.result ?? '…'}</code>
        </dd>
      </dl>
    </div>
  );
}
