import type { Carrier, CarrierCall, CarrierNumber, Routing } from '../carrier.ts';
import { notChecked } from '../diagnosis.ts';
import { ProviderError } from '../provider-error.ts';

const TRUNK_SID = `TK${'0'.repeat(32)}`;
const UNROUTED: Routing = {
  trunk_sid: null,
  voice_application_sid: null,
  voice_url: null,
  voice_method: null,
  voice_fallback_url: null,
  voice_fallback_method: null,
};

/**
 * A simulated carrier account that owns +15005550010 to +15005550019 by default. It only has the calls that it is
 * given: the simulated phones belong to the media provider.
 */
export function createSandboxCarrier(owned: CarrierNumber[] = ownedNumbers(), calls: CarrierCall[] = []): Carrier {
  const numbers = new Map(owned.map((number) => [number.carrier_sid, structuredClone(number)]));

  function bySid(carrier_sid: string, operation: string): CarrierNumber {
    const number = numbers.get(carrier_sid);
    if (number) return number;
    throw new ProviderError('provider_refused', {
      provider: 'sandbox',
      operation,
      retryable: false,
      provider_code: '20404',
    });
  }

  return {
    name: 'sandbox',
    description: 'sandbox carrier',
    findNumber: async (phone_number) =>
      structuredClone([...numbers.values()].find((number) => number.phone_number === phone_number) ?? null),
    listNumbers: async () => structuredClone([...numbers.values()]),
    async *listCalls(from, to) {
      yield structuredClone(calls.filter(({ started_at }) => started_at >= from && started_at < to));
    },
    ping: async () => {},
    async *diagnose() {
      yield notChecked('Twilio', 'TWILIO_ACCOUNT_SID is unset: the service runs on the sandbox carrier');
    },
    attach: async (carrier_sid) => {
      const number = bySid(carrier_sid, 'attach');
      number.routing = { ...number.routing, trunk_sid: TRUNK_SID, voice_application_sid: null };
    },
    detach: async (carrier_sid, previous) => {
      const number = numbers.get(carrier_sid);
      if (number?.routing.trunk_sid === TRUNK_SID) number.routing = { ...previous };
    },
  };
}

function ownedNumbers(): CarrierNumber[] {
  return Array.from({ length: 10 }, (_, index) => ({
    phone_number: `+150055500${10 + index}`,
    carrier_sid: `PN${String(10 + index).padStart(32, '0')}`,
    voice: true,
    routing: UNROUTED,
  }));
}
