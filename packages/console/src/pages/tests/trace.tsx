import type { Replay, TestConversation, TestToolCall, TestTurn } from '@switchboard/client';
import type { ReactNode } from 'react';
import { durationOf } from '../../data/durations.ts';
import { type Fork, forksAt } from '../../data/forks.ts';
import { answerInWords, brokenIn, inWords, stepsOf } from '../../data/trace-words.ts';

interface TraceProps {
  conversation: TestConversation;
  /** The call that it replays. */
  replay: Replay | null;
}

/** The turns of a conversation: what was heard, decided, called and said, and how long each took. */
export function Trace({ conversation: { turns, checks }, replay }: TraceProps) {
  if (turns.length === 0) return <p className="muted">Nobody said anything.</p>;
  return (
    <ol className="trace">
      {turns.map((turn, at) => (
        <Turn
          // biome-ignore lint/suspicious/noArrayIndexKey: turns never move.
          key={at}
          turn={turn}
          number={at + 1}
          broken={brokenIn(turn, checks)}
          forks={replay ? forksAt(replay, at) : []}
        />
      ))}
    </ol>
  );
}

interface TurnProps {
  turn: TestTurn;
  number: number;
  /** The expectations that it does not meet. */
  broken: string[];
  /** The first differences from the call that is replayed. */
  forks: Fork[];
}

function Turn({ turn, number, broken, forks }: TurnProps) {
  const { at_ms, heard, interrupted, words, first_word_ms, first_audio_ms } = turn;
  const silent = number === 1 ? 'Nothing: the agent begins.' : 'Nothing: the caller is silent.';
  return (
    <li data-broken={broken.length > 0 || undefined} data-fork={forks.length > 0 || undefined}>
      <p className="trace-head">
        <strong>Turn {number}</strong> <span className="muted number">at {durationOf(at_ms)}</span>
      </p>
      <dl>
        <Step name={interrupted ? 'Interrupted by' : 'Heard'}>{heard ?? <span className="muted">{silent}</span>}</Step>
        {stepsOf(turn).map((step, at) =>
          'called' in step ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps never move.
            <Called key={at} call={step.called} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps never move.
            <Step key={at} name="Decided" ms={step.ms}>
              {step.decided}
            </Step>
          ),
        )}
        <Step
          name="Said"
          ms={first_audio_ms ?? first_word_ms}
          of={typeof first_audio_ms === 'number' ? 'until the first sound' : 'until the first word'}
        >
          {words || <span className="muted">Nothing</span>}
        </Step>
        {forks.map(({ what, recorded }) => (
          <Step key={what} name="Fork">
            <strong>{what === 'words' ? 'In the call it said: ' : 'In the call it called: '}</strong>
            {recorded}
          </Step>
        ))}
        {broken.map((expected) => (
          <Step key={expected} name="Wrong here">
            <span className="problem">Expected: {expected}</span>
          </Step>
        ))}
      </dl>
    </li>
  );
}

interface StepProps {
  name: string;
  /** How long it took. */
  ms?: number | null | undefined;
  /** The part that took so long. */
  of?: string;
  children: ReactNode;
}

function Step({ name, ms = null, of, children }: StepProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="anywhere">{children}</dd>
      <dd className="muted small number">{ms !== null && `${durationOf(ms)}${of ? ` ${of}` : ''}`}</dd>
    </div>
  );
}

function Called({ call: { name, arguments: given, text, is_error, ms } }: { call: TestToolCall }) {
  return (
    <Step name="Called" ms={ms}>
      <strong>{name}</strong>
      {Object.keys(given).length > 0 && <> with {inWords(given)}</>}
      <br />
      <span className={is_error ? 'problem' : 'muted'}>
        {is_error ? 'It failed: ' : 'It answered: '}
        {answerInWords(text)}
      </span>
    </Step>
  );
}
