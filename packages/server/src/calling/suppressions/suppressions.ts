import type { Static } from 'typebox';
import { lockDialling } from '../../db/dial-facts.ts';
import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Seal } from '../../lib/seal.ts';
import type { Platform } from '../../platform.ts';
import { PURPOSES } from '../policies/policies.ts';
import { createConsents, isAhead, OBTAINED_LATER } from './consents.ts';
import { createSuppressionEvents } from './events.ts';
import { createNumberHashes, type HashNumber, type NumberHashes } from './number-hashes.ts';
import { inPlaceOf } from './reasons.ts';
import { REMOVED_DAYS, type SuppressionsPost } from './schema.ts';
import {
  addSuppressions,
  blankSuppressions,
  deleteRemoved,
  deleteSomeConsents,
  findSuppression,
  forgetOver,
  type KnownSuppression,
  listChanges,
  listInForce,
  listSuppressions,
  lockSuppressions,
  type NewSuppression,
  removeSuppression,
  type SuppressionRow,
} from './store.ts';
import { view } from './view.ts';

export type Suppressions = ReturnType<typeof createSuppressions>;
export type { HashNumber, NumberHashes };
export { isAhead, OBTAINED_LATER };

type Entry = Static<typeof SuppressionsPost>['entries'][number];

const PAGE = 1_000;
const CHANGES = 1_000;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  seal: Seal;
  callbacks: Callbacks;
}

/** Numbers that are not called, and consents. */
export function createSuppressions(deps: Deps) {
  const { db, clock, audit } = deps;
  const enqueueBlocked = createSuppressionEvents(deps.callbacks);
  const hashes = createNumberHashes(deps);

  /** Adds all of them or none, one after the other. Throws `InvalidFields`. */
  async function add(user_id: string, entries: Entry[], actor: Actor) {
    assertScopes(entries);
    const hash = await hashes();
    return db.transaction().execute((trx) => addIn(trx, user_id, entries, { hash, actor }));
  }

  /** The same in an open transaction, for scopes that were checked. */
  async function addIn(
    trx: Db,
    user_id: string,
    entries: Entry[],
    { hash, actor }: { hash: HashNumber; actor: Actor },
  ) {
    const now = clock.now().toISOString();
    const wanted = entries.map((entry) => rowOf(user_id, entry, hash, now));
    await lockSuppressions(trx, user_id);
    // Calls that are being placed have looked already: from the answer on there are none.
    await lockDialling(trx, user_id);
    const known = new Map((await listInForce(trx, wanted)).map((row) => [keyOf(row), row]));
    const rows = new Map<string, NewSuppression>();
    for (const row of wanted) {
      const key = keyOf(row);
      rows.set(key, inPlaceOf(rows.get(key) ?? known.get(key), row));
    }
    const { added, blocked } = await addSuppressions(trx, [...rows.values()]);
    await enqueueBlocked(trx, user_id, blocked);
    const detail = `${rows.size}`;
    await audit.record(trx, actor, 'suppressions.added', 'suppressions', { user_id, detail });
    return { added, changed: rows.size - added };
  }

  /** Calls to the number are possible again. Throws `not_found`. */
  async function remove(user_id: string, id: string, actor: Actor): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await lockSuppressions(trx, user_id);
      const found = isId(id) ? await findSuppression(trx, id) : undefined;
      if (found?.user_id !== user_id) throw new AppError('not_found');
      await removeSuppression(trx, id, clock.now());
      await audit.record(trx, actor, 'suppression.removed', `suppression/${id}`, { user_id });
    });
  }

  async function list(user_id: string, phone_number: string | undefined, page: PageRequest) {
    const { items, next_cursor } = toPage(
      await listSuppressions(db, user_id, phone_number && canonicalNumber(phone_number), page),
      page.limit,
      ({ id }) => id,
    );
    return { items: items.map(view), next_cursor };
  }

  /** All of them, in pages. */
  async function* pages(user_id: string, phone_number: string | undefined) {
    const number = phone_number && canonicalNumber(phone_number);
    for (let after: string | null = null; ; ) {
      const rows: SuppressionRow[] = await listSuppressions(db, user_id, number, { after, limit: PAGE - 1 });
      yield rows.map(view);
      after = rows.at(-1)?.id ?? null;
      if (rows.length < PAGE) return;
    }
  }

  /** Changes after a cursor, removals included. */
  async function changes(user_id: string, cursor: string | undefined) {
    const rows = await listChanges(db, user_id, cursor ?? '0', CHANGES);
    const next_cursor = String(rows.at(-1)?.change ?? cursor ?? '0');
    return { items: rows.map((row) => ({ ...view(row), deleted_at: row.deleted_at })), next_cursor };
  }

  return {
    hashes,
    add,
    addIn,
    remove,
    list,
    pages,
    changes,
    consents: createConsents(deps),
    /** Forgets what was over long ago, and encrypts the key of hashes with the newest SECRETS_KEY. */
    forget: async () => {
      await hashes.reseal();
      await forgetOver(db, new Date(clock.now().getTime() - REMOVED_DAYS * DAY_MS), PAGE);
    },
    /** Erases some of those in force, and of the consents; whether there may be more. */
    erasePart: async (trx: Db, user_id: string): Promise<boolean> =>
      (await blankSuppressions(trx, user_id, PAGE)) + (await deleteSomeConsents(trx, user_id, PAGE)) > 0,
    eraseRemoved: deleteRemoved,
  };
}

const keyOf = ({ number_hash, scope, scope_id }: KnownSuppression) => `${number_hash} ${scope} ${scope_id}`;

function rowOf(user_id: string, entry: Entry, hash: HashNumber, created_at: string): NewSuppression {
  const { scope = 'user', scope_id = '', reason = 'asked', expires_at = null } = entry;
  const phone_number = canonicalNumber(entry.phone_number);
  return {
    id: newId(),
    user_id,
    phone_number,
    number_hash: hash(user_id, phone_number),
    scope,
    // Ids are compared as the database writes them.
    scope_id: scope_id.toLowerCase(),
    reason,
    expires_at,
    call_id: entry.call_id ?? null,
    transcript_id: entry.transcript_id ?? null,
    created_at,
  };
}

function assertScopes(entries: Entry[]): void {
  const problems = entries.flatMap(({ scope = 'user', scope_id = '' }, index) => {
    const isRight =
      scope === 'user'
        ? scope_id === ''
        : scope === 'purpose'
          ? PURPOSES.some((purpose) => purpose === scope_id)
          : isId(scope_id);
    if (isRight) return [];
    const msg = scope === 'user' ? 'A suppression of all calls has no scope_id' : `Input should name the ${scope}`;
    return { field: ['entries', index, 'scope_id'], msg, type: 'value_error', input: scope_id };
  });
  if (problems.length > 0) throw new InvalidFields(...problems);
}
