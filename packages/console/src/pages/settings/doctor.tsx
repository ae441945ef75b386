import type { Check, CheckState } from '@switchboard/client';
import { useDoctor } from '../../data/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Badge, type Tone } from '../../ui/status.tsx';

const STATES: Record<CheckState, { label: string; tone: Tone }> = {
  ok: { label: 'In order', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  not_checked: { label: 'Not checked', tone: 'quiet' },
};

/** Checks of the service's dependencies, run by the service itself. */
export function Doctor() {
  const { mutate, data, error, isPending } = useDoctor();
  const failed = data?.checks.filter(({ state }) => state === 'failed').length ?? 0;
  return (
    <>
      <p className="muted measure">
        Checks the database, the media server, its trunks and worker, and the carrier, from inside the service. Nobody
        is dialled. If LiveKit is configured, a room is created for a few seconds. It takes up to a minute.
      </p>
      <div className="actions">
        <Button kind="primary" onClick={() => mutate()} isBusy={isPending}>
          {data ? 'Check again' : 'Run the checks'}
        </Button>
        <span role="status" className="muted">
          {isPending && 'Checking…'}
          {data && !isPending && resultOf(failed, data.is_complete)}
        </span>
      </div>
      {isPending && <Skeleton lines={5} />}
      {error && <Failure error={error} />}
      {data && !isPending && (
        <ul className="findings">
          {data.checks.map((check) => (
            <Finding key={check.check} check={check} />
          ))}
        </ul>
      )}
    </>
  );
}

function Finding({ check: { check, state, text } }: { check: Check }) {
  const { label, tone } = STATES[state];
  return (
    <li>
      <Badge tone={tone}>{label}</Badge>
      <div>
        <p className="strong">{check}</p>
        <p className="muted anywhere">{text}</p>
      </div>
    </li>
  );
}

function resultOf(failed: number, isComplete: boolean): string {
  if (failed > 0) return `${failed} ${failed === 1 ? 'check has' : 'checks have'} failed.`;
  return isComplete ? 'Nothing is wrong.' : 'Not all checks finished in time.';
}
