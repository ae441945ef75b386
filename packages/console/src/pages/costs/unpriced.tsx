import { useState } from 'react';
import type { Report } from '../../data/costs.ts';
import { usePriceActions } from '../../data/prices.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useMay } from '../../ui/permission.ts';
import { PriceDialog } from './price-dialog.tsx';

const SHOWN = 5;
type Kind = Report['unpriced']['kinds'][number];

/** Unpriced usage; with the price book's key also forms for its prices, and a button that applies them. */
export function Unpriced({ report: { unpriced } }: { report: Report }) {
  const isAdmin = useMay('putPrices');
  const [priced, setPriced] = useState<Kind | null>(null);
  const { kinds } = unpriced;
  if (kinds.length === 0) return null;
  return (
    <div className="failure">
      <p>
        <strong>Some usage has no price.</strong>{' '}
        {isAdmin
          ? 'Set the prices, then price the usage.'
          : 'It counts as 0 until the operator of the service puts its price into the price book.'}
      </p>
      <ul className="unpriced">
        {kinds.slice(0, SHOWN).map((kind) => (
          <li key={nameOf(kind)}>
            <span>
              {nameOf(kind)} <span className="muted">{kind.events === 1 ? '1 event' : `${kind.events} events`}</span>
            </span>
            {isAdmin && (
              <button type="button" className="link" onClick={() => setPriced(kind)}>
                Set a price
              </button>
            )}
          </li>
        ))}
        {kinds.length > SHOWN && <li className="muted">and {kinds.length - SHOWN} more</li>}
      </ul>
      {isAdmin && <PriceUsage />}
      {priced && <PriceDialog kind={priced} onClose={() => setPriced(null)} />}
    </div>
  );
}

const nameOf = ({ provider, model, event_type }: Kind) =>
  `${provider}${model ? `, ${model}` : ''}, ${event_type.replaceAll('_', ' ')}`;

function PriceUsage() {
  const { apply } = usePriceActions();
  return (
    <>
      {apply.error && <Failure error={apply.error} />}
      {apply.data && (
        <p role="status">{`${apply.data.priced} events were priced, ${apply.data.unpriced} still have no price.`}</p>
      )}
      <Button needs="applyPrices" onClick={() => apply.mutate()} isBusy={apply.isPending}>
        Price the usage
      </Button>
    </>
  );
}
