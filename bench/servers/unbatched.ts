// The server without batching: each usage event is a statement and a commit of its own, from the same pool.
import { openDatabase } from '../../packages/server/src/db/open.ts';
import { priceAndInsert } from '../../packages/server/src/ledger/usage/ingest.ts';
import { usageRoutes } from '../../packages/server/src/ledger/usage/routes.ts';
import { newId } from '../../packages/server/src/lib/ids.ts';
import { serve } from './serve.ts';

const { db } = await openDatabase({
  url: process.env.DATABASE_URL,
  dir: process.env.DATA_DIR ?? '.data',
  poolMax: 10,
  onIdleError: () => {},
});

await serve((server) => {
  const log = async (input: object) => {
    const event = { agent_id: null, ...input, id: newId(), created_at: new Date() };
    return (await priceAndInsert(db, [event as never], (_db, events, insert) => insert(events, null)))[0];
  };
  usageRoutes(server, { usage: { log } } as never);
});
