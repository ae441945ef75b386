import type { Report } from '../../data/costs.ts';
import { usePriceActions } from '../../data/prices.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';

const SHOWN = 5;

/** Unpriced usage, and a button that prices it once the book has the prices. */
export function Unpriced({ report: { unpriced } }: { report: Report }) {
  const { apply } = usePriceActions();
  const { kinds } = unpriced;
  if (kinds.length === 0) return null;
  return (
    <div className="failure">
      <p>
        <strong>Some usage has no price.</strong> Put these into the price book, then price the usage.
      </p>
      <ul>
        {kinds.slice(0, SHOWN).map(({ provider, model, event_type, events }) => (
          <li key={`${provider} ${model} ${event_type}`}>
            {provider}
            {model && `, ${model}`}, {event_type.replaceAll('_', ' ')}{' '}
            <span className="muted">{events === 1 ? '1 event' : `${events} events`}</span>
          </li>
        ))}
        {kinds.length > SHOWN && <li className="muted">and {kinds.length - SHOWN} more</li>}
      </ul>
      {apply.error && <Failure error={apply.error} />}
      {apply.data && (
        <p role="status">{`${apply.data.priced} events were priced, ${apply.data.unpriced} still have no price.`}</p>
      )}
      <Button onClick={() => apply.mutate()} isBusy={apply.isPending}>
        Price the usage
      </Button>
    </div>
  );
}
