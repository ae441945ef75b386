import type { Kept as KeptData } from './db/privacy-tables.ts';
import type { Batch, Deleted } from './db/retention-batches.ts';
import type { Db } from './db/tables.ts';
import type { Server } from './http/server.ts';
import type { JsonObject } from './lib/json.ts';
import type { Kinds } from './work/kinds.ts';
import type { TaskKinds } from './work/tasks.ts';

/** A user who is being erased, and the pseudonym that replaces the user id. */
export interface Subject {
  user_id: string;
  pseudonym: string;
}

/**
 * A part of the service, as listed in `compose.ts`. Each feature's folder exports one from its `feature.ts`, except
 * `conductor/`, `line-charges/` and `maintenance/`, which have neither endpoints nor data.
 */
export interface Feature {
  /** The tag of its endpoints in the API description; absent if it shares another feature's tag. */
  tag?: { name: string; description: string };
  routes?: (server: Server) => void;
  /** The webhooks that it sends, for the API description. */
  webhooks?: JsonObject;
  /** Schemas that no endpoint refers to, by name, for the API description. */
  schemas?: JsonObject;
  erase?: Erase;
  /** Its rows that are deleted at a certain age, by their name in the log. */
  keeps?: Record<string, Kept>;
  /** Deletes data of these sessions that is past their agent's retention, in the transaction that records it. */
  expire?: Partial<Record<KeptData, (trx: Db, session_ids: string[]) => Promise<void>>>;
  /** Kinds of durable work, which any replica does. */
  work?: Kinds;
  /** Kinds of work that workers claim over HTTP. */
  tasks?: TaskKinds;
  /** Repeated work, by its name in logs and metrics: repairs what a dead process has left, removes what has expired. */
  upkeep?: Rounds;
  /** Upkeep that may take long: each has rounds of its own, and delays nothing else. */
  slowUpkeep?: Rounds;
  /** Ends its background work. The server is closed already, the media provider and the database are not. */
  stop?: () => Promise<unknown>;
  /** Sets its gauges that are read from the database. */
  measure?: () => Promise<unknown>;
}

/** Functions that do one round each, or return `SKIPPED` of `ops/maintenance/upkeep.ts`. */
export type Rounds = Record<string, () => Promise<unknown>>;

/** Rows that are deleted at a certain age. */
export interface Kept {
  /** Undefined: kept forever. */
  days: number | undefined;
  /** Skips conversations under a legal hold. */
  isHeldBack?: true;
  deleteOlder: (batch: Batch) => Promise<Deleted>;
}

/** Runs a part of an erasure in a transaction. Throws `legal_hold` if one was set meanwhile. */
export type Step = <T>(work: (trx: Db) => Promise<T>) => Promise<T>;

/** Deletes personal data, in the transactions of an erasure's steps. Must be idempotent. */
interface Erase {
  /**
   * Deletes what is outside of the database, before the rows that name it, which change in a `step`. Throws if a
   * provider refuses: the erasure is then repeated from its start.
   */
  outside?: (subject: Subject, step: Step) => Promise<void>;
  /** Erases a part of what may be much; whether there may be more. Repeated, also in the last step. */
  part?: (trx: Db, subject: Subject) => Promise<boolean>;
  /** Erases the data of these sessions of the user. They are locked, and belong to the pseudonym afterwards. */
  sessions?: (trx: Db, sessions: { ids: string[]; room_names: string[] }) => Promise<void>;
  /** Erases the user's own data, in the last step: its agents are locked, and it has no sessions any more. */
  user?: (trx: Db, subject: Subject) => Promise<void>;
}
