import { createChats } from './calling/chats/chats.ts';
import { chatsFeature } from './calling/chats/feature.ts';
import { createOpening } from './calling/chats/opening.ts';
import { createSimulatedTurns } from './calling/chats/simulated-turns.ts';
import { createTurnSignals } from './calling/chats/turn-signals.ts';
import { CHAT_TURN, createTurnTask } from './calling/chats/turn-task.ts';
import type { Feature } from './feature.ts';
import type { Revocations } from './lib/revocations.ts';

type Parts = Omit<Parameters<typeof createChats>[0], 'opening' | 'signals'> &
  Parameters<typeof createOpening>[0] &
  Omit<Parameters<typeof createSimulatedTurns>[0], 'task'> &
  Omit<Parameters<typeof createTurnTask>[0], 'onChange'> & { revocations: Revocations };

/** Chats, and who answers them: workers that claim tasks, or this process for a simulated provider. */
export function chatFeature(parts: Parts, maxStreamsPerUser: number): Feature {
  const signals = createTurnSignals(parts);
  const chats = createChats({ ...parts, opening: createOpening(parts), signals });
  const task = createTurnTask({ ...parts, onChange: signals.fire });
  const work = createSimulatedTurns({ ...parts, task });
  return { ...chatsFeature(chats, work, parts.revocations, maxStreamsPerUser), tasks: { [CHAT_TURN]: task.kind } };
}
