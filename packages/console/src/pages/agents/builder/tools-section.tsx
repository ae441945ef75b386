import { Fragment, type ReactNode } from 'react';
import type { Path } from '../../../data/config-paths.ts';
import { labelAt } from '../../../data/form-fields.ts';
import { TRANSFERS } from '../../../data/value-labels.ts';
import { Button } from '../../../ui/button.tsx';
import { DestinationCard } from './destination-card.tsx';
import { EntryCard } from './entry-card.tsx';
import { ChoiceField, NumberField, SwitchField, SwitchRow, TextField } from './fields.tsx';
import { useField } from './form.ts';
import { FunctionCard } from './function-card.tsx';

const DESTINATIONS = ['tools', 'transfer', 'destinations'] as const;
const CALL_BACK = ['tools', 'call_back'] as const;
const ENTRIES = ['tools', 'collect_digits'] as const;
const FUNCTIONS = ['tools', 'functions'] as const;
const TRANSFERS_LABEL = labelAt(['tools', 'transfer']);

/** Everything that the model may do beside talking. */
export function ToolsSection({ agentId }: { agentId: string }) {
  return (
    <>
      <SwitchField path={['tools', 'hang_up']} hint="The agent ends the call when it is done." />
      <SwitchField path={['tools', 'dtmf']} hint="The agent sends tones, to get through the menu of a phone system." />
      <CallBacks />
      <Destinations />
      <Entries />
      <Functions agentId={agentId} />
    </>
  );
}

/** Whether the agent books calls back, and for which times. */
function CallBacks() {
  const { value, problem, change } = useField(CALL_BACK);
  const enabled = useField([...CALL_BACK, 'enabled']);
  const isOn = typeof value === 'object' && value !== null && enabled.value !== false;
  return (
    <>
      <SwitchRow
        label={enabled.label}
        hint="The agent offers to call again, reads the time back, and books it once the person has agreed."
        error={problem ?? enabled.problem}
        isOn={isOn}
        onChange={(on) => (on ? enabled.change(true) : change(undefined))}
      />
      {isOn && (
        <div className="form indented">
          <div className="columns">
            <TextField path={[...CALL_BACK, 'earliest']} placeholder="09:00" hint="By the clock of the person." />
            <TextField path={[...CALL_BACK, 'latest']} placeholder="18:00" />
            <NumberField path={[...CALL_BACK, 'max']} />
          </div>
        </div>
      )}
    </>
  );
}

function Destinations() {
  const blank = { name: '', phone_number: '' };
  return (
    <ToolList
      label={TRANSFERS_LABEL}
      path={DESTINATIONS}
      action="Add a destination"
      blank={blank}
      none="The agent cannot transfer calls."
      card={(path) => <DestinationCard path={path} types={TRANSFERS} />}
    >
      <ChoiceField path={['transfer', 'type']} labels={TRANSFERS} unset="Not set: as the service is configured" />
    </ToolList>
  );
}

function Entries() {
  return (
    <ToolList
      path={ENTRIES}
      action="Add an entry"
      blank={{ name: '', description: '' }}
      none="With an entry the agent has the caller type something, such as a customer number or a PIN."
      card={(path) => <EntryCard path={path} />}
    />
  );
}

function Functions({ agentId }: { agentId: string }) {
  return (
    <ToolList
      path={FUNCTIONS}
      action="Add a function"
      blank={{ name: '', description: '', url: '' }}
      none="With a function the agent asks your system during the call: it sends a signed POST to your address, and tells the caller what comes back."
      card={(path) => <FunctionCard agentId={agentId} path={path} />}
    />
  );
}

interface ToolListProps {
  path: Path;
  /** In place of the label of the field. */
  label?: string;
  /** The button that adds a tool, which is `blank` at first. */
  action: string;
  blank: object;
  /** Shown while there is none. */
  none: string;
  card: (path: Path) => ReactNode;
  /** Shown below them, if there are any. */
  children?: ReactNode;
}

/** Tools of one kind, each with a card. */
function ToolList({ path, label, action, blank, none, card, children }: ToolListProps) {
  const field = useField(path);
  const list = Array.isArray(field.value) ? (field.value as unknown[]) : [];
  const name = label ?? field.label;
  return (
    <section className="tool-group" aria-label={name}>
      <div className="section-head">
        <h2>{name}</h2>
        <Button icon="plus" onClick={() => field.change([...list, blank])}>
          {action}
        </Button>
      </div>
      {list.length === 0 && <p className="muted">{none}</p>}
      {list.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tools have no id, and their names are edited.
        <Fragment key={at}>{card([...path, at])}</Fragment>
      ))}
      {list.length > 0 && children}
    </section>
  );
}
