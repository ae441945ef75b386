import { labelAt } from '../../../data/form-fields.ts';
import { TRANSFERS } from '../../../data/value-labels.ts';
import { Button } from '../../../ui/button.tsx';
import { DestinationCard } from './destination-card.tsx';
import { EntryCard } from './entry-card.tsx';
import { ChoiceField, SwitchField } from './fields.tsx';
import { useField } from './form.ts';
import { FunctionCard } from './function-card.tsx';

const DESTINATIONS = ['tools', 'transfer', 'destinations'] as const;
const ENTRIES = ['tools', 'collect_digits'] as const;
const FUNCTIONS = ['tools', 'functions'] as const;
const TRANSFERS_LABEL = labelAt(['tools', 'transfer']);

/** Everything that the model may do beside talking. */
export function ToolsSection({ agentId }: { agentId: string }) {
  return (
    <>
      <SwitchField path={['tools', 'hang_up']} hint="The agent ends the call when it is done." />
      <SwitchField path={['tools', 'dtmf']} hint="The agent sends tones, to get through the menu of a phone system." />
      <Destinations />
      <Entries />
      <Functions agentId={agentId} />
    </>
  );
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : []);

function Destinations() {
  const field = useField(DESTINATIONS);
  const list = listOf(field.value);
  const add = () => field.change([...list, { name: '', phone_number: '' }]);
  return (
    <section className="tool-group" aria-label={TRANSFERS_LABEL}>
      <div className="section-head">
        <h2>{TRANSFERS_LABEL}</h2>
        <Button icon="plus" onClick={add}>
          Add a destination
        </Button>
      </div>
      {list.length === 0 && <p className="muted">The agent cannot transfer calls.</p>}
      {list.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: destinations have no id, and their names are edited.
        <DestinationCard key={at} path={[...DESTINATIONS, at]} types={TRANSFERS} />
      ))}
      {list.length > 0 && (
        <ChoiceField path={['transfer', 'type']} labels={TRANSFERS} unset="Not set: as the service is configured" />
      )}
    </section>
  );
}

function Entries() {
  const field = useField(ENTRIES);
  const list = listOf(field.value);
  const add = () => field.change([...list, { name: '', description: '' }]);
  return (
    <section className="tool-group" aria-label={field.label}>
      <div className="section-head">
        <h2>{field.label}</h2>
        <Button icon="plus" onClick={add}>
          Add an entry
        </Button>
      </div>
      {list.length === 0 && (
        <p className="muted">
          With an entry the agent has the caller type something, such as a customer number or a PIN.
        </p>
      )}
      {list.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and their names are edited.
        <EntryCard key={at} path={[...ENTRIES, at]} />
      ))}
    </section>
  );
}

function Functions({ agentId }: { agentId: string }) {
  const field = useField(FUNCTIONS);
  const list = listOf(field.value);
  const add = () => field.change([...list, { name: '', description: '', url: '' }]);
  return (
    <section className="tool-group" aria-label={field.label}>
      <div className="section-head">
        <h2>{field.label}</h2>
        <Button icon="plus" onClick={add}>
          Add a function
        </Button>
      </div>
      {list.length === 0 && (
        <p className="muted">
          With a function the agent asks your system during the call: it sends a signed POST to your address, and tells
          the caller what comes back.
        </p>
      )}
      {list.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: functions have no id, and their names are edited.
        <FunctionCard key={at} agentId={agentId} path={[...FUNCTIONS, at]} />
      ))}
    </section>
  );
}
