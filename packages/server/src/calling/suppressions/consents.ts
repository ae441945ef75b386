import type { Static } from 'typebox';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { ConsentPost } from './schema.ts';
import { type ConsentRow, findConsent, insertConsent, listConsents, revokeConsent } from './store.ts';

/** A clock that is ahead by so much is not contradicted. */
const AHEAD_MS = 60_000;

/** Consents: what people have agreed to. Entries are added and revoked, and never changed otherwise. */
export function createConsents({ db, clock, audit }: Pick<Platform, 'db' | 'clock' | 'audit'>) {
  async function add(user_id: string, input: Static<typeof ConsentPost>, actor: Actor) {
    const now = clock.now();
    const obtained_at = new Date(input.obtained_at);
    if (obtained_at.getTime() > now.getTime() + AHEAD_MS) {
      const msg = 'Input should not be in the future';
      throw new InvalidFields({ field: 'obtained_at', msg, type: 'value_error', input: input.obtained_at });
    }
    const { evidence_url = null } = input;
    const phone_number = canonicalNumber(input.phone_number);
    const row = {
      ...input,
      phone_number,
      id: newId(),
      user_id,
      obtained_at,
      evidence_url,
      created_at: now,
      revoked_at: null,
    };
    await db.transaction().execute(async (trx) => {
      await insertConsent(trx, row);
      await audit.record(trx, actor, 'consent.added', `consent/${row.id}`, { user_id, detail: row.purpose });
    });
    return view(row);
  }

  /** Revoking again changes nothing. Throws `not_found`. */
  async function revoke(user_id: string, id: string, actor: Actor) {
    return db.transaction().execute(async (trx) => {
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

  return { add, revoke, list };
}

function view({ user_id: _user_id, ...row }: ConsentRow) {
  return { ...row, purpose: row.purpose as 'marketing' | 'service' | 'emergency' };
}
