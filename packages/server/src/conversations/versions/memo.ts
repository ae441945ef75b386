import { LruMap } from 'toad-cache';
import type { Db } from '../../db/tables.ts';
import type { JsonObject } from '../../lib/json.ts';
import { readConfigs } from './store.ts';

/** Versions that one process remembers. */
export const MAX_REMEMBERED = 10_000;

/** A conversation, as far as it names its agent. */
interface Versioned {
  agent_id: string | null;
  agent_version: number | null;
}

export interface VersionMemo<T> {
  /** Returns what was read from the version of a conversation; null if there is none. Resolved already, mostly. */
  of(db: Db, of: Versioned): T | null | Promise<T | null>;
  /** The same for several, in their order. */
  ofAll(db: Db, all: Versioned[]): Promise<(T | null)[]>;
}

/** Remembers what `pick` reads from versions of agents: they never change, so that calls ask nothing. */
export function createVersionMemo<T>(pick: (config: JsonObject) => T): VersionMemo<T> {
  const remembered = new LruMap<T | null>(MAX_REMEMBERED);

  async function ofAll(db: Db, all: Versioned[]): Promise<(T | null)[]> {
    // Read before anything is added, which may push it out.
    const known = new Map(all.map((one) => [keyOf(one), remembered.get(keyOf(one))]));
    const missing = all.filter(isVersioned).filter((one) => known.get(keyOf(one)) === undefined);
    const configs = missing.length > 0 ? await readConfigs(db, missing) : [];
    const found = new Map(configs.map(({ config, ...version }) => [keyOf(version), pick(config)]));
    for (const key of new Set(missing.map(keyOf))) {
      const picked = found.get(key) ?? null;
      known.set(key, picked);
      remembered.set(key, picked);
    }
    return all.map((one) => known.get(keyOf(one)) ?? null);
  }

  return {
    of(db, one) {
      const known = remembered.get(keyOf(one));
      return known === undefined ? ofAll(db, [one]).then(([picked]) => picked ?? null) : known;
    },
    ofAll,
  };
}

const keyOf = ({ agent_id, agent_version }: Versioned) => `${agent_id} ${agent_version}`;

function isVersioned(one: Versioned): one is { agent_id: string; agent_version: number } {
  return one.agent_id !== null && one.agent_version !== null;
}
