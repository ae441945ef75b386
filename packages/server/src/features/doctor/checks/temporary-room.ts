import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ParticipantInfo_Kind } from '@livekit/protocol';
import { RoomAgentDispatch, RoomServiceClient } from 'livekit-server-sdk';
import type { WorkerJob } from '../../dialling/worker-job.ts';
import type { DoctorDatabase } from './database.ts';
import type { DoctorSettings } from './doctor-settings.ts';
import { type Finding, notChecked, ok, wrong } from './findings.ts';
import { livekitTrouble } from './trouble.ts';

const WAIT_S = 10;
const POLL_MS = 250;
/** Cleans up if this process dies before it deletes the room. Agents do not keep a room open. */
const EMPTY_TIMEOUT_S = 30;

interface Circumstances {
  database: DoctorDatabase;
  /** Whether the service responds and accepts webhooks signed with our key. */
  takesWebhooks: boolean;
}

/**
 * Creates a room, dispatches the agent's worker, waits for the worker and for the room's webhook, and deletes the
 * room.
 */
export async function* checkRoom(settings: DoctorSettings, circumstances: Circumstances): AsyncGenerator<Finding> {
  const {
    LIVEKIT_URL: url,
    LIVEKIT_API_KEY: key,
    LIVEKIT_API_SECRET: secret,
    LIVEKIT_AGENT_NAME: agentName,
  } = settings;
  if (!url || !key || !secret || !agentName) return;
  const rooms = new RoomServiceClient(url, key, secret, { requestTimeout: WAIT_S });
  const name = `doctor-${randomUUID()}`;
  try {
    const agents = [new RoomAgentDispatch({ agentName, metadata: jobMetadata(name) })];
    await rooms.createRoom({ name, emptyTimeout: EMPTY_TIMEOUT_S, agents });
  } catch (error) {
    yield wrong('temporary room', `it cannot be made: ${livekitTrouble(error)}`);
    yield notChecked('agent worker', 'a room is needed for this');
    return;
  }
  yield ok('temporary room', `${name} is made for the next two checks, up to ${WAIT_S} s, and deleted after them`);
  const findings = await Promise.all([checkWorker(rooms, name, agentName), checkWebhook(name, circumstances)]);
  // Both handle their own errors. A room that cannot be deleted closes by itself.
  await rooms.deleteRoom(name).catch(() => {});
  yield* findings;
}

/** A valid job, so that a worker can read it. No session has this id. */
function jobMetadata(room_name: string): string {
  const job: WorkerJob & { doctor: true } = {
    version: 1,
    doctor: true,
    session_id: randomUUID(),
    agent_id: randomUUID(),
    user_id: 'doctor',
    room_name,
    agent_name: 'doctor',
    config: {},
    direction: 'WEB',
    from_number: null,
    to_number: null,
    variables: {},
    metadata: {},
  };
  return JSON.stringify(job);
}

async function checkWorker(rooms: RoomServiceClient, name: string, agentName: string): Promise<Finding> {
  const check = 'agent worker';
  const begun = performance.now();
  try {
    const came = await within(async () =>
      (await rooms.listParticipants(name)).some(({ kind }) => kind === ParticipantInfo_Kind.AGENT),
    );
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    if (came) return ok(check, `"${agentName}" came into the temporary room after ${seconds} s`);
  } catch (error) {
    return wrong(check, `the temporary room cannot be looked into: ${livekitTrouble(error)}`);
  }
  return wrong(
    check,
    `"${agentName}" did not come into the temporary room within ${WAIT_S} s. Start the worker, see that it registers under LIVEKIT_AGENT_NAME at the same server, and that it is not busy: above its load limit a worker is given no calls, without an error.`,
  );
}

/** Whether the media server's own webhook about the room has reached the service, and so its database. */
async function checkWebhook(name: string, { takesWebhooks, database: { tables } }: Circumstances): Promise<Finding> {
  const check = 'webhook delivery';
  if (!takesWebhooks) return notChecked(check, 'the service has to take signed webhooks for this');
  if ('absent' in tables) return notChecked(check, `what has arrived cannot be looked up: ${tables.absent}`);
  const { db } = tables;
  try {
    const arrived = await within(async () => {
      const event = await db
        .selectFrom('media_events')
        .select('id')
        .where('room_name', '=', name)
        .limit(1)
        .executeTakeFirst();
      return event !== undefined;
    });
    if (arrived) return ok(check, "the media server's webhook about the temporary room has arrived");
  } catch {
    return wrong(check, 'the database stopped answering while the webhook was waited for. Run this again.');
  }
  return wrong(
    check,
    `no webhook about the temporary room came within ${WAIT_S} s. Have the media server post to /api/media/webhook of the service, at an address that it can reach, signed with LIVEKIT_API_KEY; and see that the service uses this DATABASE_URL.`,
  );
}

async function within(happened: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + WAIT_S * 1000;
  for (;;) {
    if (await happened()) return true;
    if (performance.now() >= deadline) return false;
    await pause(POLL_MS);
  }
}
