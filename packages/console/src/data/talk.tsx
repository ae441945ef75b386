import type { Agent } from '@switchboard/client';
import { useMutation } from '@tanstack/react-query';
import { createContext, type Dispatch, type ReactNode, type SetStateAction, useContext, useMemo } from 'react';
import { useOneRoom } from './one-room.ts';
import { useAskSandbox } from './service.ts';
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
  setTalking: Dispatch<SetStateAction<Talking | null>>;
}

const TalkContext = createContext<Talk | null>(null);

/** Keeps a call in this browser open across pages, until another call or the end of the session. */
export function TalkProvider({ children }: { children: ReactNode }) {
  const [talking, setTalking] = useOneRoom<Talking>();
  const talk = useMemo(() => ({ talking, setTalking }), [talking, setTalking]);
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

interface TalkRequest {
  agent: Agent;
  variables: Record<string, string>;
  /** Tries the draft, in place of a version that was released. */
  isDraft?: boolean;
}

/** The call that is asked for. */
export const webCallOf = ({ agent, variables, isDraft = false }: TalkRequest) => ({
  agent_id: agent.id,
  variables,
  ...(isDraft && { agent_version: 'draft' as const }),
});

/** Starts a call between this browser and an agent; the sandbox simulates both. Returns the id of the call. */
export function useStartTalk() {
  const { api } = useSession();
  const askSandbox = useAskSandbox();
  const { setTalking } = useTalk();
  return useMutation({
    mutationFn: async (wanted: TalkRequest) => {
      const isSandbox = await askSandbox();
      const call = await api.calls.startWeb(webCallOf(wanted));
      if (!isSandbox) {
        // Loaded on demand: most visits do not need it.
        const { joinRoom } = await import('./talk-room.ts');
        const callId = call.call_id;
        const onEnd = () => setTalking((now) => (now?.callId === callId ? null : now));
        const room = await joinRoom(call.url, call.token, onEnd);
        setTalking({ callId, agentName: wanted.agent.name, room });
      }
      return call.call_id;
    },
  });
}
