import type { Carrier, CarrierNumber } from '../../src/providers/carrier.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxCarrier } from '../../src/providers/sandbox/carrier.ts';

type Step = 'findNumber' | 'listNumbers' | 'attach' | 'detach';

/** A number whose calls were routed to an application's URL before. */
export function ownedNumber(phone_number: string, fields: Partial<CarrierNumber> = {}): CarrierNumber {
  return {
    phone_number,
    carrier_sid: `PN${phone_number.slice(1).padStart(32, '0')}`,
    voice: true,
    routing: {
      trunk_sid: null,
      voice_application_sid: 'AP1',
      voice_url: 'https://example.com/voice',
      voice_method: 'POST',
      voice_fallback_url: null,
      voice_fallback_method: null,
    },
    ...fields,
  };
}

/** The error of an adapter whose provider refuses. */
export function refusal(operation: string): ProviderError {
  return new ProviderError('provider_refused', { provider: 'sandbox', operation, retryable: false });
}

/** A sandbox carrier that a test can intercept: `before` runs first and may throw or wait. */
export function createTestCarrier(owned: CarrierNumber[]) {
  const inner = createSandboxCarrier(owned);
  const before: Partial<Record<Step, (of: string) => Promise<void> | void>> = {};
  const carrier: Carrier = {
    ...inner,
    findNumber: async (phone_number) => {
      const number = await inner.findNumber(phone_number);
      await before.findNumber?.(phone_number);
      return number;
    },
    listNumbers: async () => {
      await before.listNumbers?.('');
      return inner.listNumbers();
    },
    attach: async (carrier_sid) => {
      await before.attach?.(carrier_sid);
      await inner.attach(carrier_sid);
    },
    detach: async (carrier_sid, previous) => {
      await before.detach?.(carrier_sid);
      await inner.detach(carrier_sid, previous);
    },
  };
  /** The current routing of the number's calls. */
  const routingOf = async (phone_number: string) => (await inner.findNumber(phone_number))?.routing;
  return { carrier, before, routingOf };
}
