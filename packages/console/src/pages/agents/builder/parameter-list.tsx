import { fromParameters, type Parameter, type Path, toParameters } from '../../../data/config-paths.ts';
import { argumentLabel } from '../../../data/form-fields.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useField } from './form.ts';
import { NameInput } from './name-input.tsx';

const TYPES = { string: 'Text', number: 'Number', integer: 'Whole number', boolean: 'Yes or no' };

/** The arguments of a function. Their parts that the list does not show stay in the JSON. */
export function ParameterList({ path }: { path: Path }) {
  const { label, value, problem, change } = useField(path);
  const list = toParameters(value);
  const put = (next: Parameter[]) => change(fromParameters(value, next));
  const add = () => put([...list, { ...NEW, name: freeName(list) }]);
  return (
    <fieldset className="parameters">
      <legend className="label">{label}</legend>
      {list.map((one, at) => (
        <ParameterRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the name is edited.
          key={at}
          parameter={one}
          isTaken={(name) => list.some((other, place) => place !== at && other.name === name)}
          onChange={(next) => put(list.with(at, next))}
          onRemove={() => put(list.toSpliced(at, 1))}
        />
      ))}
      <Problem>{problem}</Problem>
      <div>
        <Button icon="plus" onClick={add}>
          Add an argument
        </Button>
      </div>
    </fieldset>
  );
}

const NEW: Parameter = { name: '', type: 'string', description: '', isRequired: true, schema: {} };

function freeName(list: Parameter[]): string {
  for (let number = list.length + 1; ; number++)
    if (!list.some(({ name }) => name === `argument_${number}`)) return `argument_${number}`;
}

interface RowProps {
  parameter: Parameter;
  /** Whether another argument has the name. */
  isTaken: (name: string) => boolean;
  onChange: (parameter: Parameter) => void;
  onRemove: () => void;
}

function ParameterRow({ parameter, isTaken, onChange, onRemove }: RowProps) {
  const { name, type, description, isRequired } = parameter;
  const isListed = Object.hasOwn(TYPES, type);
  return (
    <div className="parameter">
      <NameInput
        label="Name of the argument"
        name={name}
        isTaken={isTaken}
        onRename={(next) => onChange({ ...parameter, name: next })}
      />
      <select
        aria-label={argumentLabel('type', name)}
        value={isListed ? type : ''}
        onChange={({ target }) => onChange({ ...parameter, type: target.value })}
      >
        {!isListed && <option value="">As in the JSON</option>}
        {Object.entries(TYPES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <input
        aria-label={argumentLabel('description', name)}
        placeholder="What it is, for the model"
        value={description}
        onChange={({ target }) => onChange({ ...parameter, description: target.value })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={isRequired}
          onChange={({ target }) => onChange({ ...parameter, isRequired: target.checked })}
        />
        Required
      </label>
      <IconButton icon="trash" label={`Remove ${name}`} onClick={onRemove} />
    </div>
  );
}
