import { useSearchParams } from 'wouter';
import { type CallbackFilters, useEndpoints } from '../../data/deliveries.ts';

const STATES = [
  ['failing', 'Failing, retried or not'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed, given up'],
] as const;

type Name = keyof CallbackFilters;

/** Filters of the callbacks, from the URL. */
export function useCallbackFilters() {
  const [search, setSearch] = useSearchParams();
  const status = STATES.find(([value]) => value === search.get('status'))?.[0] ?? null;
  const set = (name: Name, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (value) after.set(name, value);
      else after.delete(name);
      return after;
    });
  return { filters: { status, endpoint: search.get('endpoint') }, set, clear: () => setSearch({}) };
}

interface Props {
  filters: CallbackFilters;
  set: (name: Name, value: string) => void;
}

/** Chooses the state and the endpoint of the callbacks. */
export function CallbackFilterBar({ filters: { status, endpoint }, set }: Props) {
  const endpoints = useEndpoints().data ?? [];
  return (
    <>
      <select
        aria-label="State"
        value={status ?? ''}
        data-set={status ?? undefined}
        onChange={({ target }) => set('status', target.value)}
      >
        <option value="">Any state</option>
        {STATES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {(endpoints.length > 0 || endpoint) && (
        <select
          aria-label="Endpoint"
          value={endpoint ?? ''}
          data-set={endpoint ?? undefined}
          onChange={({ target }) => set('endpoint', target.value)}
        >
          <option value="">Any receiver</option>
          {endpoints.map(({ id, url }) => (
            <option key={id} value={id}>
              {url}
            </option>
          ))}
          {endpoint && !endpoints.some(({ id }) => id === endpoint) && <option value={endpoint}>{endpoint}</option>}
        </select>
      )}
    </>
  );
}
