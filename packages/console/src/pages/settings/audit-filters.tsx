import { AUDIT_ACTIONS, AUDIT_FILTERS } from '../../data/audit.ts';
import { DayFilter, FilterBar, OptionFilter, type SetSearch, setterOf } from '../../ui/filters.tsx';
import { SearchField } from '../../ui/search-field.tsx';

const OUTCOMES = [
  ['succeeded', 'Succeeded'],
  ['refused', 'Refused'],
  ['failed', 'Failed'],
] as const;
const ACTIONS = AUDIT_ACTIONS.map((action) => [action, action] as const);

/** Filters of the audit log. Its days are UTC, as those of the API. */
export function AuditFilterBar({ search, setSearch }: { search: URLSearchParams; setSearch: SetSearch }) {
  const set = setterOf(setSearch);
  const shared = { search, set };
  const first = <OptionFilter name="action" label="Any action" options={ACTIONS} {...shared} />;
  return (
    <FilterBar names={AUDIT_FILTERS} first={first} search={search} setSearch={setSearch}>
      <OptionFilter name="outcome" label="Any outcome" options={OUTCOMES} {...shared} />
      <SearchField name="actor" label="Actor" {...shared} />
      <SearchField name="target" label="Target" {...shared} />
      <SearchField name="user_id" label="User" {...shared} />
      <DayFilter name="start_date" label="From" {...shared} />
      <DayFilter name="end_date" label="To" {...shared} />
    </FilterBar>
  );
}
