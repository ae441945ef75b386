import type { Db, TransferType } from '../../db/tables.ts';
import { createBatcher } from '../../lib/batcher.ts';
import { AppError, InvalidFields } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Agents } from '../agents/agents.ts';
import { assertCallable, type CallingPolicy } from '../dialling/destinations.ts';
import { directionOf, type Session, type Sessions } from '../sessions/sessions.ts';
import type { BeginTransfer } from './begin.ts';
import type { ColdTransfers } from './cold-transfer.ts';
import { deleteTransfersOf, findTransfersInProgress, listTransfers, type Transfer } from './store.ts';
import type { WarmTransfers } from './warm-transfer.ts';

/** A cold transfer refers a phone to the target. */
const NO_PHONE = { field: 'type', msg: 'Input should be WARM: a browser cannot be referred', type: 'value_error' };

/** As in lookups of sessions: each event of a phone call needs both. */
const LOOKUP_LIMITS = { batch_size: 500, queue_depth: 10_000, concurrency: 2 };

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
   * for one, `session_not_active`, `transfer_in_progress`, what `countTransfer` throws, or `transfer_failed` if a
   * cold transfer is refused.
   */
  async function start(
    id: string,
    input: { phone_number: string; type?: TransferType | null | undefined },
    caller: string | null,
    actor: Actor,
  ) {
    const session = await sessions.get(id, caller);
    assertCallable(input.phone_number, policy);
    if (session.call_status !== 'ANSWERED') throw new AppError('session_not_active');
    const isWeb = directionOf(session) === 'WEB';
    if (isWeb && input.type === 'COLD') throw new InvalidFields(NO_PHONE);
    const type = input.type ?? (isWeb ? 'WARM' : await typeOf(session));
    const transfer = await begin(session, input.phone_number, type, actor);
    if (transfer.transfer_type === 'COLD') await cold.refer(session, transfer);
    else warm.dial(session, transfer);
    return transfer;
  }

  async function typeOf(session: Session): Promise<TransferType> {
    const agent = session.agent_id ? await agents.get(session.agent_id, null).catch(() => null) : null;
    const settings = agent?.config.transfer;
    const type = isObject(settings) ? settings.type : undefined;
    return type === 'COLD' || type === 'WARM' ? type : defaultType;
  }

  const inProgress = createBatcher<string, Transfer | undefined>({
    limits: LOOKUP_LIMITS,
    runBatch: async (ids) => {
      const found = await findTransfersInProgress(db, ids);
      return ids.map((id) => found.get(id));
    },
  });

  return {
    start,
    complete: warm.complete,
    follow: warm.follow,
    completeWarm: warm.completeWarm,
    /** The transfer of a session that is in progress, if any. */
    inProgress,
    /** The transfers of a session, attempts included. */
    list: (session_id: string) => listTransfers(db, session_id),
    erase: deleteTransfersOf,
  };
}
