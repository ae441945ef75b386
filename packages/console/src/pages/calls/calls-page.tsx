import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useAgents } from '../../data/agents.ts';
import { readValueSearch, valueQuery } from '../../data/analysis-search.ts';
import { headingOf } from '../../data/analysis-words.ts';
import { type CallFilters, useCallDownload, useCalls, useRestartCalls } from '../../data/calls.ts';
import { startOfDay } from '../../data/day.ts';
import { isLong } from '../../data/live.tsx';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CallFilterBar } from './call-filters.tsx';
import { CallList } from './call-list.tsx';
import { FILTERS } from './filter-names.ts';
import { ScheduledCalls } from './scheduled-calls.tsx';

/** The history of calls. Its filters are in the URL. */
export function CallsPage() {
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const values = readValueSearch(search);
  const withValues = values.columns.length > 0;
  const calls = useCalls(filters, withValues);
  const restart = useRestartCalls(filters, withValues);
  const download = useCallDownload(filters);
  const agents = useAgents().data ?? [];
  const isAll = useSession().user === null;
  const pages = calls.data?.pages;
  const rows = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages]);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Calls"
      text={textOf(isAll, values.sort)}
      actions={
        <Button icon="down" onClick={() => download.mutate()} isBusy={download.isPending}>
          CSV
        </Button>
      }
    >
      {download.error && <Failure error={download.error} />}
      <CallFilterBar search={search} setSearch={setSearch} agents={isAll ? null : agents} />
      {!isFiltered && <ScheduledCalls />}
      {calls.isPending && <Skeleton lines={8} />}
      {calls.error && (
        <Failure error={calls.error} onRetry={calls.isFetchNextPageError ? calls.fetchNextPage : calls.refetch} />
      )}
      {calls.data && rows.length === 0 && <NoCalls isFiltered={isFiltered} onClear={() => setSearch({})} />}
      {rows.length > 0 && (
        <CallList calls={rows} agents={isAll ? null : agents} values={values.columns} more={nextOf(calls)} />
      )}
      <p className="muted small list-end" role="status">
        {calls.isFetchingNextPage && 'Loading more calls…'}
      </p>
      {isLong(calls.data) && (
        <p className="muted small">
          A list this long is not updated automatically. <Button onClick={restart}>Start with the newest</Button>
        </p>
      )}
    </Page>
  );
}

/** Reads the next page, unless that has failed: the end of the list would ask for it again and again. */
const nextOf = ({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: ReturnType<typeof useCalls>) =>
  hasNextPage && !isFetching && !isFetchNextPageError ? fetchNextPage : undefined;

function NoCalls({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) {
    return (
      <Empty title="No calls yet" text="Choose an agent and have it call you." to="/agents" action="Go to the agents" />
    );
  }
  return (
    <Empty title="No call matches" text="Try other filters.">
      <Button onClick={onClear}>Clear the filters</Button>
    </Empty>
  );
}

const textOf = (isAll: boolean, sort: string | null) =>
  `${isAll ? 'Every call of all users' : 'Every call'}, ${sort ? `by ${headingOf(sort)}: only calls that have it.` : 'newest first.'}`;

function readFilters(search: URLSearchParams): CallFilters {
  const filters = Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = search.get(name);
      return value ? [[name, name === 'from' || name === 'to' ? dayToTime(value, name) : value]] : [];
    }),
  );
  return { ...filters, ...valueQuery(readValueSearch(search)) };
}

/** The start of a day, or of the day after it. The service says what is wrong with one that is none. */
const dayToTime = (day: string, end: 'from' | 'to') => startOfDay(day, end === 'to' ? 1 : 0) ?? day;
