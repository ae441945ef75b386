import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, afterEach } from 'node:test';
import { serveHttp } from './http-server.ts';
import { type CallResource, callsFound } from './twilio-calls.ts';
import { malformed } from './twilio-formats.ts';

/** A number as API 2010-04-01 shows it, as far as calls are concerned. */
interface NumberResource {
  sid: string;
  phone_number: string;
  capabilities: { voice: boolean; sms: boolean; mms: boolean; fax: boolean };
  trunk_sid: string | null;
  voice_application_sid: string | null;
  voice_url: string | null;
  voice_method: string | null;
  voice_fallback_url: string | null;
  voice_fallback_method: string | null;
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

interface Fault {
  /** `HANG` never responds; `DRIP` starts a response that never ends. */
  answer: Answer | 'HANG' | 'DRIP';
  /** Matched with `POST /v1/Trunks/…`; without it, every request is disturbed. */
  on?: RegExp;
  /** Number of disturbed requests; without it, all that match until `recover`. */
  times?: number;
}

interface Options {
  phone_numbers: string[];
  /** Whether a number on a trunk can be added to a trunk again. Twilio documents neither. */
  accepts_twice?: boolean;
  /** Maximum items per page, regardless of the requested size. */
  page_max?: number;
}

interface Account {
  accountSid: string;
  trunks: string[];
  numbers: Map<string, NumberResource>;
  /** Deleted numbers: the service must never delete any. */
  givenUp: string[];
  accepts_twice: boolean;
  /** Whether a URL can be cleared. Twilio's description has no way to; its API is said to accept an empty string. */
  accepts_empty: boolean;
  page_max: number;
  /** Names of the lists that control who may dial through the trunk. */
  credentialLists: string[];
  addressLists: string[];
  /** Countries, by ISO code, that the account may not dial. */
  closedCountries: string[];
  calls: CallResource[];
}

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
}

export type TwilioStandIn = Awaited<ReturnType<typeof startTwilioStandIn>>;

/** `TK`, `AP`, `PN` or `AC` and 32 digits, like Twilio's. */
export function sid(kind: string): string {
  return `${kind}${randomBytes(16).toString('hex')}`;
}

/** A response in the format of the API's errors. */
export function failure(status: number, code: number, message: string, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}

/**
 * A Twilio account over HTTP on loopback, with the api and trunking hosts in one. A test fails if a number is deleted.
 */
export async function startTwilioStandIn(options: Options) {
  const [trunkSid, otherTrunkSid] = [sid('TK'), sid('TK')];
  const account = newAccount([trunkSid, otherTrunkSid], options);
  const { accountSid, numbers } = account;
  const authToken = randomBytes(16).toString('hex');
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const requests: { request: string; at: number }[] = [];
  let faults: Fault[] = [];

  async function answer(request: IncomingMessage): Promise<Fault['answer']> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://stand-in');
    const { method = '' } = request;
    requests.push({ request: `${method} ${path}`, at: performance.now() });
    const form = new URLSearchParams(await text(request));
    const fault = faults.find(({ on, times }) => times !== 0 && (on?.test(`${method} ${path}`) ?? true));
    if (fault?.times !== undefined) fault.times -= 1;
    if (fault) return fault.answer;
    if (request.headers.authorization !== authorization) return failure(401, 20003, 'Authenticate');
    return route(account, { method, path, query, form });
  }

  const { url, close } = await serveHttp(async (request, response) => {
    send(response, await answer(request).catch((error) => failure(500, 20500, `the stand-in failed: ${error}`)));
  });
  after(close);
  afterEach(() => assert.deepEqual(account.givenUp.splice(0), [], 'numbers were given up'));

  return {
    url,
    account: { accountSid, authToken, trunkSid },
    /** A second trunk of the account. */
    otherTrunkSid,
    /** Settings of the account and its trunks. */
    setUp: (change: Partial<typeof account>) => void Object.assign(account, change),
    authorization,
    requests,
    /** The current number; changes to it happen at the carrier. */
    number(phone_number: string): NumberResource {
      const number = [...numbers.values()].find((owned) => owned.phone_number === phone_number);
      assert.ok(number, `${phone_number} is gone`);
      return number;
    },
    acceptEmpty(accepts: boolean): void {
      account.accepts_empty = accepts;
    },
    disturb: (fault: Fault) => void faults.push({ ...fault }),
    recover() {
      faults = [];
      requests.length = 0;
    },
    close,
  };
}

function send(response: ServerResponse, answer: Fault['answer']): void {
  if (answer === 'HANG') return;
  const { status, body, headers } = answer === 'DRIP' ? { status: 200 } : answer;
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers });
  if (answer !== 'DRIP') return void response.end(isText || body === undefined ? body : JSON.stringify(body));
  const drip = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(drip));
}

function route(account: Account, call: Call): Answer {
  const { method, path, form } = call;
  const wrong = malformed(call, account);
  if (wrong !== null) return failure(422, 20001, wrong);
  const [, trunk, onTrunk] = /^\/v1\/Trunks\/(\w+)\/PhoneNumbers(?:\/(\w+))?$/.exec(path) ?? [];
  if (trunk !== undefined) return onTheTrunk(account, trunk, onTrunk, call);
  const shown = method === 'GET' ? settings(account, path) : null;
  if (shown !== null) return shown;
  if (method === 'GET' && path === `/2010-04-01/Accounts/${account.accountSid}/Calls.json`)
    return listCalls(account, call);
  const [, accountSid, one] =
    /^\/2010-04-01\/Accounts\/(\w+)\/IncomingPhoneNumbers(?:\/(\w+))?\.json$/.exec(path) ?? [];
  if (accountSid !== account.accountSid) return notFound(path);
  if (one === undefined) return method === 'GET' ? list(account, call) : notFound(path);
  const number = account.numbers.get(one);
  if (number === undefined) return notFound(path);
  if (method === 'POST') return update(account, number, form);
  if (method === 'GET') return { status: 200, body: number };
  account.numbers.delete(one);
  account.givenUp.push(number.phone_number);
  return { status: 204 };
}

/** Resources that the doctor reads, in the format of the APIs Trunking v1 and Voice v1; null for any other path. */
function settings({ trunks, credentialLists, addressLists, closedCountries }: Account, path: string): Answer | null {
  const [, trunk = '', kind] = /^\/v1\/Trunks\/(\w+)\/(CredentialLists|IpAccessControlLists)$/.exec(path) ?? [];
  if (kind !== undefined) {
    if (!trunks.includes(trunk)) return notFound(path);
    const [key, names, prefix] =
      kind === 'CredentialLists'
        ? ['credential_lists', credentialLists, 'CL']
        : ['ip_access_control_lists', addressLists, 'AL'];
    const items = names.map((friendly_name) => ({ sid: sid(prefix), trunk_sid: trunk, friendly_name }));
    return { status: 200, body: { [key]: items, meta: { key, page: 0, page_size: 50, next_page_url: null } } };
  }
  const [, iso_code] = /^\/v1\/DialingPermissions\/Countries\/([A-Z]{2})$/.exec(path) ?? [];
  if (iso_code === undefined) return null;
  const low_risk_numbers_enabled = !closedCountries.includes(iso_code);
  return {
    status: 200,
    body: { iso_code, name: `country ${iso_code}`, country_codes: ['1'], low_risk_numbers_enabled },
  };
}

/** Partial numbers match, and `*` is any digit. */
function list({ numbers, page_max }: Account, { path, query }: Call): Answer {
  const wanted = query.get('PhoneNumber') ?? '';
  const part = new RegExp(wanted.replace(/[^\d*]/g, '\\$&').replaceAll('*', '\\d'));
  const matching = [...numbers.values()].filter(({ phone_number }) => part.test(phone_number));
  const { items, page, page_size, next } = paginate(matching, query, page_max);
  const next_page_uri = next && `${path}?${next}`;
  return { status: 200, body: { incoming_phone_numbers: items, page, page_size, uri: path, next_page_uri } };
}

function listCalls({ calls, page_max }: Account, { path, query }: Call): Answer {
  const { items, page, page_size, next } = paginate(callsFound(calls, query), query, page_max);
  return { status: 200, body: { calls: items, page, page_size, uri: path, next_page_uri: next && `${path}?${next}` } };
}

function update({ trunks }: Account, number: NumberResource, form: URLSearchParams): Answer {
  const { VoiceApplicationSid, TrunkSid } = Object.fromEntries(form);
  if (TrunkSid && !trunks.includes(TrunkSid)) return failure(400, 20001, 'No such trunk');
  for (const [name, value] of form) {
    const field = name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    assert.ok(field in number, `the stand-in knows no ${name}`);
    Object.assign(number, { [field]: value || null });
  }
  if (VoiceApplicationSid) number.trunk_sid = null;
  if (TrunkSid) number.voice_application_sid = null;
  return { status: 200, body: number };
}

function onTheTrunk(account: Account, trunk: string, one: string | undefined, call: Call): Answer {
  const { method, path, form } = call;
  if (!account.trunks.includes(trunk)) return notFound(path);
  if (one === undefined && method === 'GET') return listTrunk(account, trunk, call);
  const number = account.numbers.get(one ?? form.get('PhoneNumberSid') ?? '');
  if (number === undefined) return notFound(path);
  if (one === undefined) {
    // The code is a guess: it is not documented.
    if (number.trunk_sid && !account.accepts_twice) return failure(400, 21709, 'The number is already associated');
    Object.assign(number, { trunk_sid: trunk, voice_application_sid: null });
    return { status: 201, body: number };
  }
  if (number.trunk_sid !== trunk) return notFound(path);
  if (method === 'GET') return { status: 200, body: number };
  number.trunk_sid = null;
  return { status: 204 };
}

function listTrunk({ numbers, page_max }: Account, trunk: string, { path, query }: Call): Answer {
  const own = [...numbers.values()].filter(({ trunk_sid }) => trunk_sid === trunk);
  const { items, page, page_size, next } = paginate(own, query, page_max);
  const next_page_url = next && `https://trunking.twilio.com${path}?${next}`;
  const meta = { page, page_size, next_page_url, key: 'phone_numbers' };
  return { status: 200, body: { phone_numbers: items, meta } };
}

function newAccount(trunks: string[], { phone_numbers, accepts_twice = false, page_max = 50 }: Options): Account {
  return {
    accountSid: sid('AC'),
    trunks,
    numbers: new Map(phone_numbers.map(newNumber).map((number) => [number.sid, number])),
    givenUp: [],
    accepts_twice,
    accepts_empty: false,
    page_max,
    credentialLists: ['switchboard'],
    addressLists: [],
    closedCountries: [],
    calls: [],
  };
}

function newNumber(phone_number: string): NumberResource {
  return {
    sid: sid('PN'),
    phone_number,
    capabilities: { voice: true, sms: true, mms: false, fax: false },
    trunk_sid: null,
    voice_application_sid: '',
    voice_url: '',
    voice_method: 'POST',
    voice_fallback_url: null,
    voice_fallback_method: 'POST',
  };
}

/** A page of `all`, and the query of the next one. Only PageToken matters; the page number is for the client. */
function paginate<T extends { sid: string }>(all: T[], query: URLSearchParams, page_max: number) {
  const page = Number(query.get('Page') ?? 0);
  const page_size = Math.min(Number(query.get('PageSize') ?? 50), page_max);
  const start = all.findIndex(({ sid }) => query.get('PageToken') === `PA${sid}`) + 1;
  const items = all.slice(start, start + page_size);
  const following = new URLSearchParams(query);
  following.set('Page', String(page + 1));
  following.set('PageToken', `PA${items.at(-1)?.sid}`);
  return { items, page, page_size, next: start + page_size < all.length ? String(following) : null };
}

function notFound(path: string): Answer {
  return failure(404, 20404, `The requested resource ${path} was not found`);
}
