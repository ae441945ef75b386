import { isObject } from '../../data/config-paths.ts';
import { withWord } from '../../data/extractor-content.ts';
import { ANSWERED_BY } from '../../data/value-labels.ts';
import { Field } from '../../ui/field.tsx';
import type { PartProps } from './part-props.ts';

export const DIRECTIONS: Record<string, string> = { OUTBOUND: 'Outbound', INBOUND: 'Inbound', WEB: 'Browser' };

/** Which calls are analysed: all of the agents that name the extractor, or some of them. */
export function CallChoice({ content, set }: PartProps) {
  const when = isObject(content.when) ? content.when : {};
  const change = (word: string, value: unknown) => set({ ...content, when: withWord(when, word, value) });
  const shortest = when.min_duration_s;
  return (
    <section className="tool-group" aria-label="Which calls">
      <h2>Which calls</h2>
      <div className="columns backfill">
        <Field label="Direction">
          <Options
            labels={DIRECTIONS}
            any="Any direction"
            value={when.direction}
            onChange={(v) => change('direction', v)}
          />
        </Field>
        <Field label="Answered by">
          <Options
            labels={ANSWERED_BY}
            any="Anybody"
            value={when.answered_by}
            onChange={(v) => change('answered_by', v)}
          />
        </Field>
        <Field label="At least, in seconds">
          <input
            type="number"
            min={0}
            placeholder="0"
            value={typeof shortest === 'number' ? shortest : ''}
            onChange={({ target }) =>
              change('min_duration_s', Number.isFinite(target.valueAsNumber) ? target.valueAsNumber : undefined)
            }
          />
        </Field>
        <Sample content={content} set={set} />
      </div>
    </section>
  );
}

interface OptionsProps {
  labels: Record<string, string>;
  any: string;
  value: unknown;
  onChange: (value: string | undefined) => void;
}

function Options({ labels, any, value, onChange }: OptionsProps) {
  const text = typeof value === 'string' ? value : '';
  const all = text in labels || text === '' ? labels : { ...labels, [text]: text };
  return (
    <select value={text} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">{any}</option>
      {Object.entries(all).map(([one, label]) => (
        <option key={one} value={one}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** The share of the calls, which the JSON has from 0 to 1. */
function Sample({ content, set }: PartProps) {
  const { sample = 1 } = content;
  const percent = typeof sample === 'number' ? Math.round(sample * 1e4) / 100 : '';
  const change = (number: number) =>
    set({ ...content, sample: Number.isFinite(number) ? Math.round(number * 100) / 1e4 : 1 });
  return (
    <Field label="Share of them, in %">
      <input
        type="number"
        min={0.01}
        max={100}
        step="any"
        value={percent}
        onChange={({ target }) => change(target.valueAsNumber)}
      />
    </Field>
  );
}
