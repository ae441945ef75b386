import type { Db } from '../db/tables.ts';
import type { Server } from '../http/server.ts';
import type { JsonObject } from '../lib/json.ts';

/** A user who is being erased, and the pseudonym that replaces the user id. */
export interface Subject {
  user_id: string;
  pseudonym: string;
}

/**
 * A part of the service, as listed in `compose.ts`. Each folder beside this file exports one from its `feature.ts`,
 * except `line/` and `maintenance/`, which have neither endpoints nor data.
 */
export interface Feature {
  /** The tag of its endpoints in the API description; absent if it shares another feature's tag. */
  tag?: { name: string; description: string };
  routes?: (server: Server) => void;
  /** The webhooks that it sends, for the API description. */
  webhooks?: JsonObject;
  erase?: Erase;
}

/** Deletes personal data in the transaction of an erasure's step. Must be idempotent. */
interface Erase {
  /** Erases the data of these sessions of the user. They are locked, and belong to the pseudonym afterwards. */
  sessions?: (trx: Db, sessions: { ids: string[]; room_names: string[] }) => Promise<void>;
  /** Erases the user's own data, in the last step: its agents are locked, and it has no sessions any more. */
  user?: (trx: Db, subject: Subject) => Promise<void>;
}
