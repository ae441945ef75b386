import type { Analysis, Transcript } from '@switchboard/client';
import { failureText, foundText, headingOf } from '../../data/analysis-words.ts';
import { percentText } from '../../data/call-figures.ts';
import { Button } from '../../ui/button.tsx';
import { Money } from '../../ui/money.tsx';
import { Badge, type Tone } from '../../ui/status.tsx';
import { formatSeconds } from '../../ui/time.tsx';

const STATES: Record<Analysis['state'], { label: string; tone: Tone }> = {
  queued: { label: 'Waiting for a worker', tone: 'wait' },
  running: { label: 'Being read', tone: 'wait' },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

interface Props {
  analysis: Analysis;
  lines: Transcript[];
  startedAt: string | null;
  onLine: (id: string) => void;
  /** Has it made again; null while it is in progress. */
  onAgain: (() => void) | null;
  isAsking: boolean;
}

/** One analysis: what it found, and where the transcript says so. */
export function AnalysisView({ analysis, lines, startedAt, onLine, onAgain, isAsking }: Props) {
  const { state, extractor, extractor_version, summary, values, evidence, error, is_simulated } = analysis;
  const { label, tone } = STATES[state];
  return (
    <article className="analysis" aria-label={`${extractor}, version ${extractor_version}`}>
      <header>
        <h3 className="anywhere">
          {extractor} <span className="muted">version {extractor_version}</span>
        </h3>
        <Badge tone={tone}>{label}</Badge>
        {is_simulated && <span className="muted small">Simulated</span>}
        {state === 'failed' && onAgain && (
          <Button needs="requestAnalyses" icon="refresh" onClick={onAgain} isBusy={isAsking}>
            Try again
          </Button>
        )}
      </header>
      {state === 'failed' && (
        <p className="problem anywhere">
          {failureText(error)}
          {values && ' What stands here is the earlier result.'}
        </p>
      )}
      {summary && <p className="anywhere">{summary}</p>}
      {values && (
        <>
          <Figures analysis={analysis} />
          <dl className="analysis-values">
            {Object.entries(values).map(([field, value]) => (
              <div key={field}>
                <dt className="anywhere">{headingOf(field)}</dt>
                <dd>
                  <Value value={value} />
                  {lines
                    .filter(({ id }) => evidence?.[field]?.includes(id))
                    .map((line) => (
                      <Evidence key={line.id} line={line} startedAt={startedAt} onLine={onLine} />
                    ))}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </article>
  );
}

function Value({ value }: { value: unknown }) {
  const text = foundText(value);
  return text === null ? (
    <span className="muted">The transcript does not say</span>
  ) : (
    <strong className="anywhere">{text}</strong>
  );
}

/** Success, score and cost. */
function Figures({ analysis: { success, score, cost } }: { analysis: Analysis }) {
  const reached =
    success === null
      ? 'Not clear whether it reached its purpose'
      : success
        ? 'Reached its purpose'
        : 'Did not reach its purpose';
  return (
    <p className="analysis-figures">
      <Badge tone={success === null ? 'quiet' : success ? 'good' : 'warn'}>{reached}</Badge>
      {score !== null && (
        <span>
          Score <strong className="number">{percentText(score)}</strong>
        </span>
      )}
      <span className="muted">
        Cost <Money amount={cost} exact />
      </span>
    </p>
  );
}

/** Characters of a sentence that are shown. */
const MAX_QUOTED = 90;

interface EvidenceProps {
  line: Transcript;
  startedAt: string | null;
  onLine: (id: string) => void;
}

/** A sentence that says so; a click goes to it in the transcript. */
function Evidence({ line, startedAt, onLine }: EvidenceProps) {
  const { id, content, timestamp } = line;
  const since = startedAt ? (Date.parse(timestamp) - Date.parse(startedAt)) / 1000 : -1;
  const quoted = content.length > MAX_QUOTED ? `${content.slice(0, MAX_QUOTED)}…` : content;
  return (
    <button type="button" className="evidence" onClick={() => onLine(id)}>
      {since >= 0 && <span className="number muted">{formatSeconds(Math.floor(since))}</span>}
      <span className="anywhere">“{quoted}”</span>
    </button>
  );
}
