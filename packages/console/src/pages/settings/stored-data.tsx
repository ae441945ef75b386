import type { Quota } from '@switchboard/client';
import { useQuota } from '../../data/settings.ts';
import { Failure } from '../../ui/failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** How much is stored for the user, and how much may be. */
export function StoredData() {
  const { data: quota, isPending, error, refetch } = useQuota();
  if (isPending) return <Skeleton lines={3} />;
  return (
    <>
      {error && <Failure error={error} onRetry={refetch} />}
      {quota && <Stored quota={quota} />}
    </>
  );
}

function Stored({ quota: { user_id, stored_bytes, stored_bytes_limit, written_bytes_limit } }: { quota: Quota }) {
  const share = stored_bytes_limit === null ? null : (stored_bytes / stored_bytes_limit) * 100;
  return (
    <div className="form narrow">
      <p className="figure-value number">
        {sizeOf(stored_bytes)}
        <span className="muted small">
          {' '}
          of {stored_bytes_limit === null ? 'no limit' : sizeOf(stored_bytes_limit)} for {user_id}
        </span>
      </p>
      {share !== null && (
        <meter
          className={share >= 100 ? 'budget over' : 'budget'}
          aria-label="Storage used"
          min={0}
          max={100}
          value={Math.min(share, 100)}
        >
          {share.toFixed(0)} %
        </meter>
      )}
      <p className="muted">
        Sessions, transcripts, agents, callbacks and entries of the audit log.
        {stored_bytes_limit !== null &&
          ' At the limit the user’s own keys can add nothing more; calls in progress and reports of workers go on.'}
        {written_bytes_limit !== null && ` They write ${sizeOf(written_bytes_limit)} a minute at most.`}
      </p>
    </div>
  );
}

function sizeOf(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** step;
  return `${value.toLocaleString('en-US', { maximumFractionDigits: step === 0 || value >= 100 ? 0 : 1 })} ${UNITS[step]}`;
}
