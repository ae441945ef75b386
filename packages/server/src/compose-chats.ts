import { createChats } from './calling/chats/chats.ts';
import { chatsFeature } from './calling/chats/feature.ts';
import { createOpening } from './calling/chats/opening.ts';
import { createTurnSignals } from './calling/chats/turn-signals.ts';
import { CHAT_TURN, createTurnTask } from './calling/chats/turn-task.ts';
import type { Db } from './db/tables.ts';
import type { Feature } from './feature.ts';
import type { Usage } from './ledger/usage/usage.ts';
import type { Revocations } from './lib/revocations.ts';
import type { Workers } from './providers/workers.ts';
import { simulate } from './work/simulated.ts';

const SIMULATED_AT_ONCE = 20;

type Parts = Omit<Parameters<typeof createChats>[0], 'opening' | 'signals'> &
  Parameters<typeof createOpening>[0] &
  Omit<Parameters<typeof createTurnTask>[0], 'onChange'> & { revocations: Revocations; usage: Usage };

type Answer = NonNullable<Workers['answerChat']>;
type Task = ReturnType<typeof createTurnTask>;
type Payload = NonNullable<Awaited<ReturnType<Task['describe']>>>;

/** Chats, and who answers them: workers that claim tasks, or this process for a simulated provider. */
export function chatFeature(parts: Parts, maxStreamsPerUser: number): Feature {
  const signals = createTurnSignals(parts);
  const chats = createChats({ ...parts, opening: createOpening(parts), signals });
  const task = createTurnTask({ ...parts, onChange: signals.fire });
  const { answerChat } = parts.workers;
  const work = answerChat ? simulated(parts, task, answerChat) : {};
  return { ...chatsFeature(chats, work, parts.revocations, maxStreamsPerUser), tasks: { [CHAT_TURN]: task } };
}

function simulated(parts: Parts, task: Task, answerChat: Answer) {
  const answer = (turn: Payload) => {
    const { content, used, events } = answerChat(turn);
    const of = { session_id: turn.chat_id, user_id: turn.user_id, agent_id: turn.agent_id };
    const also = (trx: Db) =>
      parts.usage.addTo(
        trx,
        used.map((one) => ({ ...one, ...of })),
      );
    return { result: { content }, events, also };
  };
  return simulate(parts, CHAT_TURN, task, answer, SIMULATED_AT_ONCE);
}
