import type { Agent, ScenarioSummary, Suite } from '@switchboard/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAgents } from '../../data/agents.ts';
import { useTestActions, useTestRuns } from '../../data/tests.ts';
import { useVersions } from '../../data/versions.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

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

/** Asks which agent, which version of it, and how often; then runs it. */
export function RunDialog({ suite, scenario, agentId, onClose }: Props) {
  const agents = useAgents();
  const latest = useTestRuns().data?.pages[0]?.items[0]?.agent_id;
  const [chosen, setChosen] = useState(agentId ?? '');
  const [version, setVersion] = useState('draft');
  const [runs, setRuns] = useState('');
  const { start } = useTestActions();
  const [, navigate] = useLocation();
  const known = agents.data ?? [];
  const agent = [chosen, latest, known[0]?.id].find((id) => known.some((one) => one.id === id)) ?? '';
  const submit = () =>
    start.mutate(
      {
        agent_id: agent,
        agent_version: version === 'draft' ? 'draft' : Number(version),
        ...(suite ? { suite: suite.id } : { scenarios: scenario ? [scenario.id] : [] }),
        ...(runs && { runs: Number(runs) }),
      },
      { onSuccess: ({ id }) => navigate(`/tests/runs/${id}`) },
    );
  const error = start.error ?? agents.error;
  return (
    <FormDialog
      title={`Run ${suite?.name ?? scenario?.name ?? ''}`}
      action="Run"
      isBusy={start.isPending}
      isDisabled={agent === ''}
      onSubmit={submit}
      onClose={onClose}
    >
      {agents.data?.length === 0 && <p className="problem">There is no agent to test: create one first.</p>}
      <AgentField
        agents={known}
        value={agent}
        onChange={(id) => {
          setChosen(id);
          setVersion('draft');
        }}
      />
      {agent && <VersionField key={agent} agentId={agent} value={version} onChange={setVersion} />}
      <RunsField value={runs} onChange={setRuns} />
      {error && (
        <p className="problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </FormDialog>
  );
}

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

interface VersionProps {
  agentId: string;
  value: string;
  onChange: (version: string) => void;
}

function VersionField({ agentId, value, onChange }: VersionProps) {
  const versions = useVersions(agentId).data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Field label="Version" hint="The draft is what the agent’s page shows now; without changes, it is what calls get.">
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="draft">The draft</option>
        {versions.map(({ number, note }) => (
          <option key={number} value={number}>
            {`Version ${number}${note ? `: ${note.slice(0, 60)}` : ''}`}
          </option>
        ))}
      </select>
    </Field>
  );
}
