import { BLANK, TEMPLATES, type Template } from '@switchboard/templates';
import { useLocation } from 'wouter';
import type { PortableAgent } from '../../data/agent-file.ts';
import { useCreateAgent, useImportAgent } from '../../data/agents.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useMay } from '../../ui/permission.ts';
import { ImportAgent } from './import-agent.tsx';

/** Agents to begin with: one click creates one. */
export function Templates({ isFirst = false }: { isFirst?: boolean }) {
  const create = useCreateAgent();
  const take = useImportAgent();
  const [, navigate] = useLocation();
  const mayCreate = useMay('createAgent');
  if (!mayCreate) return isFirst ? <Empty title="No agents" text="Nobody has created an agent yet." /> : null;
  const begin = (agent: PortableAgent, more = '') =>
    create.mutate(agent, { onSuccess: ({ id }) => navigate(`/agents/${id}${more}`) });
  // The agent's page offers the tests of its template.
  const beginWith = ({ key, name, description, config }: Template) =>
    begin({ name, description, config: { ...config } }, key === BLANK.key ? '' : `?template=${key}`);
  return (
    <section className="templates" aria-label="Templates">
      {isFirst && (
        <div className="welcome">
          <h2>Create your first agent</h2>
          <p className="muted">
            An agent talks on the phone, with the instructions, models and voice that you give it. Choose a template,
            then have the agent call you. Everything can be changed later.
          </p>
        </div>
      )}
      <div className="cards">
        {TEMPLATES.map((template) => (
          <Card key={template.name} template={template} isBusy={create.isPending} onChoose={beginWith} />
        ))}
      </div>
      <div className="actions">
        <button type="button" className="button plain" disabled={create.isPending} onClick={() => beginWith(BLANK)}>
          <Icon name="plus" />
          {BLANK.name}
        </button>
        <ImportAgent
          onImport={(agent) => take.mutate(agent, { onSuccess: ({ id }) => navigate(`/agents/${id}`) })}
          isBusy={take.isPending}
        />
      </div>
      {create.error && <Failure error={create.error} />}
      {take.error && <Failure error={take.error} />}
    </section>
  );
}

interface CardProps {
  template: Template;
  isBusy: boolean;
  onChoose: (template: Template) => void;
}

function Card({ template, isBusy, onChoose }: CardProps) {
  return (
    <button type="button" className="card" disabled={isBusy} onClick={() => onChoose(template)}>
      <span className="strong">{template.name}</span>
      <span className="muted">{template.description}</span>
      <span className="card-shows">
        {template.shows.map((one) => (
          <span key={one}>{one}</span>
        ))}
      </span>
      <span className="card-action">
        Create <Icon name="plus" size={14} />
      </span>
    </button>
  );
}
