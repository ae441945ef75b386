import type { Agent } from '@switchboard/client';
import { useMutation } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useStream } from './live.tsx';
import { startRehearsal } from './rehearsal.ts';
import { useIsSandbox } from './service.ts';
import { useSession } from './session.tsx';
import type { TalkRoom } from './talk-room.ts';

interface Talking {
  callId: string;
  agentName: string;
  room: TalkRoom;
}

interface Talk {
  /** The call that this browser is in. */
  talking: Talking | null;
  setTalking(talking: Talking | null): void;
}

const TalkContext = createContext<Talk | null>(null);

/** Keeps a call in this browser open across pages. */
export function TalkProvider({ children }: { children: ReactNode }) {
  const [talking, setTalking] = useState<Talking | null>(null);
  const talk = useMemo(() => ({ talking, setTalking }), [talking]);
  return <TalkContext value={talk}>{children}</TalkContext>;
}

function useTalk(): Talk {
  const talk = useContext(TalkContext);
  if (!talk) throw new Error('nobody can talk outside of TalkProvider');
  return talk;
}

/** The call that this browser is in; null if there is none. */
export function useTalking(): Talking | null {
  return useTalk().talking;
}

/** Starts a call between this browser and an agent; the sandbox simulates both sides. Returns the id of the call. */
export function useStartTalk() {
  const { api } = useSession();
  const stream = useStream();
  const isSandbox = useIsSandbox();
  const { setTalking } = useTalk();
  return useMutation({
    mutationFn: async (agent: Agent) => {
      const call = await api.calls.startWeb({ agent_id: agent.id });
      if (isSandbox) startRehearsal({ stream, api, agent, call });
      else {
        // Loaded on demand: most visits do not need it.
        const { joinRoom } = await import('./talk-room.ts');
        const room = await joinRoom(call.url, call.token, () => setTalking(null));
        setTalking({ callId: call.call_id, agentName: agent.name, room });
      }
      return call.call_id;
    },
  });
}
