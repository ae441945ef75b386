import type { Price } from '@switchboard/client';
import { useState } from 'react';
import { usePriceDownload, usePrices } from '../../data/prices.ts';
import { useFlag } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Money } from '../../ui/money.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { PriceImport } from './price-import.tsx';

const COLUMNS: Column<Price>[] = [
  { title: 'Provider', cell: ({ provider }) => <span className="strong clip-line">{provider}</span> },
  { title: 'What', cell: ({ event_type }) => <span className="nowrap">{event_type.replaceAll('_', ' ')}</span> },
  { title: 'For', cell: (price) => <span className="muted clip-line">{scopeOf(price)}</span>, isMinor: true },
  {
    title: 'Price',
    cell: ({ price }) => (price === null ? 'withdrawn' : <Money amount={price} exact />),
    isNumber: true,
  },
  {
    title: 'Billed in seconds',
    cell: ({ billing_increment }) => billing_increment ?? '–',
    isNumber: true,
    isMinor: true,
  },
  {
    title: 'Valid from',
    cell: ({ valid_from }) => <span className="nowrap">{valid_from}</span>,
    isNumber: true,
    isMinor: true,
  },
  {
    title: 'Replaced',
    cell: ({ superseded_at }) => (superseded_at ? <Time at={superseded_at} /> : '–'),
    isNumber: true,
    isMinor: true,
  },
];

/** The prices of usage events. */
export function PriceBook() {
  const [withHistory, setHistory] = useFlag('replaced');
  const [isImporting, setImporting] = useState(false);
  const prices = usePrices(withHistory);
  const download = usePriceDownload(withHistory);
  const rows = prices.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <div className="filters">
        <Button needs="putPrices" kind="primary" icon="plus" onClick={() => setImporting(true)}>
          Import prices
        </Button>
        <Button icon="down" onClick={() => download.mutate()} isBusy={download.isPending}>
          CSV
        </Button>
        <label className="check">
          <input type="checkbox" checked={withHistory} onChange={(event) => setHistory(event.target.checked)} />
          Show replaced prices
        </label>
      </div>
      {download.error && <Failure error={download.error} />}
      {prices.isPending && <Skeleton />}
      {prices.error && <Failure error={prices.error} onRetry={prices.refetch} />}
      {prices.data && rows.length === 0 && (
        <Empty
          title="The price book is empty"
          text="It sets the prices of usage reported without one. Until then such usage is unpriced."
        />
      )}
      {rows.length > 0 && <Table label="Prices" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
      <More query={prices} />
      {isImporting && <PriceImport onClose={() => setImporting(false)} />}
    </>
  );
}

function scopeOf({ model, prefix, direction }: Price): string {
  const parts = [model, prefix && `+${prefix}…`, direction?.toLowerCase()].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'All';
}
