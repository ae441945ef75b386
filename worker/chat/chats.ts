import type { ChatOutcome } from '../metrics.ts';
import { type Claims, serveTasks } from '../tasks/claims.ts';
import { runTurn, type TurnDeps } from './turn.ts';

interface Deps extends TurnDeps {
  capacity: number;
  answered: (outcome: ChatOutcome) => void;
}

/** Answers chats until it is stopped. */
export function serveChats({ capacity, answered, ...deps }: Deps): Claims {
  const { tasks, log } = deps;
  return serveTasks({
    tasks,
    kind: 'chat_turn',
    what: 'chats',
    capacity,
    run: (task, stopping) => runTurn(task, deps, stopping).then(answered),
    log,
  });
}
