import type { CallbackStatus } from '@switchboard/client';
import { useIsNarrow } from './narrow.ts';
import { Badge, type Tone } from './status.tsx';

const STATES: Record<CallbackStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'wait' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** Delivery state of a callback; one that is attempted again after a failure is as bad as one that was given up. */
export function CallbackStatusBadge({ status, isFailing = false }: { status: CallbackStatus; isFailing?: boolean }) {
  if (status === 'pending' && isFailing) return <Badge tone="bad">Failing, retried</Badge>;
  const { label, tone } = STATES[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The type of an event; on narrow screens it wraps at its period. */
export function EventType({ type }: { type: string }) {
  const isNarrow = useIsNarrow();
  if (!isNarrow) return <code>{type}</code>;
  const end = type.indexOf('.') + 1;
  return (
    <code>
      {type.slice(0, end)}
      <wbr />
      {type.slice(end)}
    </code>
  );
}

/** The URL of a callback. */
export function Receiver({ url }: { url: string }) {
  return (
    <span className="muted clip-line" title={url}>
      {url}
    </span>
  );
}
