import { tracedMethods } from '../lib/tracing.ts';
import type { Carrier } from './carrier/carrier.ts';
import type { Media } from './media/media.ts';

/** Traces the media provider: a span for each request. */
export function traceMedia(media: Media): Media {
  return tracedMethods(media.name, media, [
    'createRoom',
    'dial',
    'refer',
    'closeRoom',
    'removeParticipant',
    'listParticipants',
    'listRooms',
    'dispatchAgent',
    'isAgentComing',
    'withdrawAgents',
    'ensureAgent',
    'setInboundNumbers',
  ]);
}

/** Traces the carrier: a span for each request. */
export function traceCarrier(carrier: Carrier): Carrier {
  return tracedMethods(carrier.name, carrier, ['findNumber', 'listNumbers', 'attach', 'detach']);
}
