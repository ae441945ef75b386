// A stand-in for a PostgreSQL server that ends the session of a transaction that has paused for too long.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openPostgres } from '../../src/db/postgres.ts';

/** Messages of PostgreSQL's protocol (version 3), to the client. */
function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body, 'latin1')]);
}
const ready = (state: 'I' | 'T') => message('Z', state);
const done = (tag: string) => message('C', `${tag}\0`);
const WELCOME = Buffer.concat([message('R', '\0\0\0\0'), ready('I')]);
const TERMINATED = message(
  'E',
  'SFATAL\0VFATAL\0C25P03\0Mterminating connection due to idle-in-transaction timeout\0\0',
);

/** A server whose first `failing` sessions end, when they have been asked this. */
async function startServer(endsAt: 'begin' | 'update' | 'commit', failing: number) {
  const asked: string[] = [];
  let sessions = 0;
  const server = net.createServer((socket) => {
    const fails = ++sessions <= failing;
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(WELCOME);
      socket.on('data', (data) => {
        const [, verb = ''] = /Q....(\w+)/s.exec(data.toString('latin1')) ?? [];
        if (verb === '') return;
        asked.push(verb);
        const answers = {
          begin: [done('BEGIN'), done('SET'), ready('T')],
          update: [done('UPDATE 1'), ready('T')],
          commit: [done('COMMIT'), ready('I')],
        }[verb];
        if (fails && verb === endsAt)
          socket.end(Buffer.concat([...(verb === 'begin' ? (answers ?? []) : []), TERMINATED]));
        else if (answers) socket.write(Buffer.concat(answers));
      });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { db, conflicts, close } = openPostgres(`postgres://nobody@127.0.0.1:${port}/none`, {
    max: 1,
    onIdleError: () => {},
  });
  after(async () => {
    await close();
    server.close();
  });
  const update = () => db.transaction().execute((trx) => sql`update nothing`.execute(trx));
  return { asked, conflicts, update };
}

for (const endsAt of ['begin', 'update', 'commit'] as const)
  test(`a transaction that has paused for too long is repeated: the server has ended it at its ${endsAt}`, async () => {
    const { asked, conflicts, update } = await startServer(endsAt, 2);
    await update();
    assert.equal(asked.filter((verb) => verb === 'begin').length, 3);
    assert.deepEqual(asked.slice(-3), ['begin', 'update', 'commit']);
    assert.deepEqual(conflicts().pause_timeout, { repeated: 2, given_up: 0 });
  });
