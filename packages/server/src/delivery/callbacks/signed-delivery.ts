import type { Logger } from '../../lib/log.ts';
import { continueTrace, currentTraceparent, SpanKind, traced } from '../../lib/tracing.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Deliver, Delivered } from './deliver.ts';
import type { Due } from './queue-store.ts';

export type Sign = Awaited<ReturnType<Secrets['signer']>>;
/** The response to an attempt, or that it could not be signed. */
export type Attempted = Delivered | typeof NOT_SIGNED;

const NOT_SIGNED = { response_status: null, error: 'not_signed', retry_after: null } as const;

/** Signs callbacks and sends them, in the Standard Webhooks format (https://www.standardwebhooks.com). */
export function createSignedDelivery({ log, deliver }: { log: Logger; deliver: Deliver }) {
  /** Attempts that cannot be signed count like any others; otherwise a lost key would cause endless retries. */
  return async function deliverSigned(callback: Due, at: Date, sign: Sign): Promise<Attempted> {
    let headers: Record<string, string>;
    try {
      headers = await headersOf(callback, at, sign);
    } catch (err) {
      log.error({ err, callback_id: callback.id }, 'cannot sign a callback: no key of SECRETS_KEY decrypts its secret');
      return NOT_SIGNED;
    }
    // A span below the request that caused the callback; the receiver gets its `traceparent`.
    return continueTrace(callback.traceparent, () =>
      traced(`callback ${callback.type}`, SpanKind.CLIENT, {}, () => {
        const traceparent = currentTraceparent();
        return deliver(callback.url, { ...headers, ...(traceparent !== null && { traceparent }) }, callback.payload);
      }),
    );
  };
}

async function headersOf({ id, user_id, payload }: Due, at: Date, sign: Sign): Promise<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Switchboard',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': await sign(user_id, id, at, payload),
  };
}
