import type { Path } from '../../../data/config-paths.ts';
import { NumberField, SwitchField, TextField } from './fields.tsx';
import { useField } from './form.ts';
import { nameOf, ToolCard } from './tool-card.tsx';

/** Something that the caller enters with the keys of the telephone. */
export function EntryCard({ path }: { path: Path }) {
  const { value } = useField(path);
  return (
    <ToolCard path={path} unnamed="New entry">
      <div className="columns">
        <TextField
          path={[...path, 'name']}
          hint={`Functions get it as {{${nameOf(value) || 'pin'}}}.`}
          placeholder="pin"
        />
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
    </ToolCard>
  );
}
