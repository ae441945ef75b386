import type { Db } from '../../db/tables.ts';

/** Tests that versions have to pass before they are released. */
export interface Gate {
  /**
   * Throws `InvalidFields` for a suite that the user of the agent has not, and `gate_not_passed` unless each of the
   * versions has passed it as it is now.
   */
  assertPassed(trx: Db, agent: { id: string; user_id: string }, suite: string, versions: number[]): Promise<void>;
}
