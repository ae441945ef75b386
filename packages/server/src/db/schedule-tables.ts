/** `PROPOSED`: an agent has named a time, and the person has not said yes to it. */
export type ScheduleStatus = 'PROPOSED' | 'SCHEDULED' | 'PLACED' | 'CANCELED' | 'EXPIRED' | 'REFUSED';

/** Calls that are to be placed later. */
export interface ScheduleTables {
  scheduled_calls: {
    id: string;
    user_id: string;
    agent_id: string;
    phone_number: string;
    status: ScheduleStatus;
    /** JSON; empty once it has ended. */
    request: string;
    callback_url: string | null;
    room_name: string;
    /** JSON; null for an instant. */
    hours: string | null;
    due_at: Date;
    /** The end of the window that `due_at` is in, and of all windows. */
    latest_at: Date;
    expires_at: Date;
    reason: string | null;
    detail: string | null;
    call_id: string | null;
    /** The conversation in which an agent has booked it. */
    booked_in: string | null;
    created_at: Date;
    updated_at: Date;
  };
}
