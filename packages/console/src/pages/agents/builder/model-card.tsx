import type { ReactNode } from 'react';
import { useMeasures } from '../../../data/agent-measures.ts';
import { labelAt } from '../../../data/form-fields.ts';
import { type ModelKind, modelChoices, PROVIDERS } from '../../../data/model-choices.ts';
import { ChoiceField, TextField } from './fields.tsx';
import { useField, useForm } from './form.ts';
import { ModelCheck } from './model-check.tsx';
import { ModelList } from './model-list.tsx';

interface Props {
  kind: ModelKind;
  /** Name of the latency that is measured. */
  measured: string;
  agentId: string;
  /** Further fields. */
  children: ReactNode;
}

/** One model: its provider, the model with price and latency, and its settings. */
export function ModelCard({ kind, measured, agentId, children }: Props) {
  const { config } = useForm();
  const title = labelAt([kind]);
  const provider = useField([kind, 'provider']);
  const model = useField([kind, 'model']);
  const current = typeof model.value === 'string' ? model.value : undefined;
  const promptLength = typeof config.instructions === 'string' ? config.instructions.length : 0;
  const measures = { ...useMeasures(agentId), promptLength, current };
  const name = typeof provider.value === 'string' ? provider.value : 'openai';
  return (
    <section className="model-card" aria-label={title}>
      <div className="model-head">
        <h2>{title}</h2>
        <ChoiceField path={[kind, 'provider']} labels={PROVIDERS} unset="Not set: OpenAI" />
      </div>
      <ModelList
        name={`${kind}-model`}
        label={model.label}
        measured={measured}
        choices={modelChoices(kind, name, measures)}
        chosen={current}
        problem={model.problem}
        onChoose={model.change}
      />
      <div className="model-settings">{children}</div>
      <ModelCheck kind={kind} />
      <details className="advanced">
        <summary>Address of a compatible server</summary>
        <TextField
          path={[kind, 'base_url']}
          type="url"
          hint="Only those that the worker’s operator has listed in MODEL_BASE_URLS."
          placeholder="http://127.0.0.1:11434/v1"
        />
      </details>
    </section>
  );
}
