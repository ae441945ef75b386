import type { PricesChanged } from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { inPages } from './pages.ts';
import { saveFile } from './save-file.ts';
import { useSession } from './session.tsx';

/** Whether a price file is JSON; otherwise it is CSV. */
export const isJson = (text: string) => /^\uFEFF?\s*[[{]/.test(text);

/** The price book, in pages. */
export function usePrices(history: boolean) {
  const { api } = useSession();
  return useInfiniteQuery(
    inPages(keys.prices(history), (at, options) =>
      api.prices.list({ limit: 100, ...(history && { history }), ...at }, options),
    ),
  );
}

/** Adds prices to the book, and prices unpriced events. */
export function usePriceActions() {
  const { api } = useSession();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries();
  const put = useMutation({
    mutationFn: async (text: string): Promise<PricesChanged> => {
      // Sent as it was written: parsing it as JSON here would round prices.
      const body = /^\s*\[/.test(text) ? `{"entries":${text}}` : text;
      const { data } = await api.api.PUT('/api/prices', {
        body: body as never,
        bodySerializer: (raw) => raw,
        headers: { 'content-type': isJson(text) ? 'application/json' : 'text/csv' },
      });
      return data as PricesChanged;
    },
    onSettled,
  });
  const apply = useMutation({
    mutationFn: async () => {
      let [priced, unpriced] = [0, 0];
      for await (const page of api.prices.apply({}).pages()) {
        priced += page.priced;
        unpriced += page.unpriced;
      }
      return { priced, unpriced };
    },
    onSettled,
  });
  return { put, apply };
}

/** Downloads the price book as a file that can be edited and imported. */
export function usePriceDownload(history: boolean) {
  const { api } = useSession();
  return useMutation({
    mutationFn: async () => {
      const { data } = await api.api.GET('/api/prices', {
        params: { query: { ...(history && { history }) } },
        headers: { accept: 'text/csv' },
        parseAs: 'blob',
      });
      saveFile(data as Blob, `prices ${new Date().toISOString().slice(0, 10)}.csv`);
    },
  });
}
