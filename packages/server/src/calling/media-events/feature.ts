import type { Feature } from '../../feature.ts';
import type { MediaEvents } from './media-events.ts';
import { mediaEventRoutes } from './routes.ts';

export function mediaEventsFeature(mediaEvents: MediaEvents): Feature {
  return {
    tag: { name: 'media', description: 'The media provider: tokens for its rooms, and its events.' },
    routes: (server) => mediaEventRoutes(server, mediaEvents),
    slowUpkeep: { media_events: mediaEvents.resume },
    erase: { sessions: (trx, { room_names }) => mediaEvents.eraseRooms(trx, room_names) },
    measure: mediaEvents.measure,
  };
}
