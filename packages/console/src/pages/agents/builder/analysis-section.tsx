import type { Extractor } from '@switchboard/client';
import { Link } from 'wouter';
import { type NamedState, namedStates, withExtractor } from '../../../data/agent-extractors.ts';
import { fieldsOf } from '../../../data/extractor-content.ts';
import { contentOf, MAX_AGENT_EXTRACTORS, useExtractors } from '../../../data/extractors.ts';
import { Failure } from '../../../ui/failure.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { SwitchField } from './fields.tsx';
import { useField, useForm, useProblems } from './form.ts';

const PATH = ['extractors'] as const;

/** The extractors that read the calls of an agent. */
export function AnalysisSection() {
  const { label } = useField(PATH);
  const { config } = useForm();
  const known = useExtractors();
  const states = known.data ? namedStates(config, known.data) : [];
  return (
    <>
      <p className="muted">
        After each call these extractors read its transcript. What they ask is on the page{' '}
        <Link to="/analysis" className="in-text">
          Analysis
        </Link>
        .
      </p>
      {known.isPending && <Skeleton lines={3} />}
      {known.error && <Failure error={known.error} onRetry={known.refetch} />}
      {known.data?.length === 0 && (
        <p className="notice" role="status">
          <span>
            There are no extractors yet.{' '}
            <Link to="/analysis" className="in-text">
              Make one
            </Link>{' '}
            first.
          </span>
        </p>
      )}
      {known.data && known.data.length > 0 && (
        <fieldset className="radios">
          <legend className="label">{label}</legend>
          {known.data.map((one) => (
            <Choice key={one.id} extractor={one} named={states.find(({ name }) => name === one.name)} />
          ))}
        </fieldset>
      )}
      <Missing states={states.filter(({ isMissing }) => isMissing)} />
      <Problems />
      {states.length > MAX_AGENT_EXTRACTORS && (
        <Problem>An agent has at most {MAX_AGENT_EXTRACTORS} extractors.</Problem>
      )}
      <SwitchField
        path={['report_waits_for_analyses']}
        hint="Then call.report has what the extractors found. It waits for a quarter of an hour at most."
      />
    </>
  );
}

/** One extractor, and the version of it that calls get. */
function Choice({ extractor, named }: { extractor: Extractor; named: NamedState | undefined }) {
  const { value, change } = useField(PATH);
  const { name, version } = extractor;
  const asked = fieldsOf(contentOf(extractor)).map((field) => field.name);
  const isOld = named?.version != null && named.version < version;
  return (
    <div className="extractor-choice">
      <label>
        <input
          type="checkbox"
          checked={named !== undefined}
          onChange={({ target }) => change(withExtractor(value, name, target.checked))}
        />
        <span>
          {name}
          <span className="hint">{asked.join(', ')}</span>
        </span>
      </label>
      {isOld && (
        <p className="muted small">
          Calls get version {named.version}; the newest is {version}.{' '}
          <button type="button" className="link" onClick={() => change(withExtractor(value, name, true))}>
            Take the newest
          </button>
        </p>
      )}
    </div>
  );
}

/** Extractors that the configuration names and that there are not: the agent cannot be published with them. */
function Missing({ states }: { states: NamedState[] }) {
  const { value, change } = useField(PATH);
  return states.map(({ text, name, newest }) => (
    <div key={text} className="notice row" role="alert">
      <p>
        {newest === null ? (
          <>
            There is no extractor <strong>{name}</strong>.
          </>
        ) : (
          <>
            There is no version <strong>{text}</strong>: the newest is {newest}.
          </>
        )}{' '}
        The agent cannot be published with it.
      </p>
      <button type="button" className="button plain" onClick={() => change(withExtractor(value, name, false))}>
        Remove it
      </button>
    </div>
  ));
}

function Problems() {
  return useProblems(PATH).map((msg) => <Problem key={msg}>{msg}</Problem>);
}
