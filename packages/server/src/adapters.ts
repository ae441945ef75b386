import type { Config } from './config.ts';
import { BACKSTOP_S } from './db/reserves.ts';
import type { Clock } from './lib/clock.ts';
import { createSeal } from './lib/seal.ts';
import type { Carrier } from './providers/carrier.ts';
import { createKmsSeal } from './providers/kms/kms.ts';
import { createTransit } from './providers/kms/transit.ts';
import type { Media } from './providers/media.ts';
import { createSandboxCarrier } from './providers/sandbox/carrier.ts';
import { createSandboxMedia } from './providers/sandbox/media.ts';
import { createFolderStorage } from './providers/storage/folder.ts';
import type { Storage } from './providers/storage/storage.ts';

/** The configured media provider. The SDKs of real ones are large, so they are loaded only when they are used. */
export async function openMedia(
  { livekit, sandbox, calls, mediaTimeoutS, sipHeadersIn }: Config,
  clock: Clock,
): Promise<Media> {
  if (!livekit) return createSandboxMedia({ clock, ...sandbox });
  const { createLiveKitMedia } = await import('./providers/livekit/livekit.ts');
  const maxCallS = calls.durations.max_duration_s + BACKSTOP_S;
  return createLiveKitMedia({ ...livekit, mediaTimeoutS, maxCallS, sipHeadersIn });
}

/** The configured carrier. */
export async function openCarrier({ twilio }: Config): Promise<Carrier> {
  if (!twilio) return createSandboxCarrier();
  const { createTwilioCarrier } = await import('./providers/twilio/twilio.ts');
  return createTwilioCarrier(twilio);
}

/** The configured storage of recordings. */
export async function openStorage({ recordings: { dir, s3 } }: Pick<Config, 'recordings'>): Promise<Storage> {
  if (!s3) return createFolderStorage(dir);
  const { createS3Storage } = await import('./providers/storage/s3.ts');
  return createS3Storage(s3);
}

/** The encryption of secrets in the database, and that of the keys of users, which are made only if it `isOn`. */
export function createSeals(config: Pick<Config, 'secretsKeys' | 'kms'>) {
  const seal = createSeal(config.secretsKeys);
  const kms = config.kms && createTransit(config.kms);
  const isOn = kms !== null || config.secretsKeys.length > 0;
  return { seal, kms, ofKeys: { isOn, seal: kms ? createKmsSeal(kms, seal) : seal } };
}
