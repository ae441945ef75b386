import { type AgentDraftPut, type AgentReleasePut, SwitchboardError } from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { noteSaved } from './agent-draft.ts';
import { keys } from './keys.ts';
import { inPages } from './pages.ts';
import { ifOvertaken, inPlaceOf, RELEASED_MEANWHILE, type Shown } from './release-gate.ts';
import { useSession } from './session.tsx';

/** Time after which a page that is in view reads the draft again, to see what others save. */
const REREAD_MS = 5000;

/** The draft of an agent; without one, what most calls get. */
export function useDraft(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.agentDraft(user, id),
    queryFn: ({ signal }) => api.drafts.get(id, { signal }),
    refetchInterval: REREAD_MS,
  });
}

/** Somebody else has saved the draft since; theirs has been read. */
export class Overtaken extends Error {}

/** Saves the draft in place of the one with this revision. Throws `Overtaken` if there is another one. */
export function useSaveDraft(id: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const queryKey = keys.agentDraft(user, id);
  return useMutation({
    mutationFn: async ({ draft, revision }: { draft: AgentDraftPut; revision: string }) => {
      await queries.cancelQueries({ queryKey });
      try {
        const saved = await api.drafts.put(id, draft, { ifMatch: revision });
        noteSaved(sessionStorage, id, saved.revision);
        // A draft that was read meanwhile may be the one before.
        await queries.cancelQueries({ queryKey });
        queries.setQueryData(queryKey, saved);
      } catch (error) {
        if (!(error instanceof SwitchboardError && error.code === 'changed_meanwhile')) throw error;
        queries.setQueryData(queryKey, await api.drafts.get(id));
        throw new Overtaken();
      }
    },
  });
}

/** The versions that calls get, read once `isShown`. */
export function useRelease(id: string, isShown = true) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.agentRelease(user, id),
    queryFn: ({ signal }) => api.releases.current(id, { signal }),
    enabled: isShown,
  });
}

/** The versions of an agent, newest first, in pages. */
export function useVersions(id: string) {
  const { api, user } = useSession();
  return useInfiniteQuery(
    inPages(keys.agentVersions(user, id), (at, options) => api.versions.list(id, { limit: 50, ...at }, options)),
  );
}

/** A version with its content, which never changes. */
export function useVersion(id: string, number: number) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.agentVersion(user, id, number),
    queryFn: ({ signal }) => api.versions.get(id, number, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A version of the draft, with a note if there is one. */
export const fromDraft = (note: string) => ({ from: 'draft' as const, ...(note && { note }) });

const EDITED_MEANWHILE =
  'The draft has changed since you opened this: by somebody else, or because an attempt of yours, whose answer was lost, has published it. Close this and look at the changes.';

/** Changes of what calls get: a version made of the draft, a release, or the previous one again. */
export function useReleaseActions(id: string, shown: Shown | undefined) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.all(user) });
  const put = (body: AgentReleasePut) =>
    api.releases.put(id, body, inPlaceOf(shown)).catch(ifOvertaken(RELEASED_MEANWHILE));
  const makeVersion = async (note: string, revision: string) => {
    const made = api.versions.create(id, fromDraft(note), { ifMatch: revision });
    return (await made.catch(ifOvertaken(EDITED_MEANWHILE))).number;
  };
  const publish = useMutation({
    mutationFn: async ({ note, revision, armsWith }: Published) => put(armsWith(await makeVersion(note, revision))),
    onSettled,
  });
  const release = useMutation({ mutationFn: put, onSettled });
  const rollBack = useMutation({
    mutationFn: () => api.releases.rollBack(id, inPlaceOf(shown)).catch(ifOvertaken(RELEASED_MEANWHILE)),
    onSettled,
  });
  return { publish, makeVersion, release, rollBack };
}

interface Published {
  note: string;
  /** The revision of the draft that was shown. */
  revision: string;
  armsWith: (version: number) => AgentReleasePut;
}
