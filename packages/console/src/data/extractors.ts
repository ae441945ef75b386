import type { Extractor, ExtractorPut, SwitchboardError } from '@switchboard/client';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Content } from './extractor-content.ts';
import { keys } from './keys.ts';
import { useSession } from './session.tsx';

/** The most extractors that one agent names. */
export const MAX_AGENT_EXTRACTORS = 8;

/** All extractors of the user at their newest versions, newest first. Not read while all users are shown. */
export function useExtractors() {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.extractors(user),
    queryFn: ({ signal }) => api.extractors.list({ limit: 100 }, { signal }).toArray(),
    enabled: user !== null,
  });
}

/** The extractors of any user: whoever sees the calls of all users looks at one of them. */
export function useExtractorsOf(owner: string) {
  const { createApi } = useSession();
  return useQuery({
    queryKey: keys.extractors(owner),
    queryFn: ({ signal }) => createApi(undefined, owner).extractors.list({ limit: 100 }, { signal }).toArray(),
  });
}

/** One extractor at its newest version. */
export function useExtractor(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.extractor(user, id),
    queryFn: ({ signal }) => api.extractors.get(id, {}, { signal }),
  });
}

/** These versions of an extractor, which never change. */
export function useExtractorVersions(id: string, numbers: number[]) {
  const { api, user } = useSession();
  return useQueries({
    queries: numbers.map((version) => ({
      queryKey: keys.extractorVersion(user, id, version),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.extractors.get(id, { version }, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
}

/** The content of a version, as the form and its JSON have it. */
export const contentOf = ({ schema, instructions, model, when, sample, weights }: Extractor): Content => ({
  schema,
  instructions,
  model,
  when,
  sample,
  weights,
});

/** Somebody else has saved a version since; it has been read. */
export class NewerVersion extends Error {
  constructor(version: number) {
    super(`Somebody else has saved version ${version} meanwhile.`);
  }
}

interface Saved {
  name: string;
  content: Content;
  /** The version that was edited; null for a new extractor. */
  from: Extractor | null;
}

/** The content under a name, as it is sent. */
export const putOf = (name: string, content: Content) => ({ name, ...content }) as unknown as ExtractorPut;

/** Saves an extractor, or its next version. Throws `NewerVersion` if the edited one is not the newest any more. */
export function useSaveExtractor() {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, content, from }: Saved) => {
      if (from) {
        const newest = await api.extractors.get(from.id);
        if (newest.version !== from.version) {
          queries.setQueryData(keys.extractor(user, from.id), newest);
          throw new NewerVersion(newest.version);
        }
      }
      return api.extractors.save(putOf(name, content));
    },
    onSuccess: (saved) => {
      queries.setQueryData(keys.extractor(user, saved.id), saved);
      // Not awaited: until then the draft would look like one that somebody else has overtaken.
      void queries.invalidateQueries({ queryKey: keys.extractors(user) });
    },
  });
}

export function useDeleteExtractor(id: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation<unknown, SwitchboardError, undefined>({
    mutationFn: () => api.extractors.delete(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.extractors(user) }),
  });
}
