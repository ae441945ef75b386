import { createChats } from './calling/chats/chats.ts';
import { chatsFeature } from './calling/chats/feature.ts';
import { createOpening } from './calling/chats/opening.ts';
import { createSimulatedTurns } from './calling/chats/simulated-turns.ts';
import { CHAT_TURN, createTurnTask } from './calling/chats/turn-task.ts';

type Parts = Omit<Parameters<typeof createChats>[0], 'opening'> &
  Parameters<typeof createOpening>[0] &
  Omit<Parameters<typeof createSimulatedTurns>[0], 'task'> &
  Omit<Parameters<typeof createTurnTask>[0], 'onAnswer'>;

/** Chats, and who answers them: workers that claim tasks, or this process for a simulated provider. */
export function createChatParts(parts: Parts) {
  const chats = createChats({ ...parts, opening: createOpening(parts) });
  const task = createTurnTask({ ...parts, onAnswer: chats.onAnswer });
  return {
    feature: chatsFeature(chats, createSimulatedTurns({ ...parts, task })),
    taskKinds: { [CHAT_TURN]: task.kind },
  };
}
