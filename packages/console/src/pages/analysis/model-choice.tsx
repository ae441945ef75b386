import { useId } from 'react';
import { isObject } from '../../data/config-paths.ts';
import { withWord } from '../../data/extractor-content.ts';
import { LLM_PROVIDERS, modelNames, PROVIDERS } from '../../data/model-choices.ts';
import { Field } from '../../ui/field.tsx';
import type { PartProps } from './part-props.ts';

/** The language model that answers: that of the agent, or another one. */
export function ModelChoice({ content, set }: PartProps) {
  const name = useId();
  const model = isObject(content.model) ? content.model : null;
  return (
    <section className="tool-group" aria-label="Language model">
      <fieldset className="radios">
        <legend className="label">Language model</legend>
        <label>
          <input type="radio" name={name} checked={model === null} onChange={() => set({ ...content, model: null })} />
          <span>
            That of the agent
            <span className="hint">In the sandbox rules answer, without a model, and say so.</span>
          </span>
        </label>
        <label>
          <input
            type="radio"
            name={name}
            checked={model !== null}
            onChange={() => set({ ...content, model: { provider: 'openai', model: 'gpt-4.1-mini' } })}
          />
          <span>
            Another one
            <span className="hint">A cheap one is often enough to read, and a strong one judges better.</span>
          </span>
        </label>
      </fieldset>
      {model && <Model model={model} onChange={(next) => set({ ...content, model: next })} />}
    </section>
  );
}

interface Props {
  model: Record<string, unknown>;
  onChange: (model: Record<string, unknown>) => void;
}

function Model({ model, onChange }: Props) {
  const id = useId();
  const provider = typeof model.provider === 'string' ? model.provider : '';
  const names = modelNames('llm', provider);
  const isListed = LLM_PROVIDERS.some((one) => one === provider);
  return (
    <div className="columns">
      <Field label="Provider">
        <select value={provider} onChange={({ target }) => onChange(withWord(model, 'provider', target.value))}>
          {!isListed && <option value={provider}>{PROVIDERS[provider] ?? (provider || 'Not chosen')}</option>}
          {LLM_PROVIDERS.map((one) => (
            <option key={one} value={one}>
              {PROVIDERS[one]}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Model">
        <input
          value={typeof model.model === 'string' ? model.model : ''}
          list={id}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => onChange(withWord(model, 'model', target.value || undefined))}
        />
      </Field>
      <datalist id={id}>
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </div>
  );
}
