import type { Path } from '../../../data/config-paths.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ChoiceField, TextField } from './fields.tsx';
import { useField } from './form.ts';

/** A phone that calls are transferred to. */
export function DestinationCard({ path, types }: { path: Path; types: Record<string, string> }) {
  const { value, change } = useField(path);
  const name = nameOf(value) || 'New destination';
  return (
    <fieldset className="tool-card" aria-label={name}>
      <div className="tool-head">
        <strong>{name}</strong>
        <IconButton icon="trash" label={`Remove ${name}`} onClick={() => change(undefined)} />
      </div>
      <div className="columns">
        <TextField path={[...path, 'name']} hint="How the model names it." placeholder="reception" />
        <TextField path={[...path, 'phone_number']} type="tel" placeholder="+15005550101" />
      </div>
      <TextField path={[...path, 'description']} placeholder="Questions about invoices and refunds" />
      <ChoiceField path={[...path, 'type']} labels={types} unset="That of the agent" />
    </fieldset>
  );
}

const nameOf = (value: unknown) => String((value as { name?: unknown } | null)?.name ?? '');
