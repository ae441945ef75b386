import { tracedMethods } from '../lib/tracing.ts';
import type { Carrier } from './carrier.ts';
import type { Media } from './media.ts';

/** Methods that send no request, or only check that the provider is there. */
const LOCAL = [
  'createToken',
  'createListenerToken',
  'createSpeakerToken',
  'isInboundRoom',
  'readEvent',
  'parseEvent',
  'subscribe',
  'reportTo',
  'answerChat',
  'runScenario',
  'checkModel',
  'checkFunction',
  'ping',
  'diagnose',
  'close',
] as const;

/** Traces the media provider: a span for each request. */
export function traceMedia(media: Media): Media {
  return tracedMethods(media.name, media, LOCAL);
}

/** Traces the carrier: a span for each request. */
export function traceCarrier(carrier: Carrier): Carrier {
  return tracedMethods(carrier.name, carrier, ['listCalls', 'ping', 'diagnose']);
}
