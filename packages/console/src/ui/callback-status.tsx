import type { CallbackStatus } from '@switchboard/client';
import { Badge, type Tone } from './status.tsx';

const STATES: Record<CallbackStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'wait' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** Whether a callback has arrived. */
export function CallbackStatusBadge({ status }: { status: CallbackStatus }) {
  const { label, tone } = STATES[status];
  return <Badge tone={tone}>{label}</Badge>;
}
