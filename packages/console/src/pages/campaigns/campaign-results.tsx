import { useState } from 'react';
import { dispositionsIn, REACHING, retriable, USUAL_RETRIES, withRetries } from '../../data/campaign-outcomes.ts';
import { OUTCOME_LABELS } from '../../data/campaign-words.ts';
import { CheckGroup } from '../../ui/check-group.tsx';
import { Field } from '../../ui/field.tsx';
import { Percentage } from '../../ui/required-number.tsx';
import type { FieldProps } from './campaign-fields.tsx';

/** Outcomes and results of a call that count as having reached somebody. */
export function ReachedFields({ fields, set }: FieldProps) {
  const { reached_by = ['answered'], reached_dispositions } = fields;
  const [text, setText] = useState(reached_dispositions?.join('\n') ?? '');
  const change = (next: string) => {
    setText(next);
    set(withRetries(fields, { reached_dispositions: dispositionsIn(next) }));
  };
  return (
    <>
      <CheckGroup
        label="Reached by"
        names={REACHING}
        labelOf={(name) => OUTCOME_LABELS[name]}
        chosen={reached_by}
        needsOne
        onChange={(next) => set(withRetries(fields, { reached_by: next }))}
      />
      <Field
        label="Only with one of these results"
        hint="Dispositions that the agent reports, one a line. Empty: with any result."
      >
        <textarea
          className="growing"
          rows={2}
          value={text}
          placeholder="booked"
          onChange={({ target }) => change(target.value)}
        />
      </Field>
    </>
  );
}

/** The outcomes after which somebody is called again. */
export function RetryFields({ fields, set }: FieldProps) {
  const { attempts = 1, on = USUAL_RETRIES, spread = 0.1 } = fields.retries ?? {};
  const change = (retries: typeof fields.retries) => set({ retries: { ...fields.retries, ...retries } });
  return (
    <>
      <CheckGroup
        label="Called again after"
        hint={
          attempts === 1
            ? 'Nobody is called again: each person has one attempt.'
            : 'After an interrupted call nobody knows what became of it: the person may have answered.'
        }
        names={retriable(fields)}
        labelOf={(name) => OUTCOME_LABELS[name]}
        chosen={on}
        isDisabled={attempts === 1}
        onChange={(next) => change({ on: next })}
      />
      <Field label="Times vary by, in %" hint="The time between two attempts, so that they are not all made at once.">
        <Percentage value={spread} onChange={(next) => change({ spread: next })} />
      </Field>
    </>
  );
}
