import type { Generated } from 'kysely';

export type TransferType = 'WARM' | 'COLD';

/** Calls that are moved to other phones. */
export interface TransferTables {
  transfers: {
    id: string;
    session_id: string;
    transfer_type: TransferType;
    phone_number: string;
    /** Whether no worker had taken the call, so that it went to the fallback number of its agent. */
    is_fallback: Generated<boolean>;
    /** Whether the agent talks to the target first, while the caller waits apart. */
    is_attended: Generated<boolean>;
    /** Words of the agent of an attended transfer for its target; null once that is over. */
    briefing: Generated<string | null>;
    /** The end of a connected transfer that was decided, until everybody in the room is told; `reason` says why. */
    verdict: Generated<'connect' | 'return' | null>;
    status: 'pending' | 'connected' | 'completed' | 'failed';
    reason: string | null;
    sip_status_code: number | null;
    /** The owner of the call. */
    user_id: string | null;
    /** Phones that count as calls of the user until `counted_until`; 0 once they are known to have hung up. */
    phones: Generated<number>;
    counted_until: Date | null;
    /** When the target answered, and when its line ended; null until then. */
    answered_at: Date | null;
    line_ended_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
}
