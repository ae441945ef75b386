import type { Agent } from '@switchboard/client';
import { valueNames } from '../../data/analysis-search.ts';
import { END_REASONS } from '../../data/end-reasons.ts';
import { DayFilter, FilterBar, OptionFilter, type SetSearch, setterOf } from '../../ui/filters.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { AgentFilter } from './agent-filter.tsx';
import { FILTERS } from './filter-names.ts';
import { ValueFilter } from './value-filter.tsx';

interface Props {
  search: URLSearchParams;
  setSearch: SetSearch;
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
  const set = setterOf(setSearch);
  const first = <SearchField name="q" label="Search the transcripts" search={search} set={set} />;
  return (
    <FilterBar names={[...FILTERS, ...valueNames(search)]} first={first} search={search} setSearch={setSearch}>
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
      {agents && <ValueFilter search={search} setSearch={setSearch} />}
      <DayFilter name="from" label="From" search={search} set={set} />
      <DayFilter name="to" label="To" search={search} set={set} />
    </FilterBar>
  );
}
