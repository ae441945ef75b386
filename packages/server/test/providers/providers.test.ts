import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxCarrier } from '../../src/providers/sandbox/carrier.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { carrierContract } from '../contract/carrier.ts';
import { mediaContract } from '../contract/media.ts';
import { createStreamMedia } from '../support/stream-media.ts';

mediaContract('sandbox', async () => ({
  media: createSandboxMedia({ clock: systemClock, ringMs: 20 }),
  phones: { answers: '+15005550100', busy: '+15005550001', rings_out: '+15005550002' },
}));

mediaContract('media streams', async () => ({
  media: createStreamMedia(),
  phones: { answers: '+15005550100', busy: '+15005550001', rings_out: '+15005550002' },
}));

carrierContract('sandbox', async () => ({
  carrier: createSandboxCarrier(),
  owned: '+15005550010',
  foreign: '+15005550020',
}));
