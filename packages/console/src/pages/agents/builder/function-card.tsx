import type { Path } from '../../../data/config-paths.ts';
import { secondsOf } from '../../../data/durations.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LongTextField, TextField } from './fields.tsx';
import { useField } from './form.ts';
import { ParameterList } from './parameter-list.tsx';
import { Slider } from './slider.tsx';

/** A function of the customer's, over HTTP. */
export function FunctionCard({ path }: { path: Path }) {
  const { value, change } = useField(path);
  const name = String((value as { name?: unknown } | null)?.name ?? '') || 'New function';
  return (
    <fieldset className="tool-card" aria-label={name}>
      <div className="tool-head">
        <strong className="anywhere">{name}</strong>
        <IconButton icon="trash" label={`Remove ${name}`} onClick={() => change(undefined)} />
      </div>
      <div className="columns">
        <TextField path={[...path, 'name']} hint="Letters, digits, _ and -." placeholder="find_order" />
        <TextField
          path={[...path, 'url']}
          type="url"
          hint="Receives a signed POST with the arguments."
          placeholder="https://example.com/orders/find"
        />
      </div>
      <LongTextField
        path={[...path, 'description']}
        placeholder="Finds an order by its number, and says where it is and when it arrives."
      />
      <ParameterList path={[...path, 'parameters']} />
      <Slider path={[...path, 'timeout_s']} range={[1, 60, 1]} usual={10} format={secondsOf} meaning={waitMeaning} />
    </fieldset>
  );
}

function waitMeaning(seconds: number): string {
  if (seconds <= 3) return 'The caller hardly notices the pause.';
  if (seconds <= 10) return 'The caller waits; let the agent say that it looks something up.';
  return 'A long silence: callers hang up.';
}
