import { useState } from 'react';
import { Link } from 'wouter';
import { formatNumber } from '../../data/numbers.ts';
import { useScheduledCalls } from '../../data/scheduled-calls.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

/** Shown at first. */
const FEW = 3;

/** Calls that wait for their time; nothing if there are none. */
export function ScheduledCalls() {
  const [isOpen, setOpen] = useState(false);
  const { calls = [], hasMore = false } = useScheduledCalls().data ?? {};
  if (calls.length === 0) return null;
  const shown = isOpen ? calls : calls.slice(0, FEW);
  return (
    <Section title="Scheduled">
      <dl className="facts">
        {shown.map((call) => (
          <div key={call.scheduled_call_id}>
            <dt>
              <Time at={call.due_at} />
            </dt>
            <dd>
              <Link to={`/calls/${call.scheduled_call_id}`}>{formatNumber(call.phone_number)}</Link>
            </dd>
          </div>
        ))}
      </dl>
      {shown.length < calls.length && (
        <p>
          <Button onClick={() => setOpen(true)}>{hasMore ? `Show ${calls.length}` : `Show all ${calls.length}`}</Button>
        </p>
      )}
      {isOpen && hasMore && <p className="muted">{`The ${calls.length} that were scheduled last; there are more.`}</p>}
    </Section>
  );
}
