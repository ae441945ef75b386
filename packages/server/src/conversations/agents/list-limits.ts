import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { measureAgents } from './store.ts';

/** Bounds the list of a user's agents, which has no pages by specification. */
export const MAX_AGENTS = 1000;
export const MAX_LIST_BYTES = 8 * 1024 * 1024;
export const EMPTY = { agents: 0, bytes: 0 };

/**
 * Call it after the change, under the list's lock: throwing rolls the change back. A list that was too large
 * `before` may stay so, and shrink. Throws `too_many_agents`.
 */
export async function assertListFits(trx: Db, user_id: string, before: typeof EMPTY): Promise<void> {
  const { agents, bytes } = await measureAgents(trx, user_id);
  if (agents > Math.max(MAX_AGENTS, before.agents))
    throw new AppError('too_many_agents', {
      detail: `A user may have at most ${MAX_AGENTS} agents. Delete one first.`,
    });
  if (bytes > Math.max(MAX_LIST_BYTES, before.bytes))
    throw new AppError('too_many_agents', {
      detail: `The agents of a user may have ${MAX_LIST_BYTES} bytes of names, descriptions and configurations in all. Shorten or delete some first.`,
    });
}
