import type { CallDetail, FailedOver, TimelineKeys } from '@switchboard/client';
import { explainEnd } from '../../data/end-reasons.ts';
import { failedOverText } from '../../data/failovers.ts';
import { labelAt } from '../../data/form-fields.ts';
import { formatNumber } from '../../data/numbers.ts';
import { keysText } from '../../data/pressed-keys.ts';
import { Section } from '../../ui/page.tsx';
import type { Tone } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

interface Entry {
  at: string;
  title: string;
  detail?: string;
  tone: Tone;
}

/** The events of a call in order, as text. */
export function Timeline({ call }: { call: CallDetail }) {
  return (
    <Section title="Timeline">
      <ol className="timeline">
        {entriesOf(call).map(({ at, title, detail, tone }) => (
          <li key={`${at} ${title} ${detail}`} className={tone}>
            <span className="dot" aria-hidden="true" />
            <div>
              <p className="strong">{title}</p>
              {detail && <p className="muted">{detail}</p>}
            </div>
            <span className="muted">
              <Time at={at} precise />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function entriesOf(call: CallDetail): Entry[] {
  const states = call.timeline.map((entry, index) =>
    entry.failed_over ? failedOverEntry(entry.failed_over, entry.created_at) : stateEntry(call, entry, index),
  );
  // Missing from an earlier release.
  const keys = (call.keys ?? []).map(keysEntry);
  const transfers = call.transfers.flatMap((transfer): Entry[] => {
    const how = transfer.attended ? 'Attended' : transfer.transfer_type === 'WARM' ? 'Warm' : 'Cold';
    const to = `${how}, to ${formatNumber(transfer.phone_number)}`;
    const what = transfer.fallback ? 'Fallback' : 'Transfer';
    const title = transfer.fallback ? 'No worker came: fallback number called' : 'Transfer started';
    const begun: Entry = { at: transfer.created_at, title, detail: to, tone: 'wait' };
    if (transfer.status === 'pending') return [begun];
    if (transfer.attended && transfer.status === 'connected')
      return [begun, { at: transfer.updated_at, title: 'The agent asks; the caller waits', detail: to, tone: 'wait' }];
    const failed = transfer.status === 'failed';
    const why = failed && transfer.reason ? explainEnd(transfer.reason) : to;
    const detail = failed && transfer.sip_status_code ? `${why} SIP ${transfer.sip_status_code}.` : why;
    return [
      begun,
      { at: transfer.updated_at, title: `${what} ${transfer.status}`, detail, tone: failed ? 'bad' : 'good' },
    ];
  });
  return [...states, ...transfers, ...keys].sort((a, b) => a.at.localeCompare(b.at));
}

function stateEntry(
  call: CallDetail,
  { status, call_status, created_at: at }: CallDetail['timeline'][number],
  index: number,
): Entry {
  if (index === 0 && status === 'CREATED') {
    const title = { INBOUND: 'Call came in', OUTBOUND: 'Call placed', WEB: 'Browser call created' }[call.direction];
    return { at, title, detail: call_status === 'RINGING' ? 'It rings.' : undefined, tone: 'wait' } as Entry;
  }
  if (status === 'ACTIVE') return { at, title: 'Answered', detail: after(call.created_at, at), tone: 'good' };
  const why = call.end_reason ? explainEnd(call.end_reason) : '';
  const sip = call.sip_status_code ? ` SIP ${call.sip_status_code}.` : '';
  const title = status === 'COMPLETED' ? 'Ended' : call_status === 'NO_ANSWER' ? 'No answer' : 'Failed';
  return { at, title, detail: `${why}${sip}`, tone: status === 'COMPLETED' ? 'quiet' : 'bad' };
}

function failedOverEntry(over: FailedOver, at: string): Entry {
  return { at, title: `${labelAt([over.kind])} replaced`, detail: failedOverText(over), tone: 'wait' };
}

function keysEntry(keys: TimelineKeys): Entry {
  return { at: keys.created_at, ...keysText(keys), tone: 'quiet' };
}

function after(from: string, to: string): string {
  return `After ${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1)} s.`;
}
