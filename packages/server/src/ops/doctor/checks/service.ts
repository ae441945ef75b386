import { networkTrouble } from '../../../lib/network-trouble.ts';
import { type Finding, notChecked, ok, wrong } from '../../../providers/diagnosis.ts';
import type { DoctorDatabase } from './database.ts';
import type { DoctorSettings } from './doctor-settings.ts';

const TIMEOUT_MS = 10_000;
const WEBHOOK_PATH = 'api/media/webhook';

interface Readiness {
  status?: string;
  database?: string;
  migrations?: string;
  installation?: string | null;
  providers?: { media?: Provider; carrier?: Provider };
}
type Provider = { name?: string; status?: string };
/** The names of this configuration's providers. */
type ProviderNames = Record<'media' | 'carrier', string>;

interface Service {
  finding: Finding;
  /** Whether it responds and is ready; other checks may still fail. */
  isReady: boolean;
}

const CHECK = 'service';

/** Checks whether the running service is ready, and uses the database and the providers of this configuration. */
export async function checkService(
  settings: DoctorSettings,
  names: ProviderNames,
  serviceUrl: string,
  database: DoctorDatabase,
): Promise<Service> {
  const where = new URL(serviceUrl).host;
  const unready = (text: string) => ({ finding: wrong(CHECK, `${where} ${text}`), isReady: false });
  try {
    const response = await ask(serviceUrl, 'readyz');
    const readiness: Readiness = (await response.json().catch(() => null)) ?? {};
    const { status, database: state, migrations, installation, providers } = readiness;
    if (status === undefined || installation === undefined)
      return unready(`answers HTTP ${response.status}, not as Switchboard does. Correct PORT or --service-url.`);
    if (status !== 'ok')
      return unready(`is not ready: database ${state}, migrations ${migrations}. Its log says more.`);
    if (database.installation !== undefined && installation !== database.installation)
      return unready(
        `is another Switchboard, on another database. Correct PORT or --service-url, or ${settings.DATABASE_URL ? 'DATABASE_URL' : 'DATABASE_URL or DATA_DIR'}.`,
      );
    if (database.installation === undefined)
      return {
        finding: notChecked(CHECK, `${where} is ready; whether it works on this database cannot be told`),
        isReady: true,
      };
    return { finding: checkProviders(names, where, providers ?? {}), isReady: true };
  } catch (error) {
    return unready(`cannot be asked: ${networkTrouble(error)}. Start it (npm start), or say where: --service-url.`);
  }
}

function checkProviders(names: ProviderNames, where: string, providers: NonNullable<Readiness['providers']>): Finding {
  for (const [part, expected] of Object.entries(names)) {
    const { name, status } = providers[part as keyof typeof providers] ?? {};
    const same = 'Start it with the same variables.';
    if (name !== expected)
      return wrong(CHECK, `${where} runs with ${name} as its ${part}, this configuration with ${expected}. ${same}`);
    if (status !== 'ok') return wrong(CHECK, `${where} itself finds ${name} ${status}. Its log says more. ${same}`);
  }
  return ok(CHECK, `${where} is ready, with ${names.media} as its media and ${names.carrier} as its carrier`);
}

/** Posts an event to the service's webhook; returns the status. */
export async function postEvent(serviceUrl: string, body: string, authorization?: string): Promise<number> {
  const headers = { 'content-type': 'application/webhook+json', ...(authorization && { authorization }) };
  const response = await ask(serviceUrl, WEBHOOK_PATH, { method: 'POST', headers, body });
  await response.body?.cancel();
  return response.status;
}

function ask(serviceUrl: string, path: string, init: RequestInit = {}): Promise<Response> {
  const base = serviceUrl.endsWith('/') ? serviceUrl : `${serviceUrl}/`;
  return fetch(new URL(path, base), { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
}
