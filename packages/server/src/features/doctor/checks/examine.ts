import type { Carrier } from '../../../providers/carrier/carrier.ts';
import type { DoctorDatabase } from './database.ts';
import type { DoctorSettings } from './doctor-settings.ts';
import { type Finding, notChecked, ok, wrong } from './findings.ts';
import { checkLiveKit } from './livekit.ts';
import { checkService, checkWebhookSignature } from './service.ts';
import { checkRoom } from './temporary-room.ts';
import { checkTwilio } from './twilio.ts';

interface Examined {
  settings: DoctorSettings;
  /** The address of the running service. */
  serviceUrl: string;
  /** Closed after the checks. */
  database: DoctorDatabase;
  carrier: Pick<Carrier, 'listNumbers'>;
}

/**
 * All checks, in the order of their dependencies. They dial nobody and migrate nothing; one creates a room on the
 * media server for a few seconds, one makes the service store an event.
 */
export async function* examine({ settings, serviceUrl, database, carrier }: Examined): AsyncGenerator<Finding> {
  try {
    yield ok('configuration', 'every setting has a valid value');
    yield calling(settings);
    yield database.finding;
    const service = await checkService(settings, serviceUrl, database);
    yield service.finding;
    const signature = service.isReady
      ? await checkWebhookSignature(settings, serviceUrl)
      : notChecked('webhook signature', 'the service has to be ready for this');
    yield signature;
    const isUsable = yield* checkLiveKit(settings, database);
    if (isUsable) yield* checkRoom(settings, { database, takesWebhooks: signature.state === 'ok' });
    yield* checkTwilio(settings, carrier);
  } finally {
    await database.close();
  }
}

function calling({ LIVEKIT_URL, CALLING_ENABLED, CALLING_COUNTRIES }: DoctorSettings): Finding {
  const check = 'where calls may go';
  if (!CALLING_ENABLED)
    return wrong(check, 'CALLING_ENABLED=false: every call and transfer is refused with 403. Unset it to dial again.');
  if (!LIVEKIT_URL) return notChecked(check, 'LIVEKIT_URL is unset: the sandbox phone network may dial anywhere');
  // The configuration is invalid without it; reported here because it decides which phones can ring.
  return ok(check, `${CALLING_COUNTRIES} (CALLING_COUNTRIES)`);
}
