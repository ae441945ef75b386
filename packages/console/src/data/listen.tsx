import { useMutation } from '@tanstack/react-query';
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import type { ListenRoom } from './listen-room.ts';
import { useLiveCalls } from './live.tsx';
import { useSession } from './session.tsx';

/** A call, and its title on the page. */
interface Heard {
  callId: string;
  title: string;
}

interface Listening extends Heard {
  /** Null in the sandbox, where there is nothing to hear. */
  room: ListenRoom | null;
}

interface Listen {
  listening: Listening | null;
  setListening: Dispatch<SetStateAction<Listening | null>>;
}

const ListenContext = createContext<Listen | null>(null);

/** Keeps listening to one call across pages. */
export function ListenProvider({ children }: { children: ReactNode }) {
  const [listening, setListening] = useState<Listening | null>(null);
  const room = listening?.room;
  // One call at a time: a second call replaces the first.
  useEffect(() => () => void room?.leave(), [room]);
  const listen = useMemo(() => ({ listening, setListening }), [listening]);
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
  const isOver = listening !== null && isLoaded && !calls.has(listening.callId);
  useEffect(() => {
    if (isOver) setListening(null);
  }, [isOver, setListening]);
  return { listening, stop: () => setListening(null) };
}

/** Starts listening to an open call, hidden and without a microphone. */
export function useStartListening({ callId, title }: Heard) {
  const { api } = useSession();
  const { listening, setListening } = useListen();
  const start = useMutation({
    mutationFn: async () => {
      const { url, token, is_simulated } = await api.calls.listen(callId);
      if (is_simulated) return setListening({ callId, title, room: null });
      // Loaded on demand: most visits do not need it.
      const { joinAsListener } = await import('./listen-room.ts');
      const onEnd = () => setListening((now) => (now?.callId === callId ? null : now));
      setListening({ callId, title, room: await joinAsListener(url, token, onEnd) });
    },
  });
  return { start, isListening: listening?.callId === callId };
}
