import type { Direction } from '@switchboard/client';

const LABELS: Record<Direction, string> = { INBOUND: 'Inbound', OUTBOUND: 'Outbound', WEB: 'Browser' };

/** The direction of a call. */
export function DirectionLabel({ direction }: { direction: Direction }) {
  return <span className="nowrap">{LABELS[direction]}</span>;
}
