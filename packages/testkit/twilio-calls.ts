import { randomBytes } from 'node:crypto';

/** A call as API 2010-04-01 shows it: the fields of `api.v2010.account.call` in Twilio's published description. */
export interface CallResource {
  sid: string;
  account_sid: string;
  parent_call_sid: string | null;
  to: string;
  from: string;
  status: string;
  /** RFC 2822, in UTC; null before the call is dialled. */
  start_time: string | null;
  end_time: string | null;
  /** Seconds. */
  duration: string;
  /** Negative for what the account pays; null until the call is billed. */
  price: string | null;
  price_unit: string;
  direction: string;
  trunk_sid: string | null;
  api_version: string;
  [other: string]: unknown;
}

/** A completed and billed call of a trunk, with these fields. */
export function twilioCall(
  fields: { to: string; from: string; started_at: Date; ended_at: Date } & Partial<CallResource>,
) {
  const { started_at, ended_at, ...rest } = fields;
  const sid = `CA${randomBytes(16).toString('hex')}`;
  const duration = String(Math.round((ended_at.getTime() - started_at.getTime()) / 1000));
  const formatted = { to_formatted: rest.to, from_formatted: rest.from };
  return {
    sid,
    account_sid: `AC${'0'.repeat(32)}`,
    parent_call_sid: null,
    ...formatted,
    phone_number_sid: '',
    status: 'completed',
    start_time: rfc2822(started_at),
    end_time: rfc2822(ended_at),
    duration,
    date_created: rfc2822(started_at),
    date_updated: rfc2822(ended_at),
    price: '-0.01300',
    price_unit: 'USD',
    direction: 'trunking-terminating',
    answered_by: null,
    api_version: '2010-04-01',
    forwarded_from: null,
    group_sid: null,
    caller_name: null,
    queue_time: '0',
    trunk_sid: null,
    uri: `/2010-04-01/Calls/${sid}.json`,
    subresource_uris: {},
    ...rest,
  } satisfies CallResource;
}

/** `Fri, 18 Oct 2019 17:00:00 +0000` */
function rfc2822(time: Date): string {
  return time.toUTCString().replace('GMT', '+0000');
}

/** The calls that match a list query, newest first. Bounds are days, even if given with a time. */
export function callsFound(calls: CallResource[], query: URLSearchParams): CallResource[] {
  const bound = (name: string) => query.get(name)?.slice(0, 10);
  const [on, from, before] = [bound('StartTime'), bound('StartTime>'), bound('StartTime<')];
  return calls
    .filter((call) => {
      const day = call.start_time === null ? '' : new Date(call.start_time).toISOString().slice(0, 10);
      const isOfStatus = (query.get('Status') ?? call.status) === call.status;
      return isOfStatus && day === (on ?? day) && day >= (from ?? '') && (before === undefined || day < before);
    })
    .sort((a, b) => Date.parse(b.start_time ?? '') - Date.parse(a.start_time ?? ''));
}
