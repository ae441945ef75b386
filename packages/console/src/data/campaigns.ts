import type { Campaign, CampaignCreate, CampaignUpdate, RecipientState, RecipientsAdded } from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { isLong, useConnection } from './live.tsx';
import { inPages } from './pages.ts';
import { FILE_MS, saveFile } from './save-file.ts';
import { useOneUser, useSession } from './session.tsx';

/** Interval at which campaigns are read where no events come: a key may be limited to outreach. In milliseconds. */
const WITHOUT_EVENTS_MS = 5_000;

/** When to read data of campaigns again by itself. Events have it read, at most once a second; see `changedBy`. */
function useInterval() {
  const isRefused = useConnection() === 'refused';
  return ({ state: { data, error } }: { state: { data: unknown; error: Error | null } }) =>
    isRefused && !error && !isLong(data) && WITHOUT_EVENTS_MS;
}

/** Campaigns with their counts, newest first, in pages. */
export function useCampaigns() {
  const { api } = useSession();
  const user = useOneUser();
  return useInfiniteQuery({
    ...inPages(keys.campaignList(user), (at, options) => api.campaigns.list({ limit: 50, ...at }, options)),
    refetchInterval: useInterval(),
  });
}

/** One campaign. */
export function useCampaign(id: string) {
  const { api } = useSession();
  const user = useOneUser();
  return useQuery({
    queryKey: keys.campaign(user, id),
    queryFn: ({ signal }) => api.campaigns.get(id, { signal }),
    refetchInterval: useInterval(),
  });
}

/** Attempts by outcome, and when it may be finished. */
export function useCampaignStats(id: string) {
  const { api } = useSession();
  const user = useOneUser();
  return useQuery({
    queryKey: keys.campaignStats(user, id),
    queryFn: ({ signal }) => api.campaigns.stats(id, { signal }),
    refetchInterval: useInterval(),
  });
}

export type CampaignAction = 'start' | 'pause' | 'resume' | 'cancel';

/** Makes, changes, runs and deletes campaigns. */
export function useCampaignActions() {
  const { api } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.campaigns(user) });
  const create = useMutation({ mutationFn: (campaign: CampaignCreate) => api.campaigns.create(campaign), onSettled });
  const update = useMutation({
    mutationFn: ({ id, ...change }: CampaignUpdate & { id: string }) => api.campaigns.update(id, change),
    onSettled,
  });
  const act = useMutation({
    mutationFn: ({ id, action }: { id: string; action: CampaignAction }) => api.campaigns[action](id),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.campaigns.delete(id),
    // Its page is still shown: what it asks for does not exist any more.
    onSettled: () => queries.invalidateQueries({ queryKey: keys.campaignList(user) }),
  });
  return { create, update, act, remove };
}

/** Recipients in the order in which they were added, in pages; with `state` only those in it. */
export function useRecipients(id: string, state: RecipientState | '') {
  const { api } = useSession();
  const user = useOneUser();
  return useInfiniteQuery({
    ...inPages(keys.recipients(user, id, state), (at, options) =>
      api.campaigns.recipients(id, { limit: 50, ...(state && { state }), ...at }, options),
    ),
    refetchInterval: useInterval(),
  });
}

/** One recipient with its data and its story. */
export function useRecipient(campaign: string, id: string) {
  const { api } = useSession();
  const user = useOneUser();
  return useQuery({
    queryKey: keys.recipient(user, campaign, id),
    queryFn: ({ signal }) => api.campaigns.recipient(campaign, id, { signal }),
    refetchInterval: useInterval(),
  });
}

/** Adds the recipients of a CSV file. It may be sent again: those that are there already are left as they are. */
export function useAddRecipients(campaign_id: string) {
  const { createApi } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, signal }: { file: Blob; signal: AbortSignal }): Promise<RecipientsAdded> => {
      const { data } = await createApi(undefined, user, FILE_MS).api.POST('/api/campaigns/{campaign_id}/recipients', {
        params: { path: { campaign_id } },
        body: file as never,
        bodySerializer: (raw) => raw,
        headers: { 'content-type': 'text/csv' },
        signal,
      });
      return data as RecipientsAdded;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.campaigns(user) }),
  });
}

/** Decides who may be dialled when, as of now. */
export function usePreview(id: string) {
  const { api } = useSession();
  return useMutation({ mutationFn: () => api.campaigns.preview(id, { timeoutMs: 60_000 }) });
}

/** Downloads the results of all recipients. */
export function useResultDownload({ id, name }: Pick<Campaign, 'id' | 'name'>) {
  const { createApi } = useSession();
  const user = useOneUser();
  return useMutation({
    mutationFn: async () => {
      const { data } = await createApi(undefined, user, FILE_MS).api.GET('/api/campaigns/{campaign_id}/recipients', {
        params: { path: { campaign_id: id } },
        headers: { accept: 'text/csv' },
        parseAs: 'blob',
      });
      saveFile(data as Blob, `${name}.csv`);
    },
  });
}
