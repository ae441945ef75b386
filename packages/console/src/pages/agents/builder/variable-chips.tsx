import { type KeyboardEvent, useState } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { useForm } from './form.ts';

/** The names that the service accepts. */
const NAME = /^(?:[A-Za-z_][A-Za-z0-9_]{0,63}|sip\.[a-z0-9_.-]{1,64})$/;

interface Props {
  /** The text that they are inserted into, for screen readers. */
  of: string;
  /** Undefined until there is something to insert into. */
  onInsert: ((text: string) => void) | undefined;
}

/** The variables of the agent's texts, and a field for a new one. */
export function VariableChips({ of, onInsert }: Props) {
  const { variables, isReadOnly } = useForm();
  const [name, setName] = useState<string | null>(null);
  const insert = (variable: string) => onInsert?.(`{{${variable}}}`);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setName(null);
    if (event.key !== 'Enter') return;
    // The field stands in a form, which it would send.
    event.preventDefault();
    if (!name || !NAME.test(name)) return;
    insert(name);
    setName(null);
  };
  if (isReadOnly) return null;
  return (
    <fieldset className="chips" disabled={!onInsert} aria-label={`Insert a variable into: ${of}`}>
      {variables.map((variable) => (
        <button key={variable} type="button" className="chip" onClick={() => insert(variable)}>
          {variable}
        </button>
      ))}
      {name === null ? (
        <button type="button" className="chip new" onClick={() => setName('')}>
          <Icon name="plus" size={12} />
          Variable
        </button>
      ) : (
        <input
          className="chip-name"
          aria-label="Name of the variable"
          placeholder="first_name, then Enter"
          // biome-ignore lint/a11y/noAutofocus: the button led here.
          autoFocus
          value={name}
          aria-invalid={name !== '' && !NAME.test(name)}
          onChange={({ target }) => setName(target.value.replaceAll(/\s/g, '_'))}
          onKeyDown={press}
          onBlur={() => setName(null)}
        />
      )}
    </fieldset>
  );
}
