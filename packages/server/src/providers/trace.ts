import { tracedMethods } from '../lib/tracing.ts';
import type { Carrier } from './carrier.ts';
import type { Media } from './media.ts';

/** Methods that return no promise: a traced one returns one. */
type Immediate<T> = {
  [Name in keyof T]-?: NonNullable<T[Name]> extends (...args: never[]) => Promise<unknown>
    ? never
    : NonNullable<T[Name]> extends (...args: never[]) => unknown
      ? Name
      : never;
}[keyof T];

/** Methods that send no request, or only check that the provider is there. */
const LOCAL: Partial<Record<keyof Media, true>> & Record<Immediate<Media>, true> = {
  createToken: true,
  createListenerToken: true,
  createSpeakerToken: true,
  isInboundRoom: true,
  readEvent: true,
  parseEvent: true,
  subscribe: true,
  reportTo: true,
  answerChat: true,
  analyseCall: true,
  runScenario: true,
  checkModel: true,
  checkFunction: true,
  ping: true,
  diagnose: true,
  close: true,
};

/** Traces the media provider: a span for each request. */
export function traceMedia(media: Media): Media {
  return tracedMethods(media.name, media, Object.keys(LOCAL) as (keyof Media)[]);
}

/** Traces the carrier: a span for each request. */
export function traceCarrier(carrier: Carrier): Carrier {
  return tracedMethods(carrier.name, carrier, ['listCalls', 'ping', 'diagnose']);
}
