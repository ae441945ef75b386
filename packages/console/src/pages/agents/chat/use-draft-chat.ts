import type { Agent, AgentDraft } from '@switchboard/client';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { changesBetween } from '../../../data/differences.ts';
import { createDraftChat } from '../../../data/draft-chat.ts';
import { useSession } from '../../../data/session.tsx';
import { messageOf } from '../../../ui/failure.tsx';
import type { useAgentDraft } from '../use-agent-draft.ts';

type Held = Pick<ReturnType<typeof useAgentDraft>, 'isEdited' | 'isSaving' | 'theirs' | 'read' | 'error'>;

const keyOf = (agentId: string) => `switchboard.chat.${agentId}`;

/** A chat with the draft, which ends when the page is left. */
export function useDraftChat({ id }: Agent, stored: AgentDraft, held: Held) {
  const { api, createApi } = useSession();
  const whenSaved = useWhenSaved(stored, held);
  const [chat] = useState(() => {
    // A request that outlives the page.
    const lasting = createApi((request) => fetch(request, { keepalive: true }));
    return createDraftChat({
      agentId: id,
      api,
      end: (chatId) => lasting.chats.end(chatId),
      whenSaved,
      text: readText(id),
      keepText: (text) => keepText(id, text),
    });
  });
  const state = useSyncExternalStore(chat.subscribe, chat.state);
  useEffect(() => {
    addEventListener('pagehide', chat.leave);
    return () => {
      removeEventListener('pagehide', chat.leave);
      chat.leave();
    };
  }, [chat]);
  const { begunWith } = state;
  const isChanged = useMemo(() => begunWith !== null && differ(begunWith, stored), [begunWith, stored]);
  return { chat, state, isChanged };
}

/** Whether an agent answers differently: its name and its configuration are all that a chat gets. */
const differ = (one: AgentDraft, other: AgentDraft) =>
  one.name !== other.name || changesBetween(one.config, other.config).length > 0;

interface Waiting {
  resolve: (draft: AgentDraft) => void;
  reject: (error: Error) => void;
}

/** Waits until the draft has been saved by itself. */
function useWhenSaved(stored: AgentDraft, held: Held): () => Promise<AgentDraft> {
  const waiting = useRef<Waiting[]>([]);
  const [, look] = useState(0);
  const problem = problemOf(held);
  const isSaving = held.isEdited || held.isSaving;
  // After each render: those who wait cause one themselves.
  useEffect(() => {
    if (isSaving && !problem) return;
    for (const { resolve, reject } of waiting.current.splice(0)) {
      if (problem) reject(new Error(problem));
      else resolve(stored);
    }
  });
  return useCallback(
    () =>
      new Promise((resolve, reject) => {
        waiting.current.push({ resolve, reject });
        look((before) => before + 1);
      }),
    [],
  );
}

/** Why a changed draft is not saved by itself; null if it is. */
function problemOf({ isEdited, theirs, read, error }: Held): string | null {
  if (!isEdited) return null;
  if (theirs.length > 0) return 'Somebody else has saved this draft. Choose above whose changes stay, then send.';
  if (read.config === null) return 'The draft is not saved while its JSON is invalid. Correct it, then send.';
  return error ? `The draft could not be saved: ${messageOf(error)} Save it first, then send.` : null;
}

function readText(agentId: string): string {
  try {
    return sessionStorage.getItem(keyOf(agentId)) ?? '';
  } catch {
    return '';
  }
}

function keepText(agentId: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(keyOf(agentId), text);
    else sessionStorage.removeItem(keyOf(agentId));
  } catch {
    // A full storage keeps no message; the box still has it.
  }
}
