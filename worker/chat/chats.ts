import type { ChatOutcome } from '../metrics.ts';
import { type Claims, serveTasks } from '../tasks/claims.ts';
import { answerTurn, type TurnDeps } from './turn.ts';

interface Deps extends TurnDeps {
  capacity: number;
  answered: (outcome: ChatOutcome) => void;
  /** A third of a lease. */
  extendMs?: number;
}

const EXTEND_MS = 10_000;

/** Answers chats until it is stopped. */
export function serveChats({ capacity, answered, extendMs = EXTEND_MS, ...deps }: Deps): Claims {
  const { tasks, log } = deps;
  return serveTasks({
    tasks,
    kind: 'chat_turn',
    what: 'chats',
    capacity,
    run: (task, attempt) => answerTurn(task, deps, attempt),
    ended: (outcome) => answered(outcome === 'completed' ? 'answered' : outcome),
    extendMs,
    log,
  });
}
