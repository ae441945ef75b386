import type { AnalysisBackfillCreate, Extractor } from '@switchboard/client';
import { useState } from 'react';
import { useAgents } from '../../data/agents.ts';
import { useBackfillActions, useBackfillEstimate } from '../../data/analyses.ts';
import { type BackfillChoice, toBackfill } from '../../data/backfill-choice.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { useFormatMoney } from '../../ui/money.tsx';
import { Section } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useSettled } from '../../ui/settled.ts';
import { DIRECTIONS } from './call-choice.tsx';

const ALL = { agent_id: '', agent_version: '', direction: '', from: '', to: '' };

/** Chooses calls, says how many they are and what their analysis would cost, and starts it. */
export function BackfillForm({ extractors }: { extractors: Extractor[] }) {
  const [choice, setChoice] = useState<BackfillChoice>({ extractor: extractors[0]?.name ?? '', ...ALL });
  const agents = useAgents().data ?? [];
  const change = (part: Partial<BackfillChoice>) => setChoice({ ...choice, ...part });
  const { wanted, problem } = toBackfill(choice);
  const set = (name: keyof BackfillChoice) => (value: string) => change({ [name]: value });
  return (
    <Section title="Analyse calls that have ended">
      <p className="muted">
        The newest calls come first. Those that this version of the extractor has read are left out.
      </p>
      <div className="columns backfill">
        <Select
          label="Extractor"
          value={choice.extractor}
          options={extractors.map(({ name, version }) => [name, `${name}, version ${version}`])}
          onChange={set('extractor')}
        />
        <Select
          label="Agent"
          value={choice.agent_id}
          options={[['', 'Any agent'], ...agents.map(({ id, name }): [string, string] => [id, name])]}
          onChange={(agent_id) => change({ agent_id, agent_version: '' })}
        />
        <AgentVersion choice={choice} onChange={set('agent_version')} />
        <Select
          label="Direction"
          value={choice.direction}
          options={[['', 'Any direction'], ...Object.entries(DIRECTIONS)]}
          onChange={set('direction')}
        />
        <Day label="From" value={choice.from} onChange={set('from')} />
        <Day label="To" value={choice.to} onChange={set('to')} />
      </div>
      {problem ? <Problem>{problem}</Problem> : wanted && <Estimate wanted={wanted} />}
    </Section>
  );
}

interface VersionProps {
  choice: BackfillChoice;
  onChange: (version: string) => void;
}

function AgentVersion({ choice: { agent_id, agent_version }, onChange }: VersionProps) {
  return (
    <Field label="Version of the agent">
      <input
        type="number"
        min={1}
        step={1}
        placeholder={agent_id ? 'Any' : 'Choose an agent first'}
        disabled={!agent_id}
        value={agent_version}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: [value: string, text: string][];
  onChange: (value: string) => void;
}

const Select = ({ label, value, options, onChange }: SelectProps) => (
  <Field label={label}>
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </Field>
);

const Day = ({ label, value, onChange }: Omit<SelectProps, 'options'>) => (
  <Field label={label}>
    <input type="date" value={value} onChange={({ target }) => onChange(target.value)} />
  </Field>
);

/** The calls and their cost, before anything is done; then the start, which is confirmed. */
function Estimate({ wanted: now }: { wanted: AnalysisBackfillCreate }) {
  const text = useSettled(JSON.stringify(now));
  const wanted: AnalysisBackfillCreate = JSON.parse(text);
  const estimate = useBackfillEstimate(wanted);
  const { start } = useBackfillActions();
  const [isAsking, setAsking] = useState(false);
  const format = useFormatMoney();
  const { calls, estimated_cost } = estimate.data ?? {};
  const isKnown = calls != null && text === JSON.stringify(now);
  const many = calls === 1 ? '1 call' : `${calls?.toLocaleString('en')} calls`;
  const cost = estimated_cost == null ? null : format(estimated_cost);
  const price = cost === null ? 'What that costs is known after the first analysis.' : `That costs about ${cost}.`;
  return (
    <>
      {estimate.error && <Failure error={estimate.error} onRetry={estimate.refetch} />}
      <div className="form-end">
        <p role="status" aria-label="Estimate">
          {isKnown ? (
            <>
              <strong>{calls === 0 ? 'No call matches.' : many}</strong>
              {calls > 0 && <span className="muted"> {price} Calls without a transcript cost nothing.</span>}
            </>
          ) : (
            !estimate.error && <span className="muted">Counting…</span>
          )}
        </p>
        <Button kind="primary" disabled={!isKnown || calls === 0} onClick={() => setAsking(true)}>
          Analyse them…
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={`Analyse ${many} with ${wanted.extractor}?`}
          text={`${price} It can be canceled: what is analysed by then stays.`}
          action="Analyse"
          kind="primary"
          mutation={{ ...start, mutate: (_: undefined, options) => start.mutate(wanted, options) }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
