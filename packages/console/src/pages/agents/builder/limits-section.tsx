import { NumberField } from './fields.tsx';

/** Limits of calls of the agent. */
export function LimitsSection() {
  return (
    <div className="columns">
      <NumberField
        path={['limits', 'max_duration_s']}
        hint="The call is hung up after this time. The service’s limit applies if this is empty, or longer."
      />
    </div>
  );
}
