import type { Usage } from '../../ledger/usage/usage.ts';
import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import type { Kind, Kinds } from '../../work/kinds.ts';
import { CHAT_TURN, type TurnTask } from './turn-task.ts';

const CONCURRENCY = 20;

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
    const { content, used } = answerChat(turn);
    const isAnswered = await db.transaction().execute(async (trx) => {
      const isWanted = await work.withdraw(trx, CHAT_TURN, [key]);
      if (isWanted) await task.complete(trx, key, { content });
      return isWanted;
    });
    const { user_id, agent_id } = turn;
    const events = used.map((one) => ({ ...one, session_id: key, user_id, agent_id }));
    if (isAnswered) await usage.logBatch(events, null, user_id);
    return null;
  };
  return { [CHAT_TURN]: { run, concurrency: CONCURRENCY } };
}
