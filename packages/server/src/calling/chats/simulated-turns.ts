import type { Usage } from '../../ledger/usage/usage.ts';
import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import type { Kind, Kinds } from '../../work/kinds.ts';
import { CHAT_TURN, type TurnTask } from './turn-task.ts';

const CONCURRENCY = 20;
/** Stands for the lease of a worker. */
const LEASE = 1;

interface Deps extends Pick<Platform, 'db' | 'work'> {
  workers: Workers;
  usage: Usage;
  task: TurnTask;
}

/** Has this process answer the messages of chats, if its provider has simulated workers. */
export function createSimulatedTurns({ db, workers, work, usage, task }: Deps): Kinds {
  const { answerChat } = workers;
  if (!answerChat) return {};
  const run: Kind['run'] = async ({ key }) => {
    const turn = await task.describe(key);
    if (!turn) return null;
    const { content, used, events } = answerChat(turn);
    const isAnswered = await db.transaction().execute(async (trx) => {
      await task.lock(trx, key);
      const isWanted = await work.withdraw(trx, CHAT_TURN, [key]);
      if (!isWanted) return false;
      await task.report(trx, key, LEASE, events);
      await task.complete(trx, key, { content }, LEASE);
      return true;
    });
    const { user_id, agent_id } = turn;
    const ledger = used.map((one) => ({ ...one, session_id: key, user_id, agent_id }));
    if (isAnswered) await usage.logBatch(ledger, null, user_id);
    return null;
  };
  return { [CHAT_TURN]: { run, concurrency: CONCURRENCY } };
}
