import type { Path } from '../../../data/config-paths.ts';
import { ChoiceField, TextField } from './fields.tsx';
import { ToolCard } from './tool-card.tsx';

/** A phone that calls are transferred to. */
export function DestinationCard({ path, types }: { path: Path; types: Record<string, string> }) {
  return (
    <ToolCard path={path} unnamed="New destination">
      <div className="columns">
        <TextField path={[...path, 'name']} hint="How the model names it." placeholder="reception" />
        <TextField path={[...path, 'phone_number']} type="tel" placeholder="+15005550101" />
      </div>
      <TextField path={[...path, 'description']} placeholder="Questions about invoices and refunds" />
      <ChoiceField path={[...path, 'type']} labels={types} unset="That of the agent" />
    </ToolCard>
  );
}
