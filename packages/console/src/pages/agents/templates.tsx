import { useLocation } from 'wouter';
import { useCreateAgent } from '../../data/agents.ts';
import { TEMPLATES } from '../../data/templates.ts';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Agent templates: one click creates an agent. */
export function Templates({ isFirst = false }: { isFirst?: boolean }) {
  const create = useCreateAgent();
  const [, navigate] = useLocation();
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
          <button
            key={template.name}
            type="button"
            className="card"
            disabled={create.isPending}
            onClick={() => create.mutate(template, { onSuccess: ({ id }) => navigate(`/agents/${id}`) })}
          >
            <span className="strong">{template.name}</span>
            <span className="muted">{template.description}</span>
            <span className="card-action">
              Create <Icon name="plus" size={14} />
            </span>
          </button>
        ))}
      </div>
      {create.error && <Failure error={create.error} />}
    </section>
  );
}
