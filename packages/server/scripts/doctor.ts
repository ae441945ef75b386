// npm run doctor: reads the configuration like the service, and checks it against the real providers, one line per
// check. It dials nobody and migrates nothing; it creates a room on the media server for a few seconds, makes the
// service store an event, and stores a small object among the recordings, which it deletes.
import { parseArgs } from 'node:util';
import { createSeals, openCarrier, openMedia, openStorage } from '../src/adapters.ts';
import { loadConfig } from '../src/config.ts';
import { systemClock } from '../src/lib/clock.ts';
import { openDoctorDatabase } from '../src/ops/doctor/checks/database.ts';
import { examine } from '../src/ops/doctor/checks/examine.ts';
import { ConfigError } from '../src/settings-load.ts';
import { createPrinter } from './doctor/printer.ts';

const USAGE = `npm run doctor [-- --service-url http://127.0.0.1:8000]

Checks the configuration in the environment against the database, the key management service, the storage of recordings, the running service, LiveKit and Twilio.
The service is asked at --service-url; the default is this machine, at PORT. Exit code 0: nothing is wrong; 1: something is.`;

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

/** Returns whether all checks passed. */
async function main(): Promise<boolean> {
  const print = createPrinter(process.env);
  try {
    const { help, serviceUrl } = readArguments();
    if (help) {
      print.line(USAGE);
      return true;
    }
    const config = loadConfig(process.env);
    const { settings } = config;
    const here = `http://127.0.0.1:${settings.PORT || 8000}`;
    const database = await openDoctorDatabase(settings);
    const media = await openMedia(config, systemClock);
    const carrier = await openCarrier(config);
    const storage = await openStorage(config);
    const { kms } = createSeals(config);
    const findings = examine({ settings, serviceUrl: serviceUrl ?? here, database, media, carrier, storage, kms });
    for await (const finding of findings) print.finding(finding);
    return print.summary();
  } catch (error) {
    print.line(isMistake(error) ? error.message : `The doctor itself failed: ${(error as Error).stack ?? error}`);
    return false;
  }
}

process.exitCode = (await main()) ? 0 : 1;
