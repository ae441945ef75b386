import { OPT_OUT_MESSAGE } from '@switchboard/client/consent';
import { LruMap } from 'toad-cache';
import type { Session } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import { isObject } from '../../lib/json.ts';
import { readCompliance } from './store.ts';

/** Versions of agents that one process remembers. */
const MAX_REMEMBERED = 10_000;
const SCOPES = ['user', 'agent', 'purpose'] as const;

/** How an agent takes a refusal of further calls. */
export interface OptOut {
  scope: (typeof SCOPES)[number];
  /** With `{{name}}` for variables. */
  confirm: string;
}

type Versioned = Pick<Session, 'agent_id' | 'agent_version'>;

/** Remembers which versions of agents take refusals: they never change, so that a line of a transcript asks nothing. */
export function createAgentCompliance(db: Db) {
  const remembered = new LruMap<OptOut | null>(MAX_REMEMBERED);

  async function read(key: string, agent_id: string, version: number): Promise<OptOut | null> {
    const optOut = optOutIn(await readCompliance(db, agent_id, version));
    remembered.set(key, optOut);
    return optOut;
  }

  return {
    /** Null for an agent that takes none. Resolved already, mostly. */
    optOutOf({ agent_id, agent_version }: Versioned): OptOut | null | Promise<OptOut | null> {
      if (agent_id === null || agent_version === null) return null;
      const key = `${agent_id} ${agent_version}`;
      const known = remembered.get(key);
      return known === undefined ? read(key, agent_id, agent_version) : known;
    },
  };
}

/** Nobody may have checked the configuration of an agent. */
function optOutIn(compliance: unknown): OptOut | null {
  const section = isObject(compliance) ? compliance.opt_out : undefined;
  if (!isObject(section) || section.enabled !== true) return null;
  const { confirm, scope } = section;
  return {
    scope: SCOPES.find((one) => one === scope) ?? 'user',
    confirm: typeof confirm === 'string' && confirm.trim() ? confirm : OPT_OUT_MESSAGE,
  };
}
