import { isObject, type Path } from '../../../data/config-paths.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useField, useProblems } from './form.ts';
import { NameInput } from './name-input.tsx';

/** Headers of a function's requests, by name. */
export function HeaderList({ path }: { path: Path }) {
  const { label, value, change } = useField(path);
  const problems = useProblems(path);
  const headers = isObject(value) ? Object.entries(value) : [];
  const put = (next: [string, unknown][]) => change(next.length > 0 ? Object.fromEntries(next) : undefined);
  const add = () => put([...headers, [freeName(headers.map(([name]) => name)), '']]);
  const isTaken = (at: number, name: string) =>
    headers.some(([other], place) => place !== at && other.toLowerCase() === name.toLowerCase());
  return (
    <fieldset className="parameters">
      <legend className="label">{label}</legend>
      {headers.map(([name, text], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name is edited.
        <div key={at} className="header-row">
          <NameInput
            label="Name of the header"
            name={name}
            maxLength={64}
            isTaken={(next) => isTaken(at, next)}
            onRename={(next) => put(headers.with(at, [next, text]))}
          />
          <input
            aria-label={`Value of ${name}`}
            value={typeof text === 'string' ? text : ''}
            placeholder="{{customer_id}}"
            maxLength={2048}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => put(headers.with(at, [name, target.value]))}
          />
          <IconButton icon="trash" label={`Remove ${name}`} onClick={() => put(headers.toSpliced(at, 1))} />
        </div>
      ))}
      {problems.map((msg) => (
        <Problem key={msg}>{msg}</Problem>
      ))}
      <div>
        <Button icon="plus" onClick={add}>
          Add a header
        </Button>
      </div>
    </fieldset>
  );
}

function freeName(taken: string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'x-header' : `x-header-${number}`;
    if (!taken.includes(name)) return name;
  }
}
