import type { ModelKind } from '@switchboard/client';
import type { ReactNode } from 'react';
import { useMeasures } from '../../../data/agent-measures.ts';
import type { Path } from '../../../data/config-paths.ts';
import { modelChoices, PROVIDERS } from '../../../data/model-choices.ts';
import { useMay } from '../../../ui/permission.ts';
import { ChoiceField, TextField } from './fields.tsx';
import { useField, useForm } from './form.ts';
import { ModelCheck } from './model-check.tsx';
import { ModelList } from './model-list.tsx';

interface Props {
  kind: ModelKind;
  path: Path;
  title: string;
  /** Name of the latency that is measured. */
  measured: string;
  agentId: string;
  /** Whether it takes over from others. */
  isLater: boolean;
  /** Buttons that move it among others. */
  order: ReactNode;
  /** Further fields. */
  children: ReactNode;
}

/** A model: its provider, the model with price and latency, and its settings. */
export function ModelCard({ kind, path, title, measured, agentId, isLater, order, children }: Props) {
  const { config } = useForm();
  const provider = useField([...path, 'provider']);
  const model = useField([...path, 'model']);
  const current = typeof model.value === 'string' ? model.value : undefined;
  const promptLength = typeof config.instructions === 'string' ? config.instructions.length : 0;
  const may = { readPrices: useMay('listPrices'), readCosts: useMay('getCostReport') };
  const measures = { ...useMeasures(kind, agentId, may), promptLength, current };
  const name = typeof provider.value === 'string' ? provider.value : 'openai';
  return (
    <section className="model-card" aria-label={title} tabIndex={-1}>
      <div className="model-head">
        <div>
          <h2>{title}</h2>
          {isLater && <p className="hint">Used when the models above fail.</p>}
        </div>
        {order}
        <ChoiceField path={[...path, 'provider']} labels={PROVIDERS} unset="Not set: OpenAI" />
      </div>
      <ModelList
        name={`${path.join('-')}-model`}
        label={model.label}
        measured={measured}
        choices={modelChoices(kind, name, measures)}
        chosen={current}
        problem={model.problem}
        onChoose={model.change}
      />
      <div className="model-settings">{children}</div>
      <ModelCheck kind={kind} path={path} />
      <details className="advanced">
        <summary>Address of a compatible server</summary>
        <TextField
          path={[...path, 'base_url']}
          type="url"
          hint="Only those that the worker’s operator has listed in MODEL_BASE_URLS."
          placeholder="http://127.0.0.1:11434/v1"
        />
      </details>
    </section>
  );
}
