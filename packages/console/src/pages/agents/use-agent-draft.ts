import type { AgentDraft } from '@switchboard/client';
import { useEffect, useMemo, useRef, useState } from 'react';
import {
  BY_CONFIG,
  type DraftFields,
  type Edits,
  editsAfter,
  editsWith,
  keepEdits,
  overtaken,
  readEdits,
  rebase,
  toFields,
  toPut,
} from '../../data/agent-draft.ts';
import { Overtaken, useSaveDraft } from '../../data/versions.ts';
import { readConfig } from './read-config.ts';

/** Pause in typing after which the draft is saved. */
const PAUSE_MS = 800;

/** Holds the changes to a draft, in this browser too until they are saved, which they are by themselves. */
export function useAgentDraft(stored: AgentDraft) {
  const { agent_id, revision, type } = stored;
  const [typed, setTyped] = useState<string | null>(null);
  const saved = useMemo(() => toFields(stored, typed), [stored, typed]);
  const [edits, setEdits] = useState<Edits | null>(() => readEdits(localStorage, agent_id));
  const [failed, setFailed] = useFailedSave();
  const put = useSaveDraft(agent_id);
  const draft = edits?.draft ?? saved;
  const theirs = edits ? overtaken(edits, saved) : [];
  const read = readConfig(draft.configText);
  const hasRoom = useKept(agent_id, edits);
  const newest = useNewest(saved);
  const edit = (change: Partial<DraftFields>) => setEdits((before) => editsWith(before, newest.current, change));
  const save = () => {
    if (!edits) return;
    // Fields that others have saved meanwhile, and that were not edited here, stay theirs.
    const sent = rebase(edits, saved);
    const { config } = readConfig(sent.draft.configText);
    if (!config) return;
    const onSuccess = () => {
      setTyped(sent.draft.configText);
      newest.current = { ...sent.draft, type: BY_CONFIG };
      // Input typed during the save stays.
      setEdits((now) => (now && now !== edits ? editsAfter(sent, rebase(now, saved)) : null));
    };
    const onError = (error: unknown) => setFailed(error instanceof Overtaken ? null : edits);
    put.mutate({ draft: toPut(sent, type, config), revision }, { onSuccess, onError });
  };
  // A failed save is tried again after a change, by hand, or once the browser is online again.
  const isDue = edits !== null && edits !== failed && theirs.length === 0 && !put.isPending && read.config !== null;
  useSaveAfterPause(isDue, edits, revision, save);
  return {
    saved,
    /** The last person who saved: the name of the key or the address of the user. */
    savedBy: stored.updated_by,
    draft,
    read,
    edit,
    isEdited: edits !== null,
    isSaving: put.isPending,
    hasRoom,
    /** Fields that somebody else has saved since these edits began. */
    theirs,
    keepMine: () => setEdits((before) => before && rebase(before, saved)),
    takeTheirs: () => setEdits(null),
    /** Saves at once, as after a failure. */
    save,
    error: put.error instanceof Overtaken ? null : put.error,
  };
}

/** Keeps edits in this browser; returns whether it has room for them. */
function useKept(agentId: string, edits: Edits | null): boolean {
  const [hasRoom, setRoom] = useState(true);
  useEffect(() => setRoom(keepEdits(localStorage, agentId, edits)), [agentId, edits]);
  return hasRoom;
}

/**
 * The saved fields; a save that ends sets them, before the page shows it. Input that arrives between the two is not
 * made to what was saved before, which would take the own save for somebody else's.
 */
function useNewest(saved: DraftFields) {
  const newest = useRef(saved);
  useEffect(() => {
    newest.current = saved;
  }, [saved]);
  return newest;
}

/** The edits whose save has failed, until the browser is online again. */
function useFailedSave() {
  const [failed, setFailed] = useState<Edits | null>(null);
  useEffect(() => {
    const forget = () => setFailed(null);
    window.addEventListener('online', forget);
    return () => window.removeEventListener('online', forget);
  }, []);
  return [failed, setFailed] as const;
}

/** Saves once typing pauses: edits and revisions begin the pause anew. */
function useSaveAfterPause(isDue: boolean, edits: Edits | null, revision: string, save: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `save` is another function in each render.
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(save, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isDue, edits, revision]);
}
