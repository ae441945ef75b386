import type { CallStatus } from '@switchboard/client';

const CALLS: Record<CallStatus, { label: string; tone: Tone }> = {
  RINGING: { label: 'Ringing', tone: 'wait' },
  ANSWERED: { label: 'Answered', tone: 'good' },
  COMPLETED: { label: 'Completed', tone: 'quiet' },
  FAILED: { label: 'Failed', tone: 'bad' },
  NO_ANSWER: { label: 'No answer', tone: 'warn' },
};

export type Tone = 'good' | 'wait' | 'quiet' | 'warn' | 'bad';

/** The state of a call, as a word and a color. */
export function CallStatusBadge({ status }: { status: CallStatus | null }) {
  if (!status) return <span className="muted">–</span>;
  const { label, tone } = CALLS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** A state. The dot repeats the meaning of the word. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={`badge ${tone}`}>
      <span className="dot" aria-hidden="true" />
      {children}
    </span>
  );
}
