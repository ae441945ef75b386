import { NumberField } from './fields.tsx';

/** Limits of calls of the agent. */
export function LimitsSection() {
  return (
    <div className="columns">
      <NumberField
        path={['limits', 'max_duration_s']}
        hint="Then the call is hung up. Empty: the service’s own limit, which also holds for longer ones."
      />
    </div>
  );
}
