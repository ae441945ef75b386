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
import { HangUpDialog } from './hang-up-dialog.tsx';
import type { LiveAsked } from './live-actions.tsx';
import { AgentNames, COLUMNS, COLUMNS_OF_ALL, LiveRow } from './live-row.tsx';

/** Row height on a phone, in pixels: the other party, then the last sentence, and the buttons. */
const NARROW_HEIGHT = 113;
const NO_NAMES = new Map<string, string>();

/** Every open call, as reported by the stream. */
export function LivePage() {
  const { ids, isLoaded, error } = useLiveCalls();
  const reload = useReloadLiveCalls();
  const { user } = useSession();
  const agents = useAgents().data;
  const names = useMemo(() => agents && new Map(agents.map(({ id, name }) => [id, name])), [agents]);
  // Here and not in the row, which disappears when its call ends or it is scrolled out of sight.
  const [asked, setAsked] = useState<{ what: LiveAsked; call: LiveCall } | null>(null);
  const close = () => setAsked(null);
  const Row = useCallback(
    ({ id }: { id: string }) => <LiveRow id={id} onAsk={(what, call) => setAsked({ what, call })} />,
    [],
  );
  return (
    <Page title="Live" text={user === null ? 'Ringing and active calls of all users.' : 'Ringing and active calls.'}>
      {!isLoaded && !error && <Skeleton />}
      {error !== null && <Failure error={error} onRetry={reload} />}
      {isLoaded && ids.length === 0 && (
        <Empty
          title="No call is open"
          text="It appears here as soon as it rings."
          to="/agents"
          action="Have an agent call you"
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
      {asked?.what === 'transfer' && <TransferDialog call={asked.call} onClose={close} />}
      {asked?.what === 'hang up' && <HangUpDialog call={asked.call} onClose={close} />}
    </Page>
  );
}
