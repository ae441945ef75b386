import { isLoopback, openToNetwork } from '../../../lib/loopback.ts';
import type { Carrier } from '../../../providers/carrier.ts';
import { type Finding, notChecked, ok, wrong } from '../../../providers/diagnosis.ts';
import type { Kms } from '../../../providers/kms/kms.ts';
import type { Media } from '../../../providers/media.ts';
import type { Storage } from '../../../providers/storage/storage.ts';
import type { DoctorDatabase } from './database.ts';
import type { DoctorSettings } from './doctor-settings.ts';
import { checkKeyService } from './key-service.ts';
import { mediaFacts } from './media-facts.ts';
import { checkService } from './service.ts';

interface Examined {
  settings: DoctorSettings;
  /** The address of the running service. */
  serviceUrl: string;
  /** Closed after the checks. */
  database: DoctorDatabase;
  media: Media;
  carrier: Carrier;
  storage: Storage;
  /** Null without one. */
  kms: Kms | null;
}

/**
 * All checks, in the order of their dependencies. They dial nobody and migrate nothing; one creates a room on the
 * media server for a few seconds, one makes the service store an event, one stores an object and deletes it.
 */
export async function* examine({
  settings,
  serviceUrl,
  database,
  media,
  carrier,
  storage,
  kms,
}: Examined): AsyncGenerator<Finding> {
  try {
    yield ok('configuration', 'every setting has a valid value');
    yield access(settings);
    yield calling(settings, media);
    yield database.finding;
    if (kms) yield checkKeyService(kms);
    yield storage.diagnose();
    const names = { media: media.name, carrier: carrier.name };
    const service = await checkService(settings, names, serviceUrl, database);
    yield service.finding;
    yield* media.diagnose(mediaFacts(database, service.isReady ? serviceUrl : null));
    yield* carrier.diagnose(settings.CALLING_COUNTRIES?.split(',') ?? []);
  } finally {
    await database.close();
  }
}

function access({ AUTH_MODE, HOST }: DoctorSettings): Finding {
  const check = 'access';
  if (AUTH_MODE === 'required') return ok(check, 'AUTH_MODE=required: every request needs a key');
  if (isLoopback(HOST)) return ok(check, `AUTH_MODE=open, and HOST ${HOST} is reachable from this machine only`);
  return wrong(check, openToNetwork(HOST));
}

function calling({ CALLING_ENABLED, CALLING_COUNTRIES }: DoctorSettings, media: Media): Finding {
  const check = 'where calls may go';
  if (!CALLING_ENABLED)
    return wrong(check, 'CALLING_ENABLED=false: every call and transfer is refused with 403. Unset it to dial again.');
  if (media.simulated) return notChecked(check, 'LIVEKIT_URL is unset: the sandbox phone network may dial anywhere');
  // The configuration is invalid without it; reported here because it decides which phones can ring.
  return ok(check, `${CALLING_COUNTRIES} (CALLING_COUNTRIES)`);
}
