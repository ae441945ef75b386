import type { Twilio } from 'twilio';
import type {
  IncomingPhoneNumberContextUpdateOptions,
  IncomingPhoneNumberInstance,
} from 'twilio/lib/rest/api/v2010/account/incomingPhoneNumber.js';
import { DAY_MS } from '../../lib/clock.ts';
import type { Carrier, CarrierCall, CarrierNumber, Routing } from '../carrier.ts';
import { ProviderError } from '../provider-error.ts';
import { toCarrierCalls } from './calls.ts';
import { twilioFor } from './client.ts';
import { diagnose } from './diagnose.ts';

interface Options {
  /** `AC…` */
  accountSid: string;
  authToken: string;
  /** The Elastic SIP trunk that leads to the media provider, `TK…`. */
  trunkSid: string;
  /** Replaces Twilio's API hosts, for a stand-in or a proxy. */
  baseUrl?: string;
  /** Milliseconds for attaching or detaching a number, for one search, and for each page of a list. */
  timeoutMs?: number;
}

/** Twilio's maximum page size. */
const PAGE_SIZE = 1000;

/** A paginated list of the API. */
interface List<Item, Filter> {
  page(filter: Filter & { pageSize: number }): Promise<{ instances: Item[]; nextPageUrl?: string | undefined }>;
  getPage(url: string): Promise<{ instances: Item[]; nextPageUrl?: string | undefined }>;
}

const UNKNOWN_TRUNK = 'The carrier account has no such trunk. Correct TWILIO_TRUNK_SID.';

/**
 * The numbers of a Twilio account, routed to the media provider through a trunk (API 2010-04-01, trunking v1, SDK 6).
 * Throws `ProviderError`.
 */
export function createTwilioCarrier({ trunkSid, baseUrl, timeoutMs = 10_000, ...account }: Options): Carrier {
  const open = (operation: string) => twilioFor(operation, { ...account, baseUrl, timeoutMs });

  async function* pagesOf<Item, Filter>(operation: string, list: (api: Twilio) => List<Item, Filter>, filter: Filter) {
    let page = await list(open(operation)).page({ ...filter, pageSize: PAGE_SIZE });
    for (const seen = new Set<string>(); ; ) {
      yield page.instances;
      if (!page.nextPageUrl) return;
      if (seen.has(page.nextPageUrl)) throw new Error('the pages form a cycle');
      seen.add(page.nextPageUrl);
      page = await list(open(operation)).getPage(page.nextPageUrl);
    }
  }

  async function* owned(operation: string, filter: { phoneNumber?: string }): AsyncGenerator<CarrierNumber> {
    for await (const numbers of pagesOf(operation, (api) => api.incomingPhoneNumbers, filter))
      yield* numbers.map(toCarrierNumber);
  }

  async function* calls(from: Date, to: Date): AsyncGenerator<CarrierCall[]> {
    // Twilio filters by whole days only, so the last day is included.
    const before = new Date(Math.ceil(to.getTime() / DAY_MS) * DAY_MS);
    const filter = { status: 'completed' as const, startTimeAfter: from, startTimeBefore: before };
    const pages = pagesOf('listCalls', (api) => api.calls, filter);
    for (;;) {
      const page = await understood('listCalls', () => pages.next());
      if (page.done) return;
      yield toCarrierCalls(page.value, from, to);
    }
  }

  async function attach(carrier_sid: string): Promise<void> {
    const api = open('attach');
    const number = api.incomingPhoneNumbers(carrier_sid);
    try {
      await answerFor(
        carrier_sid,
        api.trunking.v1.trunks(trunkSid).phoneNumbers.create({ phoneNumberSid: carrier_sid }),
      );
    } catch (refusal) {
      if (!isRefusal(refusal)) throw refusal;
      // Twilio does not document the error for a number that is already on a trunk, so its current trunk decides.
      const { trunkSid: now } = await answerFor(carrier_sid, number.fetch());
      if (now === trunkSid) return;
      if (!now) throw isNotFound(refusal) ? unknownTrunk(refusal) : refusal;
      await answerFor(carrier_sid, number.update({ trunkSid }));
    }
  }

  async function detach(carrier_sid: string, previous: Routing): Promise<void> {
    const api = open('detach');
    const number = api.incomingPhoneNumbers(carrier_sid);
    const found = await orNotFound(answerFor(carrier_sid, number.fetch()));
    if (found?.trunkSid !== trunkSid) return;
    // Restored before it leaves the trunk: if that fails, the number still points to us and is detached again.
    const { emptied, set } = differences(toCarrierNumber(found).routing, previous);
    if (emptied) await unlessRefused(answerFor(carrier_sid, number.update(emptied)));
    // Setting an application or another trunk removes it from ours; an empty one is not sent, since it might do the
    // same.
    const restored = set ? await unlessRefused(answerFor(carrier_sid, number.update(set)), isForGood) : found;
    // Also if the trunk or the application that it had before no longer exists: it must not stay with us.
    if (previous.trunk_sid === null || !restored)
      await orNotFound(api.trunking.v1.trunks(trunkSid).phoneNumbers(carrier_sid).remove());
  }

  const listNumbers = () =>
    understood('listNumbers', async () => {
      const numbers: CarrierNumber[] = [];
      for await (const number of owned('listNumbers', {})) numbers.push(number);
      return numbers;
    });

  return {
    name: 'twilio',
    description: `Twilio account ${account.accountSid}${baseUrl === undefined ? '' : ` at ${baseUrl}`}`,
    findNumber: (phone_number) =>
      understood('findNumber', async () => {
        // Twilio matches parts of numbers, and `*` as any digit.
        for await (const number of owned('findNumber', { phoneNumber: phone_number })) {
          if (number.phone_number === phone_number) return number;
        }
        return null;
      }),
    listNumbers,
    listCalls: calls,
    ping: () => understood('ping', async () => void (await open('ping').incomingPhoneNumbers.page({ pageSize: 1 }))),
    diagnose: (countries) => diagnose({ access: { ...account, baseUrl, timeoutMs }, trunkSid, listNumbers }, countries),
    attach: (carrier_sid) => understood('attach', () => attach(carrier_sid)),
    detach: (carrier_sid, previous) => understood('detach', () => detach(carrier_sid, previous)),
  };
}

/** Turns responses that the SDK or a check here rejects into a `ProviderError`. */
async function understood<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError('provider_answer_invalid', { provider: 'twilio', operation, retryable: true, cause });
  }
}

/**
 * Parameters that change one routing into the other. Twilio documents no way to clear a URL, so those to clear are
 * separate.
 */
function differences(now: Routing, previous: Routing) {
  const changed = (Object.keys(PARAMETERS) as (keyof Routing)[]).filter((field) => now[field] !== previous[field]);
  const parametersOf = (fields: (keyof Routing)[]) =>
    fields.length === 0 ? null : Object.fromEntries(fields.map((field) => [PARAMETERS[field], previous[field] ?? '']));
  const canBeEmptied = (field: keyof Routing) => field === 'voice_url' || field === 'voice_fallback_url';
  return {
    emptied: parametersOf(changed.filter((field) => previous[field] === null && canBeEmptied(field))),
    set: parametersOf(changed.filter((field) => previous[field] !== null)),
  };
}

const PARAMETERS = {
  voice_url: 'voiceUrl',
  voice_method: 'voiceMethod',
  voice_fallback_url: 'voiceFallbackUrl',
  voice_fallback_method: 'voiceFallbackMethod',
  voice_application_sid: 'voiceApplicationSid',
  trunk_sid: 'trunkSid',
} as const satisfies Record<keyof Routing, keyof IncomingPhoneNumberContextUpdateOptions>;

/** The response, if it is about this number; any other success does not show what was done. */
async function answerFor<T extends { sid: string }>(carrier_sid: string, answer: Promise<T>): Promise<T> {
  const number = await answer;
  if (number.sid !== carrier_sid) throw new Error(`the response is not about ${carrier_sid}`);
  return number;
}

function unknownTrunk({ provider_code, cause }: ProviderError): ProviderError {
  const about = { provider: 'twilio', operation: 'attach', retryable: false, provider_code, cause };
  return new ProviderError('provider_refused', { ...about, detail: UNKNOWN_TRUNK });
}

// Unset fields are null or empty.
function toCarrierNumber(number: IncomingPhoneNumberInstance): CarrierNumber {
  if (!/^PN[0-9a-f]{32}$/i.test(number.sid) || typeof number.phoneNumber !== 'string')
    throw new Error('the response contains no number');
  return {
    phone_number: number.phoneNumber,
    carrier_sid: number.sid,
    voice: number.capabilities?.voice === true,
    routing: {
      trunk_sid: number.trunkSid || null,
      voice_application_sid: number.voiceApplicationSid || null,
      voice_url: number.voiceUrl || null,
      voice_method: number.voiceMethod || null,
      voice_fallback_url: number.voiceFallbackUrl || null,
      voice_fallback_method: number.voiceFallbackMethod || null,
    },
  };
}

function isRefusal(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.code === 'provider_refused';
}

/** Whether it will be refused again, whatever the key may do. */
function isForGood(error: unknown): boolean {
  return isRefusal(error) && error.provider_code !== '20003';
}

function isNotFound(error: unknown): boolean {
  return isRefusal(error) && error.provider_code === '20404';
}

/** Undefined if Twilio answers 404. */
function orNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  return unlessRefused(answer, isNotFound);
}

/** Undefined if Twilio refuses with the expected error. */
function unlessRefused<T>(
  answer: Promise<T>,
  isMeant: (error: unknown) => boolean = isRefusal,
): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isMeant(error)) return undefined;
    throw error;
  });
}
