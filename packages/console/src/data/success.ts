import type { AnalysisGroup, Switchboard } from '@switchboard/client';

/** Calls that an extractor has judged, and the share of them that reached what they were for. */
export interface Success {
  rate: number;
  judged: number;
  extractor: string;
}

type Judged = Pick<AnalysisGroup, 'agent_id' | 'agent_version' | 'extractor' | 'calls' | 'mean'>;

/** The part of the client that reads the report. */
type Api = { stats: Pick<Switchboard['stats'], 'analyses'> };

/** The calls in question. */
interface Asked {
  agent_id?: string;
  /** A day as `2026-01-15` (UTC). */
  start_date: string;
  group_by: 'agent' | 'agent_version';
}

/**
 * Whether calls reached what they were for, by agent or version, and extractor. Without the report, as when it has too
 * many groups, there are none: the other figures of the calls do not depend on it.
 */
export async function readSuccess(api: Api, asked: Asked, signal: AbortSignal): Promise<AnalysisGroup[]> {
  const query = { ...asked, field: 'success', group_by: `${asked.group_by},extractor` };
  return await api.stats.analyses(query, { signal }).then(
    ({ groups }) => groups,
    () => [],
  );
}

/** Groups of the extractor that has judged most of these calls: shares of several are not comparable. */
export function ofOneExtractor<Group extends Judged>(groups: Group[]): Group[] {
  const judged = new Map<string | undefined, number>();
  for (const { extractor, calls, mean } of groups)
    if (mean !== null) judged.set(extractor, (judged.get(extractor) ?? 0) + calls);
  const [most] = [...judged].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  return groups.filter(({ extractor }) => extractor === most);
}

/**
 * The success of each agent or version. Several extractors may judge the same call: the one that has judged most calls
 * counts, so that no call counts twice.
 */
export function successBy<Key>(groups: Judged[], keyOf: (group: Judged) => Key): Map<Key, Success> {
  const found = new Map<Key, Success>();
  for (const group of groups) {
    const { extractor = '', calls: judged, mean: rate } = group;
    if (rate !== null && judged > (found.get(keyOf(group))?.judged ?? 0))
      found.set(keyOf(group), { rate, judged, extractor });
  }
  return found;
}
