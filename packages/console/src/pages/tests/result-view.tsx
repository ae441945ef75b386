import type { Replay, TestCheck, TestConversation, TestResult } from '@switchboard/client';
import { Link } from 'wouter';
import { durationOf } from '../../data/durations.ts';
import { forkInWords } from '../../data/forks.ts';
import { costOf, endOf, inWords, plain, rateOf, whyOf } from '../../data/trace-words.ts';
import { Money } from '../../ui/money.tsx';
import { Badge, type Tone } from '../../ui/status.tsx';
import { TestStatus } from './test-status.tsx';
import { Trace } from './trace.tsx';

/** The verdict in a sentence; empty for a pass, or while it is not known. */
function verdictOf({ verdict, passed, base, critical }: TestResult): string {
  const before = base && `${base.passed} of ${base.passed + base.failed}`;
  if (verdict === 'flaky')
    return before
      ? `Flaky: it fails now and then, and is not certainly worse than before, when ${before} passed. `
      : 'Flaky: some of its runs passed. ';
  if (verdict !== 'regressed') return '';
  if (critical && passed > 0) return 'It is critical, and not every run passed. ';
  if (before && !critical) return `Regressed: before, ${before} passed. `;
  return 'None of its runs passed. ';
}

/** One scenario of a run: the outcome at a glance, and on demand how its conversations went. */
export function ResultView({ result, isOpen }: { result: TestResult; isOpen: boolean }) {
  const { name, status, ended_at, conversations, is_complete } = result;
  const why = status === 'failed' || status === 'invalid' ? whyOf(result) : null;
  return (
    <li>
      <details className="test-result" open={isOpen} aria-label={name}>
        <summary>
          <TestStatus status={status} />
          <span className="test-name">
            <span className="strong anywhere">{name}</span>
            {why && <span className="problem small anywhere">{why}</span>}
          </span>
          {ended_at !== null && <Figures result={result} />}
        </summary>
        <div className="test-detail">
          <p className="muted small">
            {verdictOf(result)}
            {result.scenario_id !== null && (
              <Link to={`/tests/scenarios/${result.scenario_id}`} className="in-text">
                Open the scenario
              </Link>
            )}
            {result.replay && (
              <Link to={`/calls/${result.replay.call_id}`} className="in-text">
                Open the call
              </Link>
            )}
          </p>
          {result.replay && conversations.length > 0 && (
            <p className="strong anywhere" role="note" aria-label="Fork">
              {forkInWords(result.replay)}
            </p>
          )}
          {conversations.map((one, at) => (
            <Conversation
              // biome-ignore lint/suspicious/noArrayIndexKey: those of an ended result never move.
              key={at}
              conversation={one}
              replay={at === 0 ? result.replay : null}
              isOnly={conversations.length === 1}
            />
          ))}
          {conversations.length === 0 && <p className="muted">No conversation was held, or none is kept.</p>}
          {!is_complete && <p className="muted small">Other conversations were too large to be kept.</p>}
        </div>
      </details>
    </li>
  );
}

/** How many runs passed, how sure that is, and what they cost. */
function Figures({ result }: { result: TestResult }) {
  const { passed, failed, runs } = result;
  const cost = costOf(result);
  return (
    <span className="muted small number">
      {passed} of {runs} passed
      {passed + failed > 1 && (
        <span title="The share of runs that pass, with 95 % certainty (Wilson interval)">
          , likely {rateOf(result)}
        </span>
      )}
      {cost !== null && cost !== '0' && (
        <>
          , <Money amount={cost} />
        </>
      )}
    </span>
  );
}

interface ConversationProps {
  conversation: TestConversation;
  /** The call that it replays. */
  replay: Replay | null;
  isOnly: boolean;
}

function Conversation({ conversation, replay, isOnly }: ConversationProps) {
  const { times, status, checks, error, world, duration_ms } = conversation;
  const hasWorld = Object.keys(world).length > 0;
  return (
    <section className="test-conversation" aria-label="Conversation">
      {!isOnly && (
        <h3>
          <TestStatus status={status} />{' '}
          <span className="muted">{times === 1 ? '1 run' : `${times} runs`} like this</span>
        </h3>
      )}
      {error && <p className="problem">{error}</p>}
      <h3>What was expected</h3>
      <ul className="test-checks">
        {checks.map((check, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the expectations of a conversation never move.
          <Expected key={at} check={check} />
        ))}
      </ul>
      <h3>How it went</h3>
      <Trace conversation={conversation} replay={replay} />
      <p className="muted small">
        In the end {endOf(conversation)}, after {durationOf(duration_ms)} of the conversation’s own clock.
        {hasWorld && ` What the tools kept: ${inWords(world)}.`}
      </p>
    </section>
  );
}

const OUTCOMES: Record<TestCheck['outcome'], { label: string; tone: Tone }> = {
  passed: { label: 'Met', tone: 'good' },
  failed: { label: 'Not met', tone: 'bad' },
  undecided: { label: 'Not decided', tone: 'warn' },
  not_checked: { label: 'Not checked', tone: 'quiet' },
};

/** An expectation, and the fact that decided about it. */
function Expected({ check }: { check: TestCheck }) {
  const { label, tone } = OUTCOMES[check.outcome];
  return (
    <li>
      <Badge tone={tone}>{label}</Badge>
      <div className="stack">
        <span className="anywhere">{plain(check.expected)}</span>
        {check.outcome !== 'passed' && (
          <span className={check.outcome === 'not_checked' ? 'muted anywhere' : 'problem anywhere'}>
            Found: {plain(check.found)}
          </span>
        )}
        {check.votes?.map(({ holds, reason }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: votes never move.
          <span key={at} className="muted small anywhere">
            Vote {at + 1}, {holds === null ? 'undecided' : holds ? 'true' : 'not true'}: {reason}
          </span>
        ))}
      </div>
    </li>
  );
}
