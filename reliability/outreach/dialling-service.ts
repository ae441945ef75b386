// The service as `main.ts` runs it, with the stand-in for the carrier that records what is dialled, in DIAL_RECORD.
import { openCarrier, openStorage } from '../../packages/server/src/adapters.ts';
import { buildApp } from '../../packages/server/src/app.ts';
import { loadConfig } from '../../packages/server/src/config.ts';
import { openDatabaseClock } from '../../packages/server/src/db/clock.ts';
import { openDatabase } from '../../packages/server/src/db/open.ts';
import { timeIds } from '../../packages/server/src/lib/ids.ts';
import { createLogger } from '../../packages/server/src/lib/log.ts';
import { createMetrics } from '../../packages/server/src/lib/metrics.ts';
import { recordingCarrier } from './carrier-record.ts';

const { DIAL_RECORD = '', TALK_MS = '300', ...env } = process.env;
const config = loadConfig(env);
const log = createLogger({ level: config.log.level, pretty: false });
const database = await openDatabase({ ...config.database, onIdleError: () => {} });
const clock = await openDatabaseClock(database.db);
timeIds(() => clock.now().getTime());
const media = recordingCarrier(DIAL_RECORD, { ringMs: config.sandbox.ringMs, talkMs: Number(TALK_MS) });
const [carrier, storage] = [await openCarrier(config), await openStorage(config)];
const app = await buildApp({ config, database, media, carrier, storage, clock, log, metrics: createMetrics() });
await app.start();
const url = await app.server.listen({ host: config.host, port: config.port });
app.startRounds();
process.stdout.write(`ready on ${url} \n`);
