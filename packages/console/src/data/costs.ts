import type { CostGroup, CostReport } from '@switchboard/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { FILE_MS, saveFile } from './save-file.ts';
import { useSession } from './session.tsx';

export const BUCKETS = ['day', 'week', 'month', 'none'] as const;
/** `user` is only for the report on all users. */
export const SPLITS = ['provider', 'agent', 'agent_version', 'model', 'event_type', 'direction', 'user'] as const;
export type Bucket = (typeof BUCKETS)[number];
export type Split = (typeof SPLITS)[number];

/** Parameters of a report, as in the page's URL. */
export interface ReportChoice {
  /** `none`: the whole range. */
  bucket: Bucket;
  /** Dimensions of the report, the first of which is plotted; at least one if there is no period. */
  splits: Split[];
  /** First and last day, UTC. */
  from: string;
  to: string;
}

export interface Report extends Omit<CostReport, 'items' | 'next_cursor'> {
  groups: CostGroup[];
  isCut: boolean;
  /** The parameters that these groups belong to: the groups stay while others are loaded. */
  choice: ReportChoice;
}

const PAGE_SIZE = 100;
/** Maximum number of groups in the plot and the table; the CSV file has all of them. */
const MAX_GROUPS = 1_000;

const toQuery = ({ bucket, splits, from, to }: ReportChoice) => ({
  group_by: [...(bucket === 'none' ? [] : [bucket]), ...splits].join(),
  start_date: from,
  end_date: to,
});

/** Costs by period and dimensions. */
export function useCostReport(choice: ReportChoice) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.costReport(user, choice),
    queryFn: async ({ signal }): Promise<Report> => {
      const groups: CostGroup[] = [];
      for await (const page of api.costs.report({ ...toQuery(choice), limit: PAGE_SIZE }, { signal }).pages()) {
        groups.push(...page.items);
        const isCut = groups.length >= MAX_GROUPS && page.next_cursor !== null;
        if (isCut || page.next_cursor === null) return { ...page, groups, isCut, choice };
      }
      throw new Error('a report has a last page');
    },
    placeholderData: (before) => before,
  });
}

/** The same by period and the first dimension only: a plot could not show more. */
export function usePlottedReport(choice: ReportChoice) {
  return useCostReport({ ...choice, splits: choice.splits.slice(0, 1) });
}

/** Downloads the whole report as a CSV file. */
export function useCostDownload(choice: ReportChoice) {
  const { createApi } = useSession();
  return useMutation({
    mutationFn: async () => {
      const query = toQuery(choice);
      const { data } = await createApi(undefined, undefined, FILE_MS).api.GET('/api/costs/report', {
        params: { query },
        headers: { accept: 'text/csv' },
        parseAs: 'blob',
      });
      saveFile(data as Blob, `costs ${choice.from} to ${choice.to}.csv`);
    },
  });
}
