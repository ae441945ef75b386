import type { Db } from '../db/tables.ts';
import type { Server } from '../http/server.ts';
import type { JsonObject } from '../lib/json.ts';

/** A user who is being erased, and the pseudonym that takes its place. */
export interface Subject {
  user_id: string;
  pseudonym: string;
}

/**
 * A part of the service as `compose.ts` lists it. Each folder beside this file exports one, from its `feature.ts`, but
 * for `line/` and `maintenance/`, which have neither endpoints nor data of their own.
 */
export interface Feature {
  /** The group of its endpoints in the API description; absent where another feature has the group. */
  tag?: { name: string; description: string };
  routes?: (server: Server) => void;
  /** The requests that it sends itself, for the API description. */
  webhooks?: JsonObject;
  erase?: Erase;
}

/** Deletes what is personal, in the transaction of a step of the erasure. Repeating it must be harmless. */
interface Erase {
  /** Erases what hangs on these sessions of the user. They are locked, and the pseudonym's afterwards. */
  sessions?: (trx: Db, sessions: { ids: string[]; room_names: string[] }) => Promise<void>;
  /** Erases what is the user's own, in the last step: its agents are locked, and it has no sessions any more. */
  user?: (trx: Db, subject: Subject) => Promise<void>;
}
