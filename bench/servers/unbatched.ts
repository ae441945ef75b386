// The server without batching: each usage event is a statement and a commit of its own, from the same pool.
import { openDatabase } from '../../packages/server/src/db/open.ts';
import { insertPriced } from '../../packages/server/src/features/usage/ingest.ts';
import { usageRoutes } from '../../packages/server/src/features/usage/routes.ts';
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
    return (await insertPriced(db, [event as never], null))?.[0];
  };
  usageRoutes(server, { usage: { log } } as never);
});
