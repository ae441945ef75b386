import { useState } from 'react';
import { MAX_COLUMNS, MAX_VALUE_FILTERS, type ValueSearch } from '../../data/analysis-search.ts';
import { type Finder, headingOf } from '../../data/analysis-words.ts';
import { toggled } from '../../data/toggled.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

interface Props {
  finders: Finder[];
  current: ValueSearch;
  onApply: (search: ValueSearch) => void;
  onClose: () => void;
}

/** Asks for values to filter and sort by, and for columns. */
export function ValueDialog({ finders, current, onApply, onClose }: Props) {
  const [chosen, setChosen] = useState(current);
  const change = (part: Partial<ValueSearch>) => setChosen({ ...chosen, ...part });
  const { filters, columns } = chosen;
  const unused = finders.filter(({ field }) => !filters.some(([one]) => one === field));
  const add = () => unused[0] && change({ filters: [...filters, [unused[0].field, unused[0].values?.[0]?.[0] ?? '']] });
  return (
    <FormDialog title="What was found" action="Show" isBusy={false} onSubmit={() => onApply(chosen)} onClose={onClose}>
      <fieldset className="value-filters">
        <legend className="label">Only calls with</legend>
        {filters.map(([field, value], at) => (
          <FilterRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the field is changed.
            key={at}
            finders={finders.filter((one) => one.field === field || unused.includes(one))}
            field={field}
            value={value}
            onChange={(next) => change({ filters: filters.with(at, next) })}
            onRemove={() => change({ filters: filters.toSpliced(at, 1) })}
          />
        ))}
        {filters.length < MAX_VALUE_FILTERS && unused.length > 0 && (
          <div>
            <Button icon="plus" onClick={add}>
              Add a condition
            </Button>
          </div>
        )}
      </fieldset>
      <Order finders={finders} chosen={chosen} onChange={change} />
      <fieldset className="test-choices">
        <legend className="label">Columns</legend>
        {finders.map(({ field }) => (
          <label key={field} className="check">
            <input
              type="checkbox"
              checked={columns.includes(field)}
              disabled={!columns.includes(field) && columns.length >= MAX_COLUMNS}
              onChange={() => change({ columns: toggled(columns, field) })}
            />
            <span className="anywhere">{headingOf(field)}</span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

interface OrderProps {
  finders: Finder[];
  chosen: ValueSearch;
  onChange: (part: Partial<ValueSearch>) => void;
}

function Order({ finders, chosen: { sort, isFalling }, onChange }: OrderProps) {
  return (
    <Field label="Sorted by" hint={sort && 'Calls without a value are not shown then.'}>
      <select
        value={sort ? `${isFalling ? '-' : ''}${sort}` : ''}
        onChange={({ target: { value } }) =>
          onChange({ sort: value.replace(/^-/, '') || null, isFalling: value.startsWith('-') })
        }
      >
        <option value="">Time, newest first</option>
        {finders.flatMap(({ field }) => [
          <option key={`-${field}`} value={`-${field}`}>{`${headingOf(field)}, highest first`}</option>,
          <option key={field} value={field}>{`${headingOf(field)}, lowest first`}</option>,
        ])}
      </select>
    </Field>
  );
}

interface RowProps {
  finders: Finder[];
  field: string;
  value: string;
  onChange: (filter: [field: string, value: string]) => void;
  onRemove: () => void;
}

/** One condition: a field, and the value that it must have. */
function FilterRow({ finders, field, value, onChange, onRemove }: RowProps) {
  const finder = finders.find((one) => one.field === field);
  const first = (name: string) => finders.find((one) => one.field === name)?.values?.[0]?.[0] ?? '';
  const { values = null, isNumber = false } = finder ?? {};
  return (
    <div className="value-filter">
      <select
        aria-label="Answer"
        value={field}
        onChange={({ target }) => onChange([target.value, first(target.value)])}
      >
        {!finder && <option value={field}>{headingOf(field)}</option>}
        {finders.map((one) => (
          <option key={one.field} value={one.field}>
            {headingOf(one.field)}
          </option>
        ))}
      </select>
      {values ? (
        <select
          aria-label={`Value of ${headingOf(field)}`}
          value={value}
          onChange={({ target }) => onChange([field, target.value])}
        >
          {!values.some(([one]) => one === value) && <option value={value}>{value}</option>}
          {values.map(([one, label]) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <input
          aria-label={`Value of ${headingOf(field)}`}
          value={value}
          maxLength={200}
          placeholder={isNumber ? 'Exactly this number' : 'Exactly this text'}
          onChange={({ target }) => onChange([field, target.value])}
        />
      )}
      <IconButton icon="trash" label={`Remove the condition on ${headingOf(field)}`} onClick={onRemove} />
    </div>
  );
}
