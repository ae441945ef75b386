import { useMutation } from '@tanstack/react-query';
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useContext,
  useEffect,
  useMemo,
} from 'react';
import type { ListenRoom } from './listen-room.ts';
import { useLiveCalls } from './live.tsx';
import { useOneRoom } from './one-room.ts';
import { useAskSandbox } from './service.ts';
import { useSession } from './session.tsx';
import type { TalkRoom } from './talk-room.ts';

/** A call, and its title on the page. */
interface Heard {
  callId: string;
  title: string;
}

/** The rooms are null in the sandbox, where there is nothing to hear. */
type Listening = Heard & ({ isTalking: false; room: ListenRoom | null } | { isTalking: true; room: TalkRoom | null });

/** A call in which this browser talks to the caller. */
export type Talking = Extract<Listening, { isTalking: true }>;

interface Listen {
  listening: Listening | null;
  setListening: Dispatch<SetStateAction<Listening | null>>;
}

const ListenContext = createContext<Listen | null>(null);

/** Keeps listening to one call across pages; a second call replaces the first. */
export function ListenProvider({ children }: { children: ReactNode }) {
  const [listening, setListening] = useOneRoom<Listening>();
  const listen = useMemo(() => ({ listening, setListening }), [listening, setListening]);
  return <ListenContext value={listen}>{children}</ListenContext>;
}

function useListen(): Listen {
  const listen = useContext(ListenContext);
  if (!listen) throw new Error('nobody can listen outside of ListenProvider');
  return listen;
}

/** The call that this browser listens to, until it has ended; null if there is none. */
export function useListening() {
  const { listening, setListening } = useListen();
  const { calls, isLoaded } = useLiveCalls();
  const call = listening ? calls.get(listening.callId) : undefined;
  const isOver = listening !== null && isLoaded && !call;
  useEffect(() => {
    if (isOver) setListening(null);
  }, [isOver, setListening]);
  return { listening, isAnswered: call?.call_status === 'ANSWERED', stop: () => setListening(null) };
}

/** Joins a call hidden and without a microphone. */
function useJoin() {
  const { api } = useSession();
  const { setListening } = useListen();
  return async ({ callId, title }: Heard) => {
    const joined: Listening = { callId, title, isTalking: false, room: null };
    const { url, token, is_simulated } = await api.calls.listen(callId);
    if (!is_simulated) {
      // Loaded on demand: most visits do not need it.
      const { joinAsListener } = await import('./listen-room.ts');
      joined.room = await joinAsListener(url, token, () => setListening((now) => (now === joined ? null : now)));
    }
    setListening(joined);
  };
}

/** Starts listening to an open call. */
export function useStartListening(heard: Heard) {
  const join = useJoin();
  const { listening } = useListen();
  const start = useMutation({ mutationFn: () => join(heard) });
  return { start, isListening: listening?.callId === heard.callId };
}

/** Talks to the caller of a call that this browser listens to, in place of the agent, and listens again afterwards. */
export function useTakeOver() {
  const { api } = useSession();
  const { setListening } = useListen();
  const askSandbox = useAskSandbox();
  const join = useJoin();
  const takeOver = useMutation({
    mutationFn: async ({ callId, title }: Heard) => {
      const joined: Listening = { callId, title, isTalking: true, room: null };
      const { joinRoom, openMicrophone } = await import('./talk-room.ts');
      // Before the agent is silent: a person takes time to allow it.
      const microphone = (await askSandbox()) ? undefined : await openMicrophone();
      try {
        const { url, token } = await api.calls.takeOver(callId);
        const onEnd = () => setListening((now) => (now === joined ? null : now));
        if (microphone) joined.room = await joinRoom(url, token, onEnd, microphone);
        setListening(joined);
      } catch (error) {
        microphone?.stop();
        throw error;
      }
    },
  });
  const giveBack = useMutation({
    mutationFn: (heard: Heard) => {
      setListening(null);
      return join(heard);
    },
  });
  return { takeOver, giveBack };
}
