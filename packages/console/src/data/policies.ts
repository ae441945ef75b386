import type {
  ConsentPost,
  DialCheckRequest,
  DialPolicyList,
  DialPolicyPut,
  SuppressionEntry,
} from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { inPages } from './pages.ts';
import { saveFile } from './save-file.ts';
import { useOneUser, useSession } from './session.tsx';
import { type FilePart, inParts, placeInFile } from './suppression-file.ts';

/** Time limit of requests about a whole file, in milliseconds: more than the client grants to others. */
const FILE_MS = 10 * 60_000;

/** The user's policies, each at its newest version, and the presets. */
export function usePolicies() {
  const { api } = useSession();
  const user = useOneUser();
  return useQuery({
    queryKey: keys.policies(user),
    queryFn: ({ signal }) => api.dialPolicies.list({ signal }).then((list) => list),
  });
}

/** A version of a policy, which never changes. */
export function usePolicyVersion(name: string, version: number) {
  const { api } = useSession();
  const user = useOneUser();
  return useQuery({
    queryKey: keys.policyVersion(user, name, version),
    queryFn: ({ signal }) => api.dialPolicies.get(name, { version }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Somebody else has made a version since the one that was edited was read. */
class PolicyChanged extends Error {}

/** Makes a policy, or a new version of the one that was read at version `base` (0: there was none). */
export function usePutPolicy() {
  const { api } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, base, ...policy }: DialPolicyPut & { name: string; base: number }) => {
      const { policies } = await api.dialPolicies.list();
      const now = policies.find((one) => one.name === name)?.version ?? 0;
      if (base === 0 && now > 0) throw new PolicyChanged('There is a policy with this name already.');
      if (now !== base)
        throw new PolicyChanged(
          `Somebody else has made version ${now} meanwhile. Nothing was saved: copy what you need, and discard your changes to see theirs.`,
        );
      return api.dialPolicies.put(name, policy);
    },
    onSuccess: (saved) =>
      queries.setQueryData<DialPolicyList>(
        keys.policies(user),
        (list) => list && { ...list, policies: [...list.policies.filter(({ name }) => name !== saved.name), saved] },
      ),
    onSettled: () => void queries.invalidateQueries({ queryKey: keys.policies(user) }),
  });
}

/** Suppressed numbers, oldest first, in pages; with `number` only those of it. */
export function useSuppressions(number: string) {
  const { api } = useSession();
  const user = useOneUser();
  return useInfiniteQuery(
    inPages(keys.suppressionList(user, number), (at, options) =>
      api.suppressions.list({ limit: 50, ...(number && { phone_number: number }), ...at }, options),
    ),
  );
}

interface FileToSend {
  text: string;
  /** Called after each part with the entries that were taken so far. */
  onPart: (entries: number) => void;
  signal: AbortSignal;
}

/** Suppresses numbers, one by one or by a file, and allows one again. */
export function useSuppressionActions() {
  const { api, createApi } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.suppressions(user) });
  const add = useMutation({
    mutationFn: (entry: SuppressionEntry) => api.suppressions.add({ entries: [entry] }),
    onSettled,
  });
  const remove = useMutation({ mutationFn: (id: string) => api.suppressions.delete(id), onSettled });
  const patient = createApi(undefined, user, FILE_MS);
  const send = async (part: FilePart, signal: AbortSignal) => {
    const { data } = await patient.api.POST('/api/suppressions', {
      body: part.text as never,
      bodySerializer: (raw) => raw,
      headers: { 'content-type': 'text/csv' },
      signal,
    });
    return data as { added: number; changed: number };
  };
  const addFile = useMutation({
    /** Parts that were taken stay, so that the same file may be sent again. `signal` keeps further ones from it. */
    mutationFn: async ({ text, onPart, signal }: FileToSend) => {
      const sum = { added: 0, changed: 0 };
      let entries = 0;
      for (const part of inParts(text)) {
        const taken = await send(part, signal).catch((error: unknown) => Promise.reject(placeInFile(error, part)));
        sum.added += taken.added;
        sum.changed += taken.changed;
        entries += part.entries;
        onPart(entries);
      }
      return sum;
    },
    onSettled,
  });
  return { add, remove, addFile };
}

/** Downloads all suppressed numbers as a file that can be imported. */
export function useSuppressionDownload() {
  const { createApi } = useSession();
  const user = useOneUser();
  return useMutation({
    mutationFn: async () => {
      const patient = createApi(undefined, user, FILE_MS);
      const { data } = await patient.api.GET('/api/suppressions', { headers: { accept: 'text/csv' }, parseAs: 'blob' });
      saveFile(data as Blob, `suppressed numbers ${new Date().toISOString().slice(0, 10)}.csv`);
    },
  });
}

/** Consents, newest first, in pages; with `number` only those of it. */
export function useConsents(number: string) {
  const { api } = useSession();
  const user = useOneUser();
  return useInfiniteQuery(
    inPages(keys.consentList(user, number), (at, options) =>
      api.consents.list({ limit: 50, ...(number && { phone_number: number }), ...at }, options),
    ),
  );
}

/** Records and revokes consents. */
export function useConsentActions() {
  const { api } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.consents(user) });
  const add = useMutation({ mutationFn: (consent: ConsentPost) => api.consents.add(consent), onSettled });
  const revoke = useMutation({ mutationFn: (id: string) => api.consents.revoke(id), onSettled });
  return { add, revoke };
}

/** Decisions about attempts to dial, newest first, in pages; with `number` only those about it. */
export function useDecisions(number: string) {
  const { api } = useSession();
  const user = useOneUser();
  return useInfiniteQuery({
    ...inPages(keys.decisionList(user, number), (at, options) =>
      api.dialing.decisions({ limit: 50, ...(number && { phone_number: number }), ...at }, options),
    ),
    // Rows that are found again stay open while a number is searched for.
    placeholderData: (before) => before,
  });
}

/** Decides as a call would now; nobody is dialled. */
export function useDialCheck() {
  const { api } = useSession();
  return useMutation({ mutationFn: (asked: DialCheckRequest) => api.dialing.check(asked) });
}
