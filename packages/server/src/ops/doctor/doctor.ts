import type { Static } from 'typebox';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import type { Carrier } from '../../providers/carrier.ts';
import { type Finding, notChecked } from '../../providers/diagnosis.ts';
import type { Kms } from '../../providers/kms/kms.ts';
import type { Media } from '../../providers/media.ts';
import type { Storage } from '../../providers/storage/storage.ts';
import { inspectDatabase } from './checks/database.ts';
import type { DoctorSettings } from './checks/doctor-settings.ts';
import { examine } from './checks/examine.ts';
import { createRedactor } from './checks/redactor.ts';
import { type Diagnosis, DOCTOR_MS } from './schema.ts';

export type Doctor = ReturnType<typeof createDoctor>;

const STATES = { ok: 'ok', wrong: 'failed', 'not checked': 'not_checked' } as const;

interface Deps {
  database: Database;
  media: Media;
  carrier: Carrier;
  storage: Storage;
  kms: Kms | null;
  settings: DoctorSettings;
  /** Timeout of all checks together. */
  timeoutMs?: number;
}

/** Runs the checks of `npm run doctor` inside the service. */
export function createDoctor({ database, media, carrier, storage, kms, settings, timeoutMs = DOCTOR_MS }: Deps) {
  const blot = createRedactor(settings);
  let isRunning = false;

  /** Throws `doctor_in_progress` while another run is in progress. `url` is the service's own address. */
  async function run(url: string): Promise<Static<typeof Diagnosis>> {
    if (isRunning) throw new AppError('doctor_in_progress');
    isRunning = true;
    const begun = inspectDatabase(database).then((found) =>
      examine({ settings, serviceUrl: url, database: found, media, carrier, storage, kms }),
    );
    const late = AbortSignal.timeout(timeoutMs);
    const findings: Finding[] = [];
    const all = collect(begun, findings, late).finally(() => {
      isRunning = false;
    });
    const isComplete = await Promise.race([all, whenAborted(late)]);
    const seen = [...findings];
    if (!isComplete)
      seen.push(notChecked('the other checks', `the ones above took ${timeoutMs / 1000} s. Run it again.`));
    return {
      checks: seen.map(({ check, state, text }) => ({ check: blot(check), state: STATES[state], text: blot(text) })),
      is_complete: isComplete,
    };
  }

  return { run };
}

/** Whether all checks finished before the timeout. */
async function collect(
  begun: Promise<AsyncGenerator<Finding>>,
  findings: Finding[],
  late: AbortSignal,
): Promise<boolean> {
  for await (const finding of await begun) {
    if (late.aborted) return false;
    findings.push(finding);
  }
  return !late.aborted;
}

function whenAborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));
}
