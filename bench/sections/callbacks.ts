import { type HttpServer, serveHttp } from '@switchboard/testkit/http-server.ts';
import { query } from '@switchboard/testkit/postgres.ts';
import { table } from '@switchboard/testkit/table.ts';
import { createContent } from '../../packages/server/src/access/data-keys/content.ts';
import { openDatabase } from '../../packages/server/src/db/open.ts';
import { createCallbacks } from '../../packages/server/src/delivery/callbacks/callbacks.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { newId } from '../../packages/server/src/lib/ids.ts';
import type { Bench } from '../support/bench.ts';
import { type Section, show } from '../support/report.ts';

const HOSTS = 50;
const CALLBACKS = 6_000;
const HANGING_SHARE = 5;
/** Encrypts nothing. */
const CLEAR = createContent({ dataKeys: { isOn: false } as never, isOn: false });
const SETTINGS = { CALLBACK_ALLOW_PRIVATE: 'true' };

/** Queued callbacks, sent by one process to receivers that respond at once; then a fifth of them never responds. */
export async function callbacks(bench: Bench): Promise<Section> {
  const all = await run(bench, 0);
  const some = await run(bench, HOSTS / HANGING_SHARE);
  return {
    lines: [
      { what: 'a second, to instant receivers', measured: show(all), at_least: '500', reached: all >= 500 },
      {
        what: 'the rest, with a fifth of the receivers hanging',
        measured: `${show(all / some)}× the time`,
        at_least: 'at most 2×',
        reached: some * 2 >= all,
      },
    ],
    details: `${CALLBACKS} callbacks that wait, for ${HOSTS} receivers; from the first to the last delivery.\n\n${table(
      ['', 'a second'],
      [
        ['all answer at once', show(all)],
        ['a fifth hang; the others', show(some)],
      ],
    )}`,
  };
}

/** Deliveries per second to the receivers that respond. */
async function run(bench: Bench, hanging: number): Promise<number> {
  const database = await bench.database();
  const receivers = await Promise.all(Array.from({ length: HOSTS }, (_, index) => startReceiver(index < hanging)));
  await enqueue(database, receivers);
  const { child } = await bench.startService('Switchboard', { DATABASE_URL: database, ...SETTINGS });
  const expected = (CALLBACKS * (HOSTS - hanging)) / HOSTS;
  const [row] = await untilDelivered(database, expected);
  child.kill('SIGKILL');
  await Promise.all(receivers.map(({ close }) => close()));
  return expected / Number(row?.seconds);
}

async function untilDelivered(database: string, expected: number) {
  for (;;) {
    const rows = await query<{ delivered: string; seconds: string }>(
      database,
      `select count(*) as delivered, extract(epoch from max(delivered_at) - (select min(attempted_at) from callback_attempts)) as seconds
       from callbacks where status = 'delivered'`,
    );
    if (Number(rows[0]?.delivered) >= expected) return rows;
    await systemClock.sleep(500);
  }
}

function startReceiver(hangs: boolean): Promise<HttpServer> {
  return serveHttp((request, response) => {
    request.resume();
    if (!hangs) request.on('end', () => response.end());
  });
}

/** Queues callbacks like a change of a call. */
async function enqueue(url: string, receivers: { url: string }[]): Promise<void> {
  const database = await openDatabase({ url: url, dir: '', poolMax: 2, onIdleError: () => {} });
  const { enqueue } = createCallbacks({ reportDelayMs: 0, db: database.db, clock: systemClock, content: CLEAR });
  const now = new Date();
  for (let nth = 0; nth < CALLBACKS; nth += HOSTS) {
    await database.db.transaction().execute(async (trx) => {
      for (const [index, receiver] of receivers.entries()) {
        const session = await trx
          .insertInto('sessions')
          .values({
            id: newId(),
            room_name: newId(),
            user_id: `user-${index}`,
            status: 'ACTIVE',
            call_status: 'ANSWERED',
            call_direction: 'OUTBOUND',
            outbound_phone_number: '+15005550100',
            last_event: 0,
            callback_url: receiver.url,
            session_data: '{}',
            created_at: now,
            updated_at: now,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await enqueue(trx, 'call.answered', session);
      }
    });
  }
  await database.close();
}
