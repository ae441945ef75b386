import type { Static } from 'typebox';
import type { Agents } from '../../conversations/agents/agents.ts';
import { directionOf, numbersOf, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db, TransferType } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { isObject } from '../../lib/json.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import type { Actor } from '../../lib/principal.ts';
import { assertCallable, type CallingPolicy } from '../outbound/destinations.ts';
import type { BeginTransfer } from './begin.ts';
import type { ColdTransfers } from './cold-transfer.ts';
import type { TransferRequest } from './schema.ts';
import { deleteTransfersOf, listTransfers } from './store.ts';
import type { WarmTransfers } from './warm-transfer.ts';

/** A cold transfer refers a phone to the target. */
const NO_PHONE = { field: 'type', msg: 'Input should be WARM: a browser cannot be referred', type: 'value_error' };

/** Only a target that is dialled into the room can be talked to first. */
const NOT_ATTENDED = {
  field: 'attended',
  msg: 'Input should be false for a COLD transfer: the agent cannot talk to its target',
  type: 'value_error',
};
const NO_BRIEFING = {
  field: 'briefing',
  msg: 'Input should be absent unless `attended` is true: nobody would say it',
  type: 'value_error',
};

/** Dialing it would only call the waiting phone on, or end in its own busy tone. */
const OWN_NUMBER = {
  field: 'phone_number',
  msg: 'Input should be another number than the one in the call: that phone is already connected',
  type: 'value_error',
};

export type Transfers = ReturnType<typeof createTransfers>;

interface Deps {
  db: Db;
  agents: Agents;
  sessions: Sessions;
  policy: CallingPolicy;
  defaultType: TransferType;
  begin: BeginTransfer;
  cold: ColdTransfers;
  warm: WarmTransfers;
}

/** Moves an answered call to another phone: cold by SIP REFER, warm by dialing the target into the same room. */
export function createTransfers({ db, agents, sessions, policy, defaultType, begin, cold, warm }: Deps) {
  /**
   * A call in a browser is transferred warm, whatever the settings say. Throws `InvalidFields` if COLD is requested
   * for one, `session_not_active`, `transfer_failed` if a cold transfer is refused, or what `begin` throws.
   */
  async function start(id: string, input: Static<typeof TransferRequest>, caller: string | null, actor: Actor) {
    const session = await sessions.get(id, caller);
    assertCallable(input.phone_number, policy);
    if (session.call_status !== 'ANSWERED') throw new AppError('session_not_active');
    const { from_number, to_number } = numbersOf(session);
    const other = session.call_direction === 'INBOUND' ? from_number : to_number;
    if (other !== null && canonicalNumber(input.phone_number) === canonicalNumber(other))
      throw new InvalidFields({ ...OWN_NUMBER, input: input.phone_number });
    const isWeb = directionOf(session) === 'WEB';
    const asked = input.type?.toUpperCase() as TransferType | undefined;
    if (isWeb && asked === 'COLD') throw new InvalidFields(NO_PHONE);
    const consultation = consultationOf(session, input, asked);
    const type = asked ?? (isWeb || consultation ? 'WARM' : await typeOf(session));
    const transfer = await begin(
      session,
      { phone_number: input.phone_number, transfer_type: type, ...consultation },
      actor,
    );
    if (transfer.transfer_type === 'COLD') await cold.refer(session, transfer);
    else warm.dial(session, transfer);
    return transfer;
  }

  async function typeOf(session: Session): Promise<TransferType> {
    const settings = (await agents.ofSession(session))?.config.transfer;
    const type = isObject(settings) ? settings.type : undefined;
    return type === 'COLD' || type === 'WARM' ? type : defaultType;
  }

  return {
    start,
    complete: warm.complete,
    giveBack: warm.giveBack,
    /** The transfers of a session, attempts included. */
    list: async (session_id: string) => {
      const all = await listTransfers(db, session_id);
      return all.map((one) => ({ ...one, fallback: one.is_fallback, attended: one.is_attended }));
    },
    erase: deleteTransfersOf,
  };
}

/**
 * How the target of an attended transfer is consulted; null for any other transfer. Throws `InvalidFields`, and
 * `agent_absent` if the agent has left the call to the target of an earlier one.
 */
function consultationOf(
  { transferred_to }: Session,
  { attended = false, briefing }: Static<typeof TransferRequest>,
  type: TransferType | undefined,
) {
  if (attended && type === 'COLD') throw new InvalidFields({ ...NOT_ATTENDED, input: attended });
  if (!attended && briefing !== undefined) throw new InvalidFields({ ...NO_BRIEFING, input: briefing });
  if (!attended) return null;
  if (transferred_to !== null) throw new AppError('agent_absent');
  return { is_attended: true, briefing: briefing ?? null };
}
