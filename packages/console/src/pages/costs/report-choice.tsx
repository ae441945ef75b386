import { useSearchParams } from 'wouter';
import { BUCKETS, type Bucket, type ReportChoice, SPLITS, type Split } from '../../data/costs.ts';
import { utcDay } from '../../data/overview.ts';
import { useSession } from '../../data/session.tsx';

const BUCKET_LABELS: Record<Bucket, string> = {
  day: 'By day',
  week: 'By week',
  month: 'By month',
  none: 'All days together',
};
export const SPLIT_LABELS: Record<Split, string> = {
  provider: 'Provider',
  agent: 'Agent',
  agent_version: 'Version of the agent',
  model: 'Model',
  event_type: 'What was used',
  direction: 'Direction',
  user: 'User',
};
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The report described by the URL; by default, this month by day and provider. */
export function useReportChoice() {
  const [search, setSearch] = useSearchParams();
  const { user } = useSession();
  const offered = SPLITS.filter((one) => one !== 'user' || user === null);
  const today = utcDay();
  const day = (name: string, otherwise: string) => {
    const value = search.get(name) ?? '';
    return DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : otherwise;
  };
  const bucket = BUCKETS.find((one) => one === search.get('by')) ?? 'day';
  // `group_by` is the name that the API has for it.
  const named = (search.get('split') ?? search.get('group_by') ?? 'provider').split(',');
  const splits = [...new Set(named)].flatMap((name) => offered.find((one) => one === name) ?? []);
  const choice: ReportChoice = {
    bucket,
    // A report needs at least one group.
    splits: bucket === 'none' && splits.length === 0 ? ['provider'] : splits,
    from: day('from', `${today.slice(0, 8)}01`),
    to: day('to', today),
  };
  const setAll = (values: Record<string, string>) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if ('split' in values) after.delete('group_by');
      for (const [name, value] of Object.entries(values)) after.set(name, value);
      return after;
    });
  const set = (name: string, value: string) => setAll({ [name]: value });
  return { choice, offered, set, setAll };
}

type Chosen = ReturnType<typeof useReportChoice>;

/** Ranges that are often asked for, in UTC. */
function quickRanges() {
  const today = utcDay();
  const first = `${today.slice(0, 8)}01`;
  const lastOfPrevious = new Date(Date.parse(first) - 1).toISOString().slice(0, 10);
  return [
    { label: 'This month', from: first, to: today },
    { label: 'Last month', from: `${lastOfPrevious.slice(0, 8)}01`, to: lastOfPrevious },
    { label: 'Today', from: today, to: today },
    { label: 'Last 7 days', from: utcDay(6), to: today },
    { label: 'Last 30 days', from: utcDay(29), to: today },
    { label: 'Last 90 days', from: utcDay(89), to: today },
  ];
}

/** Range and period of the report. */
export function ReportChoices({ choice, set, setAll }: Chosen) {
  const ranges = quickRanges();
  const chosen = ranges.findIndex(({ from, to }) => from === choice.from && to === choice.to);
  return (
    <>
      <select
        aria-label="Range"
        value={chosen}
        onChange={({ target }) => {
          const range = ranges[Number(target.value)];
          if (range) setAll({ from: range.from, to: range.to });
        }}
      >
        {chosen < 0 && <option value={-1}>These days</option>}
        {ranges.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </select>
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
    </>
  );
}

/** Any number of dimensions to group by, the first of which is plotted. */
export function GroupChoices({ choice: { splits }, offered, set }: Chosen) {
  const choose = (chosen: Split[]) => set('split', chosen.join());
  const without = (split: Split) => splits.filter((one) => one !== split);
  return (
    <fieldset className="toggles">
      <legend>Group by</legend>
      {offered.map((split) => (
        <button
          key={split}
          type="button"
          className="toggle"
          aria-pressed={splits.includes(split)}
          onClick={() => choose(splits.includes(split) ? without(split) : [...splits, split])}
        >
          {SPLIT_LABELS[split]}
        </button>
      ))}
      {splits.length > 1 && (
        <select
          aria-label="Plotted"
          value={splits[0]}
          onChange={({ target }) => choose([target.value as Split, ...without(target.value as Split)])}
        >
          {splits.map((split) => (
            <option key={split} value={split}>
              Plot by {SPLIT_LABELS[split].toLowerCase()}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  );
}
