import { useEffect, useState } from 'react';
import {
  ANSWERS,
  type Answer,
  cleanName,
  type ExtractorField,
  isRequired,
  moved,
  nameProblem,
  renamed,
  withAnswer,
  withField,
  withoutField,
  withRequired,
  withWord,
} from '../../data/extractor-content.ts';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { AnswerValues } from './field-values.tsx';
import type { PartProps } from './part-props.ts';
import { Weight } from './weight.tsx';

interface Props extends PartProps {
  field: ExtractorField;
  place: { at: number; of: number };
  /** Names of the other fields. */
  others: string[];
  problems: string[];
}

/** One question: its name, the kind of answer, and what it means. */
export function FieldCard({ field, place, others, problems, content, set }: Props) {
  const { name, schema } = field;
  const change = (next: unknown) => set(withField(content, name, next));
  return (
    <fieldset className="tool-card" aria-label={`Question ${name}`}>
      <div className="tool-head">
        <strong className="muted">Question {place.at + 1}</strong>
        <Order name={name} place={place} content={content} set={set} />
      </div>
      <div className="columns">
        <FieldName
          isFirst={place.at === 0}
          name={name}
          others={others}
          onRename={(next) => set(renamed(content, name, next))}
        />
        <AnswerType field={field} onChange={(answer) => change(withAnswer(schema, answer))} />
      </div>
      <Asked isFirst={place.at === 0} schema={schema} onChange={change} />
      <AnswerValues field={field} onChange={change} />
      <div className="question-end">
        <label className="check">
          <input
            type="checkbox"
            checked={isRequired(content, name)}
            onChange={({ target }) => set(withRequired(content, name, target.checked))}
          />
          <span>
            Must be answered <span className="muted">if the transcript says it; otherwise there is no value</span>
          </span>
        </label>
        <Weight field={field} content={content} set={set} />
      </div>
      {problems.map((msg) => (
        <Problem key={msg}>{msg}</Problem>
      ))}
    </fieldset>
  );
}

function Order({ name, place: { at, of }, content, set }: PartProps & Pick<Props, 'place'> & { name: string }) {
  return (
    <span className="model-order">
      <IconButton
        icon="higher"
        label={`Ask ${name} earlier`}
        disabled={at === 0}
        onClick={() => set(moved(content, name, -1))}
      />
      <IconButton
        icon="lower"
        label={`Ask ${name} later`}
        disabled={at === of - 1}
        onClick={() => set(moved(content, name, 1))}
      />
      <IconButton icon="trash" label={`Remove ${name}`} onClick={() => set(withoutField(content, name))} />
    </span>
  );
}

interface AskedProps {
  /** Explained once. */
  isFirst: boolean;
  schema: unknown;
  onChange: (schema: unknown) => void;
}

/** The description of a field. */
function Asked({ isFirst, schema, onChange }: AskedProps) {
  const description = (schema as { description?: unknown } | null)?.description;
  return (
    <Field
      label="What is asked"
      hint={isFirst && 'One sentence for the model, as you would ask a colleague who has listened.'}
    >
      <textarea
        className="growing"
        rows={1}
        maxLength={2000}
        value={typeof description === 'string' ? description : ''}
        onChange={({ target }) => onChange(withWord(schema, 'description', target.value || undefined))}
      />
    </Field>
  );
}

interface NameProps {
  /** Explained once. */
  isFirst: boolean;
  name: string;
  others: string[];
  onRename: (name: string) => void;
}

/** The name of a field. One that is taken is shown, but not set: it would replace the other field. */
function FieldName({ isFirst, name, others, onRename }: NameProps) {
  const [typed, setTyped] = useState(name);
  useEffect(() => setTyped(name), [name]);
  const change = (text: string) => {
    const next = cleanName(text);
    setTyped(next);
    if (next !== '' && !others.includes(next)) onRename(next);
  };
  return (
    <Field label="Name" hint={isFirst && 'Stands in lists, files and the API.'} error={nameProblem(typed, others)}>
      <input
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => change(target.value)}
        onBlur={() => setTyped(name)}
      />
    </Field>
  );
}

interface AnswerProps {
  field: ExtractorField;
  onChange: (answer: Answer) => void;
}

function AnswerType({ field: { answer }, onChange }: AnswerProps) {
  return (
    <Field label="Answer">
      <select value={answer ?? ''} onChange={({ target }) => onChange(target.value as Answer)}>
        {answer === null && <option value="">As in the JSON</option>}
        {Object.entries(ANSWERS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}
