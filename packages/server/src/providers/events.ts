import type { Participant } from './rooms.ts';

/** The port of a provider's events. */
export interface Events {
  /**
   * Verifies the signature of a webhook and parses its body. Throws `invalid_signature`, or `InvalidRequest` if it is
   * not an event.
   */
  readEvent(body: string, authorization: string | undefined): Promise<MediaEvent>;
  /** Parses an event that was verified before. */
  parseEvent(body: string): MediaEvent;
  /**
   * Registers the receiver for webhooks of a provider inside this process. A remote one posts them to the webhook
   * endpoint.
   */
  subscribe(deliver: (body: string) => Promise<void>): void;
}

/**
 * How a connection ended: `left`, by itself; `lost`, a broken connection; `removed`, by a request to the media
 * server; `replaced`, by a newer connection of the same participant, which may still be on its way.
 */
export type Leaving = 'left' | 'lost' | 'removed' | 'replaced';

/** The meaning of an event. `other` only needs to be stored. */
export type MediaEventKind = 'joined' | 'left' | 'audio_started' | 'room_ended' | 'other';

/** An event of the media provider, independent of its wire format. */
export interface MediaEvent {
  id: string;
  kind: MediaEventKind;
  /** The provider's own name of the event, for metrics. */
  name: string;
  /** By the provider's clock, in whole seconds; null if it does not say. */
  created_at: Date | null;
  room_name: string | null;
  participant: (Participant & { leaving: Leaving }) | null;
}
