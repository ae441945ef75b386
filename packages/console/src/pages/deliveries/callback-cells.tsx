import type { Callback } from '@switchboard/client';
import { Link } from 'wouter';
import { EventType } from '../../ui/callback-status.tsx';
import { useIsNarrow } from '../../ui/narrow.ts';
import { Time } from '../../ui/time.tsx';

/** The reported event; on narrow screens with the contents of other columns. */
export function Event({ callback }: { callback: Callback }) {
  const { type, created_at } = callback;
  const call_id = callOf(callback);
  const isNarrow = useIsNarrow();
  return (
    <>
      <EventType type={type} />
      {isNarrow && (
        <span className="value muted small">
          <Time at={created_at} />
          {call_id && ' · '}
          {call_id && (
            <Link to={`/calls/${call_id}`} className="in-text">
              Call
            </Link>
          )}
        </span>
      )}
    </>
  );
}

/** The call of the event. */
export function Call({ callback }: { callback: Callback }) {
  const call_id = callOf(callback);
  return call_id ? <Link to={`/calls/${call_id}`}>Open</Link> : <span className="muted">–</span>;
}

/** Null for a chat, which has no page. */
const callOf = ({ type, call_id }: Callback) => (type === 'chat.ended' ? null : call_id);
