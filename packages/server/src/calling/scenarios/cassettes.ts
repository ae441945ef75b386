import { MAX_CASSETTE_BYTES } from '@switchboard/scenarios/cassette';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import { isId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type Actor, owned } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import {
  type CassetteRow,
  deleteCassette,
  deleteCassettesOf,
  deleteCassettesOfCalls,
  deleteOldCallCassettes,
  deleteOldCassettes,
  findCassette,
  isScenario,
  putCassette,
} from './cassette-store.ts';

export type Cassettes = ReturnType<typeof createCassettes>;

type Of = Pick<CassetteRow, 'id' | 'user_id' | 'agent_id' | 'agent_version'>;

/** Recorded answers of language models, one recording for each scenario, and for each call that is replayed. */
export function createCassettes({ db, clock, audit }: Pick<Platform, 'db' | 'clock' | 'audit'>) {
  /** Keeps what a worker has recorded. Throws `InvalidFields` for something that is no cassette, or too large. */
  async function put(trx: Db, of: Of, cassette: JsonObject): Promise<void> {
    const content = JSON.stringify(cassette);
    const { exchanges } = cassette;
    if (!Array.isArray(exchanges)) throw unfit('a list of exchanges');
    if (Buffer.byteLength(content) > MAX_CASSETTE_BYTES) throw unfit(`at most ${MAX_CASSETTE_BYTES} bytes`);
    // Rules have no traffic: what was recorded with a model stays.
    if (exchanges.length === 0) return;
    await putCassette(trx, { ...of, content, exchanges: exchanges.length, recorded_at: clock.now() });
  }

  /** Throws `not_found` for an id without a cassette, or of another user's. */
  async function find(within: Db, id: string, caller: string | null): Promise<CassetteRow> {
    // A call's recording has the call's id, and is no scenario's.
    return owned(isId(id) && (await isScenario(within, id)) ? await findCassette(within, id) : undefined, caller);
  }

  async function remove(id: string, caller: string | null, actor: Actor): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const { user_id, agent_version, recorded_at } = await find(trx, id, caller);
      await deleteCassette(trx, id);
      const before = { agent_version, recorded_at };
      await audit.record(trx, actor, 'cassette.deleted', `scenario/${id}`, { user_id, before, after: null });
    });
  }

  return {
    put,
    get: async (id: string, caller: string | null) => {
      const { content, user_id: _, size_bytes: __, id: scenario_id, ...cassette } = await find(db, id, caller);
      return { scenario_id, ...cassette, content: JSON.parse(content) as JsonObject };
    },
    /** The recording of a scenario, or of a call; null without any. */
    recorded: async (id: string): Promise<JsonObject | null> => {
      const found = await findCassette(db, id);
      return found ? JSON.parse(found.content) : null;
    },
    remove,
    deleteOlder: (batch: Batch) => deleteOldCassettes(db, batch),
    /** Deletes a batch of the recordings of old calls. */
    deleteOlderCalls: (batch: Batch) => deleteOldCallCassettes(db, batch),
    /** Deletes the recordings of these calls. */
    forgetCalls: deleteCassettesOfCalls,
    erase: deleteCassettesOf,
    forget: deleteCassette,
  };
}

function unfit(what: string): InvalidFields {
  return new InvalidFields({ field: 'result', msg: `Input should have a cassette with ${what}`, type: 'value_error' });
}
