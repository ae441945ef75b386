import type { IncomingPhoneNumberInstance } from 'twilio/lib/rest/api/v2010/account/incomingPhoneNumber.js';
import { ProviderError } from '../provider-error.ts';
import type { Carrier, CarrierNumber } from './carrier.ts';
import { twilioFor } from './twilio-client.ts';

interface Options {
  /** `AC…` */
  accountSid: string;
  authToken: string;
  /** The Elastic SIP trunk that leads to the media provider, `TK…`. */
  trunkSid: string;
  /** Where the API is asked instead of at Twilio's own hosts, for a stand-in or a proxy. */
  baseUrl?: string;
  /** Milliseconds for one attaching or detaching as a whole, for one search, and for each page of a list. */
  timeoutMs?: number;
}

/** The most that Twilio puts on a page. */
const PAGE_SIZE = 1000;

/** The numbers of a Twilio account, sent to the media provider through a trunk (API 2010-04-01, trunking v1, SDK 6). Throws `ProviderError`. */
export function createTwilioCarrier({ trunkSid, baseUrl, timeoutMs = 10_000, ...account }: Options): Carrier {
  const open = (operation: string) => twilioFor(operation, { ...account, baseUrl, timeoutMs });

  async function* owned(operation: string, filter: { phoneNumber?: string }): AsyncGenerator<CarrierNumber> {
    let page = await open(operation).incomingPhoneNumbers.page({ ...filter, pageSize: PAGE_SIZE });
    for (;;) {
      yield* page.instances.map(toCarrierNumber);
      if (!page.nextPageUrl) return;
      page = await open(operation).incomingPhoneNumbers.getPage(page.nextPageUrl);
    }
  }

  return {
    name: 'twilio',
    description: `Twilio account ${account.accountSid}${baseUrl === undefined ? '' : ` at ${baseUrl}`}`,
    async findNumber(phone_number) {
      // Twilio matches parts of numbers and takes `*` for any digit.
      for await (const number of owned('findNumber', { phoneNumber: phone_number })) {
        if (number.phone_number === phone_number) return number;
      }
      return null;
    },
    async listNumbers() {
      const numbers: CarrierNumber[] = [];
      for await (const number of owned('listNumbers', {})) numbers.push(number);
      return numbers;
    },
    async ping() {
      await open('ping').incomingPhoneNumbers.page({ pageSize: 1 });
    },
    async attach(carrier_sid) {
      const api = open('attach');
      try {
        await api.trunking.v1.trunks(trunkSid).phoneNumbers.create({ phoneNumberSid: carrier_sid });
      } catch (refusal) {
        if (!isRefusal(refusal)) throw refusal;
        // How a number that is on a trunk already gets refused is documented nowhere: where it stands decides.
        const number = await api.incomingPhoneNumbers(carrier_sid).fetch();
        if (number.trunkSid === trunkSid) return;
        if (!number.trunkSid) throw refusal;
        await api.incomingPhoneNumbers(carrier_sid).update({ trunkSid });
      }
    },
    async detach(carrier_sid, previous) {
      const api = open('detach');
      const number = api.incomingPhoneNumbers(carrier_sid);
      const now = await orGone(number.fetch());
      if (now?.trunkSid !== trunkSid) return;
      // Restored before it leaves the trunk: failing in between, the number still points to us and is detached again.
      // An application or another trunk takes it off ours by being set; an empty one is not sent, it could do the same.
      await number.update({
        voiceUrl: previous.voice_url ?? '',
        voiceMethod: previous.voice_method ?? undefined,
        voiceFallbackUrl: previous.voice_fallback_url ?? '',
        voiceFallbackMethod: previous.voice_fallback_method ?? undefined,
        voiceApplicationSid: previous.voice_application_sid ?? undefined,
        trunkSid: previous.trunk_sid ?? undefined,
      });
      if (previous.trunk_sid === null)
        await orGone(api.trunking.v1.trunks(trunkSid).phoneNumbers(carrier_sid).remove());
    },
  };
}

// A field that is not set comes as null or as an empty text.
function toCarrierNumber(number: IncomingPhoneNumberInstance): CarrierNumber {
  return {
    phone_number: number.phoneNumber,
    carrier_sid: number.sid,
    voice: number.capabilities.voice,
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

/** Undefined when Twilio says that there is no such thing (20404). */
function orGone<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isRefusal(error) && error.provider_code === '20404') return undefined;
    throw error;
  });
}
