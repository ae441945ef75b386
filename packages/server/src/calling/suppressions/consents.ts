import type { Static } from 'typebox';
import { lockDialling } from '../../db/dial-facts.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { ConsentPost, GivenConsent } from './schema.ts';
import { type ConsentRow, findConsent, insertConsents, listConsents, revokeConsent } from './store.ts';

/** A clock that is ahead by so much is not contradicted: what it says counts as obtained now. */
const AHEAD_MS = 60_000;

/** Consents: what people have agreed to. Entries are added and revoked, and never changed otherwise. */
export function createConsents({ db, clock, audit }: Pick<Platform, 'db' | 'clock' | 'audit'>) {
  async function add(user_id: string, input: Static<typeof ConsentPost>, actor: Actor) {
    const now = clock.now();
    if (isAhead(input, now)) {
      const msg = OBTAINED_LATER;
      throw new InvalidFields({ field: 'obtained_at', msg, type: 'value_error', input: input.obtained_at });
    }
    const row = rowOf(user_id, input, now);
    await db.transaction().execute(async (trx) => {
      await insertConsents(trx, [row]);
      await audit.record(trx, actor, 'consent.added', `consent/${row.id}`, { user_id, detail: row.purpose });
    });
    return view(row);
  }

  /** Adds those of several people in an open transaction; the caller has checked that none is ahead, and audits. */
  async function addIn(trx: Db, user_id: string, given: Static<typeof ConsentPost>[]): Promise<void> {
    const now = clock.now();
    if (given.length > 0)
      await insertConsents(
        trx,
        given.map((one) => rowOf(user_id, one, now)),
      );
  }

  /** Revoking again changes nothing. Throws `not_found`. */
  async function revoke(user_id: string, id: string, actor: Actor) {
    return db.transaction().execute(async (trx) => {
      // Calls that are being placed have looked already: from the answer on none goes by this consent.
      await lockDialling(trx, user_id);
      const found = isId(id) ? await findConsent(trx, id) : undefined;
      if (found?.user_id !== user_id) throw new AppError('not_found');
      if (found.revoked_at !== null) return view(found);
      const revoked_at = clock.now();
      await revokeConsent(trx, id, revoked_at);
      await audit.record(trx, actor, 'consent.revoked', `consent/${id}`, { user_id, detail: found.purpose });
      return view({ ...found, revoked_at });
    });
  }

  async function list(user_id: string, phone_number: string | undefined, page: PageRequest, obtained_by?: Date) {
    const { items, next_cursor } = toPage(
      await listConsents(db, user_id, phone_number && canonicalNumber(phone_number), page, obtained_by),
      page.limit,
      ({ id }) => id,
    );
    return { items: items.map(view), next_cursor };
  }

  return { add, addIn, revoke, list };
}

export const OBTAINED_LATER = 'Input should not be in the future';

/** Whether it claims to have been obtained later than now. */
export function isAhead({ obtained_at }: Pick<GivenConsent, 'obtained_at'>, now: Date): boolean {
  return new Date(obtained_at).getTime() > now.getTime() + AHEAD_MS;
}

function rowOf(user_id: string, given: Static<typeof ConsentPost>, now: Date): ConsentRow {
  const { evidence_url = null } = given;
  const phone_number = canonicalNumber(given.phone_number);
  const obtained_at = new Date(Math.min(Date.parse(given.obtained_at), now.getTime()));
  return { ...given, phone_number, obtained_at, evidence_url, id: newId(), user_id, created_at: now, revoked_at: null };
}

function view({ user_id: _user_id, ...row }: ConsentRow) {
  return { ...row, purpose: row.purpose as 'marketing' | 'service' | 'emergency' };
}
