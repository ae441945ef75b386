import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import { type Agent, listExisting, shareAgents } from './store.ts';

/**
 * Locks agents for new calls of these users: until the transaction ends, changes of the agents and erasures wait.
 * For each, `not_found` if it does not exist, and null if it is being changed and `isPatient` is not set.
 */
export async function share(
  trx: Db,
  wanted: { id: string; user_id: string }[],
  isPatient: boolean,
): Promise<(Agent | AppError | null)[]> {
  const ids = [...new Set(wanted.flatMap(({ id }) => (isId(id) ? id.toLowerCase() : [])))];
  const found = new Map((await shareAgents(trx, ids, isPatient)).map((agent) => [agent.id, agent]));
  const missing = ids.filter((id) => !found.has(id));
  const changing = isPatient || missing.length === 0 ? null : await listExisting(trx, missing);
  return wanted.map(({ id, user_id }) => {
    const agent = found.get(id.toLowerCase());
    if (changing?.has(id.toLowerCase())) return null;
    return agent?.user_id === user_id ? agent : new AppError('not_found');
  });
}
