import { describeEvent } from '../../delivery/callbacks/webhooks.ts';
import type { Feature } from '../../feature.ts';
import type { Kind } from '../../work/kinds.ts';
import type { CallBacks } from './call-backs.ts';
import { SCHEDULED_CALL } from './records.ts';
import { callBackRoutes, scheduleRoutes } from './routes.ts';
import type { Schedules } from './schedules.ts';
import { ScheduledCallChanged } from './schema.ts';

/** Days for which a call back stays proposed in the database; it can be booked for minutes. */
const PROPOSED_DAYS = 1;

interface Parts {
  schedules: Schedules;
  callBacks: CallBacks;
  due: Kind;
}

/** Shares the API tag of policies. What has ended is kept for `days`, like the audit log. */
export function schedulesFeature({ schedules, callBacks, due }: Parts, days: number | undefined): Feature {
  return {
    routes: (server) => {
      scheduleRoutes(server, schedules);
      callBackRoutes(server, callBacks);
    },
    webhooks: { 'scheduled_call.changed': describeEvent('scheduled_call.changed', ScheduledCallChanged) },
    work: { [SCHEDULED_CALL]: due },
    keeps: {
      scheduled_calls: { days, deleteOlder: schedules.deleteOlder },
      call_back_proposals: { days: PROPOSED_DAYS, deleteOlder: schedules.deleteOldProposals },
    },
    erase: {
      part: (trx, { user_id }) => schedules.erasePart(trx, user_id),
    },
  };
}
