// Our server with batching off: each usage event is a statement and a commit of its own, from the same pool.
import { openDatabase } from '../../src/db/database.ts';
import { newId } from '../../src/lib/ids.ts';
import { insertInOrder } from '../../src/usage/ingest.ts';
import { usageRoutes } from '../../src/usage/routes.ts';
import { serve } from './serve.ts';

const { db } = await openDatabase({
  DATABASE_URL: process.env.DATABASE_URL,
  DATA_DIR: process.env.DATA_DIR ?? '.data',
  DATABASE_POOL_MAX: 10,
  onIdleError: () => {},
});

await serve((server) => {
  const log = async (input: object) => {
    const event = { agent_id: null, ...input, id: newId(), created_at: new Date() };
    return (await insertInOrder(db, [event as never]))[0];
  };
  usageRoutes(server, { log } as never);
});
