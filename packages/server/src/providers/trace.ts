import { tracedMethods } from '../lib/tracing.ts';
import type { Carrier } from './carrier/carrier.ts';
import type { Media } from './media/media.ts';

/** The media provider with a span for each request that it is sent. */
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
    'ensureAgent',
    'setInboundNumbers',
  ]);
}

/** The carrier with a span for each request that it is sent. */
export function traceCarrier(carrier: Carrier): Carrier {
  return tracedMethods(carrier.name, carrier, ['findNumber', 'listNumbers', 'attach', 'detach']);
}
