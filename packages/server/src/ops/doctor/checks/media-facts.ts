import { randomUUID } from 'node:crypto';
import type { WorkerJob } from '../../../calling/outbound/call-data.ts';
import type { MediaFacts } from '../../../providers/diagnosis.ts';
import type { DoctorDatabase } from './database.ts';
import { postEvent } from './service.ts';

/** The facts for a media provider's checks; `serviceUrl` is null if the service is not ready. */
export function mediaFacts({ tables }: DoctorDatabase, serviceUrl: string | null): MediaFacts {
  return {
    postEvent: serviceUrl === null ? null : (body, authorization) => postEvent(serviceUrl, body, authorization),
    hasEvent:
      'absent' in tables
        ? tables
        : async (room_name) => {
            const query = tables.db.selectFrom('media_events').select('id').where('room_name', '=', room_name);
            return (await query.limit(1).executeTakeFirst()) !== undefined;
          },
    assignedNumbers: async () => {
      if ('absent' in tables) return tables;
      try {
        const query = tables.db.selectFrom('number_assignments').select('phone_number').where('state', '=', 'assigned');
        return (await query.execute()).map(({ phone_number }) => phone_number);
      } catch {
        return { absent: 'the database stopped answering' };
      }
    },
    jobIn: (room_name) => JSON.stringify(jobIn(room_name)),
  };
}

/** A valid job, so that a worker can read it. No session has this id. */
function jobIn(room_name: string): WorkerJob & { doctor: true } {
  return {
    version: 1,
    doctor: true,
    session_id: randomUUID(),
    agent_id: randomUUID(),
    user_id: 'doctor',
    room_name,
    agent_name: 'doctor',
    agent_version: null,
    config: {},
    direction: 'WEB',
    from_number: null,
    to_number: null,
    variables: {},
    metadata: {},
  };
}
