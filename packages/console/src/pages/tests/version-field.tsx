import { useVersions } from '../../data/versions.ts';
import { Field } from '../../ui/field.tsx';

/** Characters of a version's note in a list. */
const MAX_NOTE = 60;

interface Props {
  agentId: string;
  label: string;
  hint: string;
  /** The choice beside the versions, and its value. */
  first: { value: string; label: string };
  value: string;
  onChange: (version: string) => void;
}

/** A version of an agent, or something else. */
export function VersionField({ agentId, label, hint, first, value, onChange }: Props) {
  const versions = useVersions(agentId).data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Field label={label} hint={hint}>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value={first.value}>{first.label}</option>
        {versions.map(({ number, note }) => (
          <option key={number} value={number}>
            {`Version ${number}${note ? `: ${note.slice(0, MAX_NOTE)}` : ''}`}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** The draft as a choice. */
export const DRAFT = { value: 'draft', label: 'The draft' };
/** A version as the API takes it. */
export const versionOf = (value: string) => (value === DRAFT.value ? 'draft' : Number(value));
