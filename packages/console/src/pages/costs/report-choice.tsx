import { useSearchParams } from 'wouter';
import { BUCKETS, type Bucket, type ReportChoice, SPLITS, type Split } from '../../data/costs.ts';
import { utcDay } from '../../data/overview.ts';
import { useSession } from '../../data/session.tsx';

const BUCKET_LABELS: Record<Bucket, string> = { day: 'By day', week: 'By week', month: 'By month' };
export const SPLIT_LABELS: Record<Split, string> = {
  provider: 'Provider',
  agent: 'Agent',
  model: 'Model',
  event_type: 'What was used',
  direction: 'Direction',
  user: 'User',
};
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The report that the address describes; this month by day and provider without one. */
export function useReportChoice() {
  const [search, setSearch] = useSearchParams();
  const { user } = useSession();
  const splits = SPLITS.filter((one) => one !== 'user' || user === null);
  const today = utcDay();
  const day = (name: string, otherwise: string) => {
    const value = search.get(name) ?? '';
    return DAY.test(value) ? value : otherwise;
  };
  const choice: ReportChoice = {
    bucket: BUCKETS.find((one) => one === search.get('by')) ?? 'day',
    split: splits.find((one) => one === search.get('split')) ?? 'provider',
    from: day('from', `${today.slice(0, 8)}01`),
    to: day('to', today),
  };
  const set = (name: string, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.set(name, value);
      return after;
    });
  return { choice, splits, set };
}

/** Range and grouping of the report. */
export function ReportChoices({ choice, splits, set }: ReturnType<typeof useReportChoice>) {
  return (
    <>
      <label className="inline-field">
        <span>From</span>
        <input type="date" value={choice.from} max={choice.to} onChange={(event) => set('from', event.target.value)} />
      </label>
      <label className="inline-field">
        <span>To</span>
        <input type="date" value={choice.to} min={choice.from} onChange={(event) => set('to', event.target.value)} />
      </label>
      <select aria-label="Period" value={choice.bucket} onChange={(event) => set('by', event.target.value)}>
        {BUCKETS.map((one) => (
          <option key={one} value={one}>
            {BUCKET_LABELS[one]}
          </option>
        ))}
      </select>
      <select aria-label="Group" value={choice.split} onChange={(event) => set('split', event.target.value)}>
        {splits.map((one) => (
          <option key={one} value={one}>
            {SPLIT_LABELS[one]}
          </option>
        ))}
      </select>
    </>
  );
}
