import { alsoIn, fieldsOf, withNewField } from '../../data/extractor-content.ts';
import { AlsoSet } from '../../ui/also-set.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { CallChoice } from './call-choice.tsx';
import { FieldCard } from './field-card.tsx';
import { ModelChoice } from './model-choice.tsx';
import type { PartProps } from './part-props.ts';
import type { ExtractorDraft } from './use-extractor-draft.ts';

interface Props {
  draft: ExtractorDraft;
  /** Problems that the service has found, by field. */
  problems: Map<string, string[]>;
  isReadOnly: boolean;
  onJson: () => void;
}

/** The questions of an extractor, whom it asks about, and which model answers. */
export function ExtractorForm({ draft, problems, isReadOnly, onJson }: Props) {
  const { content, set, problem } = draft;
  if (!content) return <NoForm problem={problem} onJson={onJson} />;
  const fields = fieldsOf(content);
  const names = new Set(fields.map(({ name }) => name));
  const elsewhere = [...problems].flatMap(([name, texts]) => (names.has(name) ? [] : texts));
  return (
    <fieldset className="form plain-fieldset extractor-form" disabled={isReadOnly}>
      <section className="tool-group first" aria-label="Questions">
        {fields.map((field, at) => (
          <FieldCard
            // biome-ignore lint/suspicious/noArrayIndexKey: the name is edited.
            key={at}
            field={field}
            place={{ at, of: fields.length }}
            others={fields.flatMap(({ name }) => (name === field.name ? [] : name))}
            problems={problems.get(field.name) ?? []}
            content={content}
            set={set}
          />
        ))}
        {fields.length === 0 && <p className="muted">Without a question there is nothing to answer.</p>}
        <div>
          <Button icon="plus" onClick={() => set(withNewField(content))}>
            Add a question
          </Button>
        </div>
      </section>
      <Instructions content={content} set={set} />
      <CallChoice content={content} set={set} />
      <ModelChoice content={content} set={set} />
      {elsewhere.map((msg) => (
        <Problem key={msg}>{msg}</Problem>
      ))}
      <AlsoSet places={alsoIn(content)} onJson={onJson} />
    </fieldset>
  );
}

function NoForm({ problem, onJson }: { problem: string | null; onJson: () => void }) {
  return (
    <div className="failure" role="alert">
      <p>The form cannot be shown: the JSON is not valid. {problem}</p>
      <Button onClick={onJson}>Go to the JSON</Button>
    </div>
  );
}

function Instructions({ content, set }: PartProps) {
  const text = typeof content.instructions === 'string' ? content.instructions : '';
  return (
    <section className="tool-group" aria-label="Instructions">
      <Field
        label="Instructions for the model"
        hint="What it should know for all questions: your business, your words, how strict to be."
      >
        <textarea
          className="growing"
          rows={3}
          maxLength={8192}
          value={text}
          onChange={({ target }) => set({ ...content, instructions: target.value })}
        />
      </Field>
    </section>
  );
}
