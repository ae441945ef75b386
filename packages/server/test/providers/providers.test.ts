import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('sandbox: participants hear what they are set to, and everybody again after a reconnect', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  await media.createRoom({ room_name: 'hears', agent_metadata: '{}' });
  const phone = { room_name: 'hears', phone_number: '+15005550100', ringing_timeout_s: 2, max_duration_s: 60 };
  await media.dial({ ...phone, identity: 'phone' });
  await media.dial({ ...phone, identity: 'target' });
  assert.deepEqual(media.heardBy('hears', 'phone'), ['agent', 'target']);
  await media.setHearing('hears', { phone: 'music', target: 'agent', nobody: 'music' });
  assert.deepEqual([media.heardBy('hears', 'phone'), media.heardBy('hears', 'target')], [['hold-music'], ['agent']]);
  media.reconnect('hears', 'phone');
  assert.deepEqual(media.heardBy('hears', 'phone'), ['agent', 'target']);
  await media.setHearing('hears', { target: 'everybody' });
  assert.deepEqual(media.heardBy('hears', 'target'), ['agent', 'phone']);
  await media.setHearing('nowhere', { phone: 'music' });
  await media.close();
});

carrierContract('sandbox', async () => ({
  carrier: createSandboxCarrier(),
  owned: '+15005550010',
  foreign: '+15005550020',
}));
