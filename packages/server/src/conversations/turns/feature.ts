import type { Feature } from '../../feature.ts';
import { turnRoutes } from './routes.ts';
import type { Turns } from './turns.ts';

/** Calls of tools are part of what was said, and are kept as long as transcripts. */
export function turnsFeature(
  turns: Turns,
  days: { turns: number | undefined; transcripts: number | undefined },
): Feature {
  const { toolCalls } = turns;
  return {
    tag: { name: 'stats', description: 'Statistics of conversations: latency of agents, and figures of calls.' },
    routes: (server) => turnRoutes(server, turns),
    erase: {
      sessions: async (trx, { ids }) => {
        await turns.erase(trx, ids);
        await toolCalls.erase(trx, ids);
      },
      user: (trx, { user_id }) => turns.eraseRollups(trx, user_id),
    },
    expire: { transcripts: toolCalls.erase },
    keeps: {
      turns: { days: days.turns, isHeldBack: true, deleteOlder: turns.deleteOlder },
      tool_calls: { days: days.transcripts, isHeldBack: true, deleteOlder: toolCalls.deleteOlder },
    },
  };
}
