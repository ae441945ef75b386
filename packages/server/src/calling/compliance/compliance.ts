import { renderVariables } from '@switchboard/client/variables';
import { asksToStop } from '@switchboard/rules/opt-out';
import type { Static } from 'typebox';
import { numbersOf, type Session, type Sessions, takesReports } from '../../conversations/sessions/sessions.ts';
import type { VersionMemo } from '../../conversations/versions/versions.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { idsSince } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Actor } from '../../lib/principal.ts';
import { headerVariables } from '../../lib/sip-headers.ts';
import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import type { Kind } from '../../work/kinds.ts';
import type { HashNumber, Suppressions } from '../suppressions/suppressions.ts';
import type { OptOut } from './opt-out.ts';
import type { DisclosureReport } from './schema.ts';
import {
  addDisclosure,
  addOptOut,
  deleteDisclosures,
  deleteOldDisclosures,
  deleteOptOuts,
  findDisclosure,
  findOptOut,
  hasTarget,
  lastWords,
  type OptOutRow,
  purposeOf,
} from './store.ts';

export type Compliance = ReturnType<typeof createCompliance>;

/** The kind of work that has an agent confirm a refusal and hang up, under the id of its call. */
export const OPT_OUT = 'opt_out';

/** The service itself, in the audit log. */
const SERVICE: Actor = { actor: 'opt_out', user_id: null, ip: null };

type Scope = Pick<OptOutRow, 'scope' | 'scope_id'>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  sessions: Sessions;
  suppressions: Pick<Suppressions, 'hashes' | 'addIn'>;
  workers: Workers;
  versionFacts: VersionMemo<{ optOut: OptOut | null }>;
}

/** Disclosures of agents on the phone, and people who do not want to be called any more. */
export function createCompliance({ db, clock, work, sessions, suppressions, workers, versionFacts }: Deps) {
  /**
   * Reads what was said on the phone. If it refuses further calls, and the agent takes that, returns what has to be
   * done in the transaction that stores the line; null otherwise. A version that is gone, with an agent that was
   * deleted during the call, may have taken it: the number is suppressed, and the call goes on.
   */
  async function hear(
    session: Session,
    words: string,
  ): Promise<((trx: Db, transcript_id: string) => Promise<void>) | null> {
    if (session.call_direction === null) return null;
    const facts = await versionFacts.of(db, session);
    const listens = facts ? facts.optOut !== null : session.agent_version !== null;
    if (!listens || !asksToStop(words) || (await hasTarget(db, session.id))) return null;
    const optOut = facts?.optOut ?? null;
    const hash = await suppressions.hashes();
    return async (trx, transcript_id) => {
      const isFirst = await refuse(trx, session, { optOut, transcript_id, noticed_by: 'service' }, hash, SERVICE);
      if (isFirst && facts) await work.add(trx, [{ kind: OPT_OUT, key: session.id }]);
    };
  }

  /** Suppresses the number of the person on the phone, once in a call. False if that was done before. */
  async function refuse(
    trx: Db,
    session: Session,
    { optOut, ...noticed }: { optOut: OptOut | null } & Pick<OptOutRow, 'transcript_id' | 'noticed_by'>,
    hash: HashNumber,
    actor: Actor,
  ): Promise<boolean> {
    const { id: call_id, user_id } = session;
    const { scope, scope_id } = await scopeOf(trx, session, optOut);
    const phone_number = numberOf(session);
    const row = { call_id, user_id, scope, scope_id, is_suppressed: phone_number !== null, asked_at: clock.now() };
    if (!(await addOptOut(trx, { ...row, ...noticed }))) return false;
    const { transcript_id } = noticed;
    if (phone_number !== null)
      await suppressions.addIn(
        trx,
        user_id,
        [{ phone_number, scope, scope_id, reason: 'asked', call_id, transcript_id }],
        { hash, actor },
      );
    return true;
  }

  /** Records that the agent has noticed a refusal; it ends the call itself. Throws `InvalidFields` for a browser. */
  async function optOut(session: Session, actor: Actor): Promise<void> {
    if (session.call_direction === null) {
      const msg = 'A call in a browser has no number to suppress';
      throw new InvalidFields({ field: 'opted_out', msg, type: 'value_error', input: true });
    }
    const wanted = (await versionFacts.of(db, session))?.optOut ?? null;
    const hash = await suppressions.hashes();
    await change(session, async (trx) => {
      const transcript_id = await lastWords(trx, session.id, idsSince(session.id, clock.now()));
      await refuse(trx, session, { optOut: wanted, transcript_id, noticed_by: 'agent' }, hash, actor);
    });
  }

  /** Records the first words of a call. The first report counts, and none that comes long after the call. */
  async function disclosed(session: Session, { text, started_at, is_complete }: Static<typeof DisclosureReport>) {
    if (!takesReports(session, clock.now())) return;
    const { id: call_id, user_id } = session;
    const row = {
      call_id,
      user_id,
      text: sessions.redactions.reported(session.privacy, text),
      started_at: new Date(started_at),
      is_complete,
      created_at: clock.now(),
    };
    await change(session, (trx) => addDisclosure(trx, row));
  }

  /** An erasure of the call waits for the change, or is found. */
  function change(session: Session, apply: (trx: Db) => Promise<unknown>): Promise<void> {
    return db.transaction().execute(async (trx) => {
      const { erased_at } = await sessions.lock(trx, session.id);
      if (erased_at !== null) throw new AppError('not_found');
      await apply(trx);
    });
  }

  /** Has the agent of a call confirm and hang up; without one that can, the call ends. */
  const farewell: Kind = {
    run: async ({ key }) => {
      const session = await sessions.get(key, null);
      if (session.call_status !== 'ANSWERED') return null;
      const confirm = (await versionFacts.of(db, session))?.optOut?.confirm ?? '';
      const { variables, sip } = await sessions.callData(session.id);
      const text = renderVariables(confirm, { ...headerVariables(sip?.headers_in), ...variables });
      if ((await workers.command(session.room_name, { type: 'finish', text })) !== 'accepted')
        await sessions.end(session, 'ended_by_agent');
      return null;
    },
  };

  return {
    hear,
    optOut,
    disclosed,
    farewell,
    /** The first words of a call, and the refusal of further ones. */
    ofCall: async (call_id: string, within: Db = db) => ({
      disclosure: (await findDisclosure(within, call_id)) ?? null,
      opt_out: (await findOptOut(within, call_id)) ?? null,
    }),
    expire: deleteDisclosures,
    erase: async (trx: Db, call_ids: string[]): Promise<void> => {
      await deleteDisclosures(trx, call_ids);
      await deleteOptOuts(trx, call_ids);
    },
    deleteOlder: (batch: Batch) => deleteOldDisclosures(db, batch),
  };
}

/** The calls that are refused. All of the user where the agent or the purpose is not known: none may slip through. */
async function scopeOf(trx: Db, { id, agent_id }: Session, optOut: OptOut | null): Promise<Scope> {
  const scope = optOut?.scope ?? 'user';
  const scope_id = scope === 'agent' ? agent_id : scope === 'purpose' ? await purposeOf(trx, id) : null;
  return scope_id === null ? { scope: 'user', scope_id: '' } : { scope, scope_id };
}

/** The number of the other side; null if it is withheld. */
function numberOf(session: Session): string | null {
  const { from_number, to_number } = numbersOf(session);
  return session.call_direction === 'INBOUND' ? from_number : to_number;
}
