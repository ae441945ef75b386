import type { Path } from '../../../data/config-paths.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { NumberField, SwitchField, TextField } from './fields.tsx';
import { useField } from './form.ts';

/** Something that the caller enters with the keys of the telephone. */
export function EntryCard({ path }: { path: Path }) {
  const { value, change } = useField(path);
  const given = String((value as { name?: unknown } | null)?.name ?? '');
  const name = given || 'New entry';
  return (
    <fieldset className="tool-card" aria-label={name}>
      <div className="tool-head">
        <strong>{name}</strong>
        <IconButton icon="trash" label={`Remove ${name}`} onClick={() => change(undefined)} />
      </div>
      <div className="columns">
        <TextField path={[...path, 'name']} hint={`Functions get it as {{${given || 'pin'}}}.`} placeholder="pin" />
        <TextField path={[...path, 'description']} placeholder="the four digits of the PIN" />
      </div>
      <div className="columns">
        <NumberField path={[...path, 'max']} placeholder="32" />
        <TextField path={[...path, 'finish_on']} placeholder="#" />
        <NumberField path={[...path, 'timeout_s']} placeholder="10" hint="In seconds." />
      </div>
      <SwitchField
        path={[...path, 'sensitive']}
        hint="The model, the transcript and the logs never get it, and the recording is silent while it is entered."
      />
    </fieldset>
  );
}
