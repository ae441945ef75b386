import { useCallback, useMemo, useState } from 'react';
import { useAgents } from '../../data/agents.ts';
import { useLiveCalls, useReloadLiveCalls } from '../../data/live.tsx';
import type { LiveCall } from '../../data/live-calls.ts';
import { useSession } from '../../data/session.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { TransferDialog } from '../call/transfer-dialog.tsx';
import { AgentNames, COLUMNS, COLUMNS_OF_ALL, LiveRow } from './live-row.tsx';

/** Pixels of a row on a phone: the other side of the call, then what was said, and the buttons. */
const NARROW_HEIGHT = 113;
const NO_NAMES = new Map<string, string>();

/** Every call that has not ended, as the stream reports it. */
export function LivePage() {
  const { ids, isLoaded, error } = useLiveCalls();
  const reload = useReloadLiveCalls();
  const { user } = useSession();
  const agents = useAgents().data;
  const names = useMemo(() => agents && new Map(agents.map(({ id, name }) => [id, name])), [agents]);
  // Here, and not in its row: a row is taken away when its call ends, or when it is scrolled out of sight.
  const [transferred, setTransferred] = useState<LiveCall | null>(null);
  const Row = useCallback(({ id }: { id: string }) => <LiveRow id={id} onTransfer={setTransferred} />, []);
  return (
    <Page
      title="Live"
      text={user === null ? 'Calls of all users that ring or talk now.' : 'Calls that ring or talk now.'}
    >
      {!isLoaded && !error && <Skeleton />}
      {error !== null && <Failure error={error} onRetry={reload} />}
      {isLoaded && ids.length === 0 && (
        <Empty
          title="No call is open"
          text="It appears here as soon as it rings."
          to="/agents"
          action="Let an agent call you"
        />
      )}
      {ids.length > 0 && (
        <AgentNames value={user === null ? null : (names ?? NO_NAMES)}>
          <VirtualTable
            label="Open calls"
            layout="live-columns"
            columns={user === null ? COLUMNS_OF_ALL : COLUMNS}
            ids={ids}
            Row={Row}
            narrowHeight={NARROW_HEIGHT}
          />
        </AgentNames>
      )}
      {transferred && <TransferDialog call={transferred} onClose={() => setTransferred(null)} />}
    </Page>
  );
}
