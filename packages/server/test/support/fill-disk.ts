// Opens the embedded database in DATA_DIR and writes to its log until the disk is full, faster than anybody looks at
// it.
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/open.ts';

const DATA_DIR = process.env.DATA_DIR ?? '';
const { db } = await openDatabase({ dir: DATA_DIR, poolMax: 1, onIdleError: () => {} });
if (process.argv[2] === 'again') {
  const rows = await db.selectFrom('audit_log').select('target').execute();
  console.log(rows.map(({ target }) => target).join());
  process.exit(0);
}
await sql`insert into audit_log (id, at, actor, action, target)
  values (gen_random_uuid(), now(), 'test', 'test', 'answered by the process before')`.execute(db);
const filler = openSync(path.join(DATA_DIR, 'filler'), 'w');
try {
  for (;;) writeSync(filler, Buffer.alloc(65_536));
} catch {
  closeSync(filler);
}
for (;;) {
  // The next query follows at once, as in a busy service: nothing may be asked of the database any more.
  const answers = [1, 2, 3].map(() =>
    sql`select pg_logical_emit_message(true, 'test', repeat(md5(random()::text), 20000))`.execute(db),
  );
  await Promise.allSettled(answers);
}
