import { afterCommit } from '../../db/after-commit.ts';
import type { Database } from '../../db/database.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import type { AuditAction, AuditEvent } from '../../lib/audit.ts';
import type { Clock } from '../../lib/clock.ts';
import { idsOfDay, newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Actor } from '../../lib/principal.ts';
import { changesOf } from './changes.ts';
import { seal, trim } from './seal.ts';
import { type AuditEntry, type AuditFilter, insertEntries, listEntries, pseudonymizeEntries } from './store.ts';
import { type Counted, createTally } from './tally.ts';

export type Audit = ReturnType<typeof createAudit>;
export type { AuditFilter };

/** Kinds of refused requests, by caller, address, action and error, that are told apart in a minute, per process. */
export const MAX_REFUSAL_KINDS = 100;
/** The same for reading: by caller and call. */
const MAX_READ_KINDS = 10_000;
const EXPORT_PAGE = 500;

/** A resource before and after the change; null where it does not exist. */
interface Change {
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  detail?: string | null;
  /** The user whose resource it is, if it is not the calling one. */
  user_id?: string | null;
}

/** The audit log: who did what, when, from where, and with what outcome. */
export function createAudit({ db, clock }: { db: Database['db']; clock: Clock }) {
  const write = async (counted: Counted[]) =>
    insertEntries(
      db,
      counted.map((event) => ({ id: newId(), ...event })),
    );
  const refusals = createTally({ clock, maxGroups: MAX_REFUSAL_KINDS, write });
  const reads = createTally({ clock, maxGroups: MAX_READ_KINDS, write });

  /**
   * Writes an entry in the transaction of the change. `target` is `kind/id`; it is never erased, and therefore must not
   * be personal data.
   */
  async function record(
    trx: Db,
    actor: Actor,
    action: AuditAction,
    target: string,
    { before = null, after = null, detail = null, user_id = actor.user_id }: Change = {},
  ): Promise<void> {
    const changes = before === null && after === null ? {} : changesOf(before, after);
    await insertEntries(trx, [{ id: newId(), at: clock.now(), ...actor, user_id, action, target, detail, ...changes }]);
  }

  /** Counts a refused or failed request; those of a minute become two entries at most. */
  function refused(event: AuditEvent, network: string): void {
    const { actor, user_id, action, detail } = event;
    refusals.count(JSON.stringify([actor, user_id, network, action, detail]), event);
  }

  /** Counts reading: a page that asks again and again does not get an entry for each time. */
  function hasRead(event: AuditEvent): void {
    const { actor, user_id, ip, action, target } = event;
    reads.count(JSON.stringify([actor, user_id, ip, action, target]), event);
  }

  async function flush(all?: boolean): Promise<void> {
    await refusals.flush(all);
    await reads.flush(all);
  }

  /** Replaces a user with the pseudonym, and after the commit drops what was counted of the user and is not written. */
  async function pseudonymize(trx: Db, user_id: string, pseudonym: string): Promise<void> {
    afterCommit(trx, () => {
      refusals.forget(user_id);
      reads.forget(user_id);
    });
    await pseudonymizeEntries(trx, user_id, pseudonym);
  }

  /** All entries that a filter finds, newest first. */
  async function* entries(filter: AuditFilter): AsyncGenerator<ReturnType<typeof view>[]> {
    for (let after: string | null = null; ; ) {
      const found = await listEntries(db, filter, { after, limit: EXPORT_PAGE - 1 });
      yield found.map(view);
      after = found.at(-1)?.id ?? null;
      if (found.length < EXPORT_PAGE) return;
    }
  }

  return {
    record,
    refused,
    hasRead,
    /** Writes an entry by itself, for access without a change. */
    write: (event: AuditEvent) => insertEntries(db, [{ id: newId(), at: clock.now(), ...event }]),
    /** Writes what was counted, and seals new entries even if that fails: otherwise the chain would stand still. */
    round: () => flush().finally(() => seal(db)),
    /** Writes everything that was counted. */
    flush: () => flush(true),
    list: async (filter: AuditFilter, page: PageRequest) => {
      const { items, next_cursor } = toPage(await listEntries(db, filter, page), page.limit, ({ id }) => id);
      return { items: items.map(view), next_cursor };
    },
    entries,
    pseudonymize,
    /** Deletes old entries, from the beginning of the chain. */
    deleteOlder: (batch: Batch) => trim(db, clock.now(), batch),
  };
}

/** The ids of a period's entries. */
export function idsOf({ from, to }: { from: string | null; to: string | null }): Pick<AuditFilter, 'from' | 'to'> {
  return { from: from === null ? null : idsOfDay(from, 0), to: to === null ? null : idsOfDay(to, 1) };
}

function view({ before, after, salt: _salt, digest: _digest, ...entry }: AuditEntry) {
  return {
    ...entry,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  };
}
