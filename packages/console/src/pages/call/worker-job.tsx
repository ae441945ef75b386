import type { CallDetail } from '@switchboard/client';
import { useState } from 'react';
import { useCallJob } from '../../data/calls.ts';
import { Copy } from '../../ui/copy.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The job that the worker gets when it is dispatched into the room of the call. */
export function WorkerJobView({ call }: { call: CallDetail }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error, isPending, refetch } = useCallJob(call.call_id, isOpen);
  const text = data ? JSON.stringify(data.job, null, 2) : '';
  return (
    <details className="raw" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Worker’s job</summary>
      {isOpen && isPending && <Skeleton lines={4} />}
      {error && <Failure error={error} onRetry={refetch} />}
      {data === null && <p className="muted raw-body">The agent and its configuration were deleted.</p>}
      {data && (
        <>
          {data.agent_changed && (
            <p className="muted raw-body">
              The agent was changed after its worker was dispatched: the worker may have received other values.
            </p>
          )}
          <div className="raw-body">
            <Copy text={text} label="Copy the job" />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <pre tabIndex={0}>{text}</pre>
          </div>
        </>
      )}
    </details>
  );
}
