// npm run doctor: reads the configuration as the service does, and checks it against the real providers, a line for
// each check. It dials nobody and migrates nothing; it makes one room on the media server for some seconds, and has the
// service store an event.
import { parseArgs } from 'node:util';
import { ConfigError, loadSettings, type Settings } from '../src/settings.ts';
import { openDoctorDatabase } from './doctor/database.ts';
import { checkLiveKit } from './doctor/livekit.ts';
import { createPrinter, type Finding, notChecked, ok, wrong } from './doctor/report.ts';
import { checkService, checkWebhookSignature } from './doctor/service.ts';
import { checkRoom } from './doctor/temporary-room.ts';
import { checkTwilio } from './doctor/twilio.ts';

const USAGE = `npm run doctor [-- --service-url http://127.0.0.1:8000]

Checks the configuration in the environment against the database, the running service, LiveKit and Twilio.
The service is asked at --service-url; the default is this machine, at PORT. Exit code 0: nothing is wrong; 1: something is.`;

/** All checks in the order in which one builds on the other. */
async function* examine(settings: Settings, serviceUrl: string): AsyncGenerator<Finding> {
  yield ok('configuration', 'every setting has a valid value');
  yield calling(settings);
  const database = await openDoctorDatabase(settings);
  try {
    yield database.finding;
    const service = await checkService(settings, serviceUrl, database);
    yield service.finding;
    const signature = service.isReady
      ? await checkWebhookSignature(settings, serviceUrl)
      : notChecked('webhook signature', 'the service has to be ready for this');
    yield signature;
    const isUsable = yield* checkLiveKit(settings, database);
    if (isUsable) yield* checkRoom(settings, { database, takesWebhooks: signature.state === 'ok' });
    yield* checkTwilio(settings);
  } finally {
    await database.close();
  }
}

function calling({ LIVEKIT_URL, CALLING_ENABLED, CALLING_COUNTRIES }: Settings): Finding {
  const check = 'where calls may go';
  if (!CALLING_ENABLED)
    return wrong(check, 'CALLING_ENABLED=false: every call and transfer is refused with 403. Unset it to dial again.');
  if (!LIVEKIT_URL) return notChecked(check, 'LIVEKIT_URL is unset: the sandbox phone network may dial anywhere');
  // The configuration is refused without it; said here, because it decides which phones can ring.
  return ok(check, `${CALLING_COUNTRIES} (CALLING_COUNTRIES)`);
}

function readArguments(): { help: boolean; serviceUrl: string | undefined } {
  const { values } = parseArgs({ options: { 'service-url': { type: 'string' }, help: { type: 'boolean' } } });
  const serviceUrl = values['service-url'];
  if (serviceUrl !== undefined && !(/^https?:\/\//.test(serviceUrl) && URL.canParse(serviceUrl)))
    throw new ArgumentError('--service-url must be a URL like http://127.0.0.1:8000');
  return { help: values.help ?? false, serviceUrl };
}

class ArgumentError extends Error {}

function isMistake(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof ConfigError || error instanceof ArgumentError || code.startsWith('ERR_PARSE_ARGS');
}

/** Whether nothing is wrong. */
async function main(): Promise<boolean> {
  const print = createPrinter(process.env);
  try {
    const { help, serviceUrl } = readArguments();
    if (help) {
      print.line(USAGE);
      return true;
    }
    const settings = loadSettings(process.env);
    const here = `http://127.0.0.1:${settings.PORT || 8000}`;
    for await (const finding of examine(settings, serviceUrl ?? here)) print.finding(finding);
    return print.summary();
  } catch (error) {
    print.line(isMistake(error) ? error.message : `The doctor itself failed: ${(error as Error).stack ?? error}`);
    return false;
  }
}

process.exitCode = (await main()) ? 0 : 1;
