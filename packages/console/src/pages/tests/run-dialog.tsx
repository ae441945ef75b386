import type { Agent, ScenarioSummary, Suite } from '@switchboard/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAgents } from '../../data/agents.ts';
import { useTestActions, useTestRuns } from '../../data/tests.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { DRAFT, VersionField, versionOf } from './version-field.tsx';

interface Props {
  /** A suite, or one scenario, that is run. */
  suite?: Suite;
  scenario?: ScenarioSummary;
  /** The agent that is asked for first. */
  agentId?: string | null;
  onClose: () => void;
}

/** The most runs of one scenario that the service takes. */
const MAX_RUNS = 100;
const NO_BASE = { value: '', label: 'Nothing' };

/** Asks which agent, which version of it, and how often; then runs it. */
export function RunDialog({ suite, scenario, agentId, onClose }: Props) {
  const agents = useAgents();
  const latest = useTestRuns().data?.pages[0]?.items[0]?.agent_id;
  const [chosen, setChosen] = useState(agentId ?? '');
  const [version, setVersion] = useState(DRAFT.value);
  const [base, setBase] = useState(NO_BASE.value);
  const [runs, setRuns] = useState('');
  const { start } = useTestActions();
  const [, navigate] = useLocation();
  const known = agents.data ?? [];
  const agent = [chosen, latest, known[0]?.id].find((id) => known.some((one) => one.id === id)) ?? '';
  const wanted = {
    agent_id: agent,
    agent_version: versionOf(version),
    ...(suite ? { suite: suite.id } : { scenarios: scenario ? [scenario.id] : [] }),
    ...(runs && { runs: Number(runs) }),
    ...(base && { base_version: Number(base) }),
  };
  const error = start.error ?? agents.error;
  return (
    <FormDialog
      title={`Run ${suite?.name ?? scenario?.name ?? ''}`}
      action="Run"
      isBusy={start.isPending}
      isDisabled={agent === ''}
      onSubmit={() => start.mutate(wanted, { onSuccess: ({ id }) => navigate(`/tests/runs/${id}`) })}
      onClose={onClose}
      ask={(api) => api.testRuns.start(wanted)}
    >
      {agents.data?.length === 0 && <p className="problem">There is no agent to test: create one first.</p>}
      <AgentField
        agents={known}
        value={agent}
        onChange={(id) => {
          setChosen(id);
          setVersion(DRAFT.value);
          setBase(NO_BASE.value);
        }}
      />
      {agent && <TestedVersion key={agent} agentId={agent} value={version} onChange={setVersion} />}
      <RunsField value={runs} onChange={setRuns} />
      {agent && <BaseVersion key={`base of ${agent}`} agentId={agent} value={base} onChange={setBase} />}
      <Problem>{error && messageOf(error)}</Problem>
    </FormDialog>
  );
}

interface VersionProps {
  agentId: string;
  value: string;
  onChange: (version: string) => void;
}

const TestedVersion = (props: VersionProps) => (
  <VersionField
    {...props}
    label="Version"
    hint="The draft is what the agent’s page shows now; without changes, it is what calls get."
    first={DRAFT}
  />
);

const BaseVersion = (props: VersionProps) => (
  <VersionField
    {...props}
    label="Compare with"
    hint="The latest results of that version tell a worse agent from one that fails now and then: run it at least four times."
    first={NO_BASE}
  />
);

interface AgentProps {
  agents: Agent[];
  value: string;
  onChange: (id: string) => void;
}

function AgentField({ agents, value, onChange }: AgentProps) {
  return (
    <Field label="Agent">
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {agents.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

function RunsField({ value, onChange }: { value: string; onChange: (runs: string) => void }) {
  return (
    <Field label="Runs of each scenario" hint="Empty: as often as the scenario itself says.">
      <input
        type="number"
        min={1}
        max={MAX_RUNS}
        step={1}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}
