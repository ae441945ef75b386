import type { CallDetail } from '@switchboard/client';
import { useState } from 'react';
import { useCallEvents } from '../../data/call-events.ts';
import { useCall } from '../../data/calls.ts';
import { explainEnd } from '../../data/end-reasons.ts';
import { otherSide } from '../../data/numbers.ts';
import { useScheduledCall } from '../../data/scheduled-calls.ts';
import { useIsSandbox } from '../../data/service.ts';
import { useSession } from '../../data/session.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure, isMissing } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CallStatusBadge } from '../../ui/status.tsx';
import { Duration } from '../../ui/time.tsx';
import { Analyses } from './analyses.tsx';
import { CallActions } from './call-actions.tsx';
import { Callbacks } from './callbacks.tsx';
import { CostLines } from './cost-lines.tsx';
import { DialDecisions } from './dial-decisions.tsx';
import { Evidence } from './evidence.tsx';
import { Facts } from './facts.tsx';
import type { Player } from './player.tsx';
import { RawCall } from './raw-call.tsx';
import { Recordings } from './recordings.tsx';
import { ScheduledCallView } from './scheduled-call.tsx';
import { Sip } from './sip.tsx';
import { StepIn } from './step-in.tsx';
import { Timeline } from './timeline.tsx';
import { type ShownLine, TranscriptView } from './transcript-view.tsx';
import { Turns } from './turns.tsx';
import { WorkerJobView } from './worker-job.tsx';

const BACK = { to: '/calls', label: 'Calls' };

/** One call with its timeline, transcript and costs, updated while it lasts. */
export function CallPage({ id }: { id: string }) {
  const call = useCall(id);
  const followed = useCallEvents(id);
  const isSandbox = useIsSandbox();
  const [player, setPlayer] = useState<Player | null>(null);
  const [shown, show] = useState<ShownLine | null>(null);
  if (useIsMissed(call)) return <Missing id={id} />;
  if (!call.data) {
    return (
      <Page title="Call" back={BACK}>
        {call.error ? <Failure error={call.error} onRetry={call.refetch} /> : <Skeleton lines={8} />}
      </Page>
    );
  }
  const isOpen = call.data.ended_at === null;
  return (
    <Page
      title={titleOf(call.data)}
      text={<Headline call={call.data} />}
      back={BACK}
      actions={<CallActions call={call.data} />}
    >
      {call.error && <Failure error={call.error} onRetry={call.refetch} />}
      {isSandbox && isOpen && <Simulated />}
      <div className="call-columns">
        <div className="call-main">
          <TranscriptView
            followed={followed}
            isOpen={isOpen}
            startedAt={call.data.started_at}
            player={player}
            shown={shown}
          />
          <StepIn call={call.data} />
          <Analyses call={call.data} lines={followed.lines} onLine={(lineId) => show({ id: lineId })} />
          <Recordings call={call.data} isSandbox={isSandbox} onPlayer={setPlayer} />
          <Turns call={call.data} />
          <CostLines call={call.data} />
          <Callbacks call={call.data} />
          <WorkerJobView call={call.data} />
          <Evidence call={call.data} />
          <RawCall call={call.data} />
        </div>
        <Aside call={call.data} />
      </div>
    </Page>
  );
}

const Simulated = () => (
  <p className="notice">
    <span>
      <strong>Sandbox.</strong> No phone rings and nobody speaks: this call and its conversation are simulated.
    </span>
  </p>
);

function Aside({ call }: { call: CallDetail }) {
  return (
    <aside className="call-side" aria-label="About the call">
      <Facts call={call} />
      <Sip call={call} />
      <Timeline call={call} />
      <DialDecisions call={call} />
    </aside>
  );
}

const titleOf = (call: CallDetail) =>
  call.direction === 'WEB' ? `Browser call with ${call.agent_name ?? 'a deleted agent'}` : otherSide(call);

/** Whether there was no call when it was last asked for: asking again does not take away what is shown instead. */
function useIsMissed({ error, isPending }: { error: unknown; isPending: boolean }): boolean {
  const [wasMissing, setWasMissing] = useState(false);
  if (isMissing(error) && !wasMissing) setWasMissing(true);
  return isMissing(error) || (wasMissing && isPending);
}

/** Something that is no call may be placed later. Otherwise trying again does not help. */
function Missing({ id }: { id: string }) {
  const { user } = useSession();
  const scheduled = useScheduledCall(id);
  if (scheduled.data) return <ScheduledCallView call={scheduled.data} back={BACK} />;
  if (scheduled.isPending)
    return (
      <Page title="Call" back={BACK}>
        <Skeleton lines={8} />
      </Page>
    );
  if (scheduled.error)
    return (
      <Page title="Call" back={BACK}>
        <Failure error={scheduled.error} onRetry={scheduled.refetch} />
      </Page>
    );
  return (
    <Page title="Call" back={BACK}>
      <Empty
        title="This call does not exist"
        text={user === null ? WRONG : `${WRONG} Or it is a call of another user: these are the calls of ${user}.`}
        to="/calls"
        action="All calls"
      />
    </Page>
  );
}

const WRONG = 'Its address may be mistyped, or it was deleted when its retention period ended.';

function Headline({ call }: { call: CallDetail }) {
  return (
    <span className="headline" role="status">
      <CallStatusBadge status={call.call_status} />
      <Duration seconds={call.duration} since={call.ended_at ? null : call.started_at} />
      {call.end_reason && <span>{explainEnd(call.end_reason)}</span>}
    </span>
  );
}
