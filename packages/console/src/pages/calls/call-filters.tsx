import type { Agent } from '@switchboard/client';
import { END_REASONS } from '../../data/end-reasons.ts';
import { Button } from '../../ui/button.tsx';
import { AgentFilter } from './agent-filter.tsx';
import { SearchField } from './search-field.tsx';

export const FILTERS = ['q', 'number', 'call_status', 'direction', 'end_reason', 'agent_id', 'from', 'to'] as const;

export type Filter = (typeof FILTERS)[number];

interface Props {
  search: URLSearchParams;
  setSearch: (change: (before: URLSearchParams) => URLSearchParams) => void;
  /** Null while all users are shown: the user is chosen before the agent. */
  agents: Agent[] | null;
}

const STATES = [
  ['RINGING', 'Ringing'],
  ['ANSWERED', 'Answered'],
  ['COMPLETED', 'Completed'],
  ['FAILED', 'Failed'],
  ['NO_ANSWER', 'No answer'],
] as const;
const DIRECTIONS = [
  ['OUTBOUND', 'Outbound'],
  ['INBOUND', 'Inbound'],
  ['WEB', 'Browser'],
] as const;

/** Filters of the history. */
export function CallFilterBar({ search, setSearch, agents }: Props) {
  const set = (name: Filter, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (value) after.set(name, value);
      else after.delete(name);
      return after;
    });
  const isFiltered = FILTERS.some((name) => search.has(name));
  return (
    <search className="filters">
      <SearchField name="q" label="Search the transcripts" search={search} set={set} />
      <SearchField name="number" label="Phone number" search={search} set={set} />
      <OptionFilter name="call_status" label="Any state" options={STATES} search={search} set={set} />
      <OptionFilter name="direction" label="Any direction" options={DIRECTIONS} search={search} set={set} />
      <OptionFilter name="end_reason" label="Any reason" options={END_REASONS} search={search} set={set} />
      {agents ? (
        <OptionFilter
          name="agent_id"
          label="Any agent"
          options={agents.map(({ id, name }) => [id, name])}
          search={search}
          set={set}
        />
      ) : (
        <AgentFilter chosen={search.get('agent_id')} onChoose={(id) => set('agent_id', id)} />
      )}
      <DayFilter name="from" label="From" search={search} set={set} />
      <DayFilter name="to" label="To" search={search} set={set} />
      {isFiltered && (
        <Button icon="close" onClick={() => setSearch(() => new URLSearchParams())}>
          Clear
        </Button>
      )}
    </search>
  );
}

interface FilterProps {
  name: Filter;
  label: string;
  search: URLSearchParams;
  set: (name: Filter, value: string) => void;
}

interface OptionProps extends FilterProps {
  options: readonly (readonly [value: string, text: string])[];
}

function OptionFilter({ name, label, options, search, set }: OptionProps) {
  return (
    <select
      aria-label={label}
      value={search.get(name) ?? ''}
      onChange={(event) => set(name, event.target.value)}
      data-set={search.has(name) || undefined}
    >
      <option value="">{label}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

function DayFilter({ name, label, search, set }: FilterProps) {
  return (
    <label className="inline-field">
      <span>{label}</span>
      <input type="date" value={search.get(name) ?? ''} onChange={(event) => set(name, event.target.value)} />
    </label>
  );
}
