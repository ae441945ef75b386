import type { CallSummary } from '@switchboard/client';

/** A phone number in groups: `+1 500 555 0100`. Numbers of other countries are not changed. */
export function formatNumber(number: string): string {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number);
  return parts ? `+1 ${parts[1]} ${parts[2]} ${parts[3]}` : number;
}

type Parties = Pick<CallSummary, 'direction' | 'from_number' | 'to_number'>;

/** The phone, or the browser, at the other end of a call. */
export function otherSide(call: Parties): string {
  if (call.direction === 'WEB') return 'Browser';
  const number = call.direction === 'INBOUND' ? call.from_number : call.to_number;
  return number ? formatNumber(number) : 'Unknown number';
}
