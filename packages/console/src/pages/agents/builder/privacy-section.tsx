import { labelAt } from '../../../data/form-fields.ts';
import { REDACTED } from '../../../data/value-labels.ts';
import { Button } from '../../../ui/button.tsx';
import { Choices } from './choices.tsx';
import { NumberField, SwitchField, TextField } from './fields.tsx';
import { useField } from './form.ts';
import { ToolCard } from './tool-card.tsx';

const CUSTOM = ['privacy', 'custom'] as const;
const KEEP = ['privacy', 'keep'] as const;
const KEEP_LABEL = labelAt(KEEP);

const FOUND = {
  card: 'By its length, beginning and check digit: [card].',
  iban: 'By its country, length and check digits: [iban].',
  ssn: 'Of the United States, France, Germany and Spain: [ssn].',
  email: 'Written, or said as “at” and “dot” in English, Spanish, German and French: [email].',
  phone: 'Valid in the country of the agent’s language, or with a plus: [phone].',
};

/** Secrets that are not kept. */
export function PrivacySection() {
  return (
    <>
      <p className="muted">
        Replaced before anything is stored, also in digits that are said as words, and silent in recordings. The model
        and your functions get what was said; in a chat they get it replaced.
      </p>
      <Choices path={['privacy', 'redact']} names={REDACTED} meanings={FOUND} unset="none" />
      <Patterns />
      <SwitchField
        path={['privacy', 'tool_calls']}
        hint="In calls, as long as the words are kept. Tools of a test that is made of the call answer with it."
      />
      <Keep />
    </>
  );
}

/** Limits below those of the installation. */
function Keep() {
  return (
    <section className="tool-group" aria-label={KEEP_LABEL}>
      <h2>{KEEP_LABEL}</h2>
      <p className="muted">For conversations that begin from now on. The installation may delete them earlier.</p>
      {(['transcripts_days', 'recordings_days', 'metadata_days'] as const).map((name) => (
        <NumberField key={name} path={[...KEEP, name]} placeholder="As the installation keeps it" />
      ))}
    </section>
  );
}

function Patterns() {
  const { label, value, change } = useField(CUSTOM);
  const list: unknown[] = Array.isArray(value) ? value : [];
  return (
    <section className="tool-group" aria-label={label}>
      <div className="section-head">
        <h2>{label}</h2>
        <Button icon="plus" onClick={() => change([...list, { name: '', pattern: '' }])}>
          Add a pattern
        </Button>
      </div>
      {list.length === 0 && <p className="muted">For numbers of your own, like those of members.</p>}
      {list.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: patterns have no id, and their names are edited.
        <PatternCard key={at} at={at} />
      ))}
    </section>
  );
}

function PatternCard({ at }: { at: number }) {
  const path = [...CUSTOM, at];
  return (
    <ToolCard path={path} unnamed="New pattern">
      <div className="columns">
        <TextField
          path={[...path, 'name']}
          hint="In brackets, it takes the place of what is found."
          placeholder="member_id"
        />
        <TextField
          path={[...path, 'pattern']}
          hint="A regular expression, in the syntax of RE2."
          placeholder="\bM-\d{6}\b"
        />
      </div>
    </ToolCard>
  );
}
