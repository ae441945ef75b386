import { lazy, Suspense, useState } from 'react';
import { countWords, hasHeadings } from '../../../data/prompt-text.ts';
import { Problem } from '../../../ui/problem.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TextField } from './fields.tsx';
import { useField, useForm } from './form.ts';
import type { PromptHandle } from './prompt-editor.tsx';
import { VariableChips } from './variable-chips.tsx';
import { VariableText } from './variable-text.tsx';

const PromptEditor = lazy(() => import('./prompt-editor.tsx'));

const HINT =
  'Who the agent is, what it does and what it must not do, in plain sentences. Lines that begin with # are headings, which can be folded; {{first_name}} is a variable of the call.';
const LANGUAGES = ['en-US', 'en-GB', 'de-DE', 'es-ES', 'es-MX', 'fr-FR', 'it-IT', 'nl-NL', 'pl-PL', 'pt-BR', 'pt-PT'];

/** The prompt, the first sentence and the language. */
export function PromptSection() {
  return (
    <>
      <div className="columns greeting">
        <VariableText path={['greeting']} placeholder="None: the agent waits for the caller to speak first" />
        <TextField path={['language']} placeholder="That of the models" suggestions={LANGUAGES} />
      </div>
      <Prompt />
    </>
  );
}

function Prompt() {
  const { isReadOnly } = useForm();
  const { label, value, problem, change } = useField(['instructions']);
  // Null until it is loaded: what acts on it waits.
  const [editor, setEditor] = useState<PromptHandle | null>(null);
  const text = typeof value === 'string' ? value : '';
  return (
    <section className="prompt" aria-label={label}>
      <div className="prompt-head">
        <h2>{label}</h2>
        <span className="muted small number">{wordsOf(text)}</span>
        {hasHeadings(text) && (
          <span className="prompt-folds">
            <button type="button" className="link small" disabled={!editor} onClick={editor?.foldAll}>
              Fold all
            </button>
            <button type="button" className="link small" disabled={!editor} onClick={editor?.unfoldAll}>
              Unfold all
            </button>
          </span>
        )}
      </div>
      <VariableChips of={label} onInsert={editor?.insert} />
      <div className="prompt-frame" data-invalid={problem !== null || undefined}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <PromptEditor
            ref={setEditor}
            label={label}
            hint={HINT}
            value={text}
            isReadOnly={isReadOnly}
            onChange={(next) => change(next || undefined)}
          />
        </Suspense>
      </div>
      <Problem>{problem}</Problem>
    </section>
  );
}

function wordsOf(text: string): string {
  const count = countWords(text);
  return count === 1 ? '1 word' : `${count.toLocaleString('en')} words`;
}
