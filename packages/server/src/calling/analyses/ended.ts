import { pinnedIn } from '../../conversations/agents/agents.ts';
import { isFinal, type Transition } from '../../conversations/sessions/sessions.ts';
import type { VersionMemo } from '../../conversations/versions/versions.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Work } from '../../work/work.ts';

/** The kind of work that begins the analyses of a call once its transcript is complete, under the id of its session. */
export const CALL_ANALYSES = 'call_analyses';

/** The wishes of a version of an agent. */
export interface Wanted {
  extractors: { name: string; version: number }[];
  /** Whether the reports of its calls wait for them. */
  waits: boolean;
}

/** Reads the wishes of a version of an agent; null if it names no extractors. */
export function wantedIn(config: JsonObject): Wanted | null {
  const extractors = pinnedIn(config);
  return extractors.length > 0 ? { extractors, waits: config.report_waits_for_analyses === true } : null;
}

interface Deps {
  work: Work;
  clock: Clock;
  versionFacts: VersionMemo<{ wanted: Wanted | null }>;
  /** Delay after the end of a call until it is looked at. */
  delayMs: number;
}

/** Asks for the analyses of ended calls, in the transaction that ends them, where their agents name extractors. */
export function createAnalysisRequests({ work, clock, versionFacts, delayMs }: Deps) {
  return async (trx: Db, transitions: Transition[]): Promise<void> => {
    const ended = transitions.flatMap(({ after }) => (isFinal(after) && after.call_status !== null ? after : []));
    if (ended.length === 0) return;
    const facts = await versionFacts.ofAll(trx, ended);
    const due_at = new Date(clock.now().getTime() + delayMs);
    const asked = ended.flatMap(({ id }, index) =>
      facts[index]?.wanted ? { kind: CALL_ANALYSES, key: id, due_at } : [],
    );
    if (asked.length > 0) await work.add(trx, asked);
  };
}
