import type { Finding, MediaFacts } from './diagnosis.ts';
import type { Events } from './events.ts';
import type { Phones } from './phones.ts';
import type { Browsers, Rooms } from './rooms.ts';
import type { Workers } from './workers.ts';

/** A realtime media provider that plays every role. Features take only the ports that they need. */
export interface Media extends Rooms, Browsers, Phones, Workers, Events {
  readonly name: string;
  /** Whether no real phone rings, so that nothing costs money. */
  readonly simulated: boolean;
  /** For the startup message. */
  readonly description: string;
  /** Throws `ProviderError` when the provider is unreachable or refuses the request. */
  ping(): Promise<void>;
  /** Checks the provider for `npm run doctor`: what is wrong, and what to do. Dials nobody. */
  diagnose(facts: MediaFacts): AsyncGenerator<Finding>;
  /** Releases all resources of this process. */
  close(): Promise<void>;
}
