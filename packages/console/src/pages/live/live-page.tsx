import { useLiveCalls } from '../../data/live.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { COLUMNS, LiveRow } from './live-row.tsx';

/** Every call that has not ended, as the stream reports it. */
export function LivePage() {
  const { ids, isLoaded } = useLiveCalls();
  return (
    <Page title="Live" text="Calls that ring or talk now.">
      {!isLoaded && <Skeleton />}
      {isLoaded && ids.length === 0 && (
        <Empty
          title="No call is open"
          text="It appears here as soon as it rings."
          to="/agents"
          action="Let an agent call you"
        />
      )}
      {ids.length > 0 && <VirtualTable label="Open calls" columns={COLUMNS} ids={ids} Row={LiveRow} />}
    </Page>
  );
}
