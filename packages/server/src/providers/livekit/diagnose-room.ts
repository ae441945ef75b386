import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ParticipantInfo_Kind } from '@livekit/protocol';
import { RoomAgentDispatch, type RoomServiceClient } from 'livekit-server-sdk';
import { type Finding, type MediaFacts, notChecked, ok, wrong } from '../diagnosis.ts';
import { livekitTrouble } from './trouble.ts';

const WAIT_S = 10;
const POLL_MS = 250;
/** Cleans up if this process dies before it deletes the room. Agents do not keep a room open. */
const EMPTY_TIMEOUT_S = 30;

/**
 * Creates a room, dispatches the agent's worker, waits for the worker and for the room's webhook, and deletes the
 * room. `takesWebhooks`: the service responds and accepts webhooks signed with our key.
 */
export async function* checkRoom(
  rooms: RoomServiceClient,
  agentName: string,
  takesWebhooks: boolean,
  facts: MediaFacts,
): AsyncGenerator<Finding> {
  const name = `doctor-${randomUUID()}`;
  try {
    const agents = [new RoomAgentDispatch({ agentName, metadata: facts.jobIn(name) })];
    await rooms.createRoom({ name, emptyTimeout: EMPTY_TIMEOUT_S, agents });
  } catch (error) {
    yield wrong('temporary room', `it cannot be made: ${livekitTrouble(error)}`);
    yield notChecked('agent worker', 'a room is needed for this');
    return;
  }
  yield ok('temporary room', `${name} is made for the next two checks, up to ${WAIT_S} s, and deleted after them`);
  const findings = await Promise.all([checkWorker(rooms, name, agentName), checkWebhook(name, takesWebhooks, facts)]);
  // Both handle their own errors. A room that cannot be deleted closes by itself.
  await rooms.deleteRoom(name).catch(() => {});
  yield* findings;
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
async function checkWebhook(name: string, takesWebhooks: boolean, { hasEvent }: MediaFacts): Promise<Finding> {
  const check = 'webhook delivery';
  if (!takesWebhooks) return notChecked(check, 'the service has to take signed webhooks for this');
  if (typeof hasEvent !== 'function')
    return notChecked(check, `what has arrived cannot be looked up: ${hasEvent.absent}`);
  try {
    const arrived = await within(() => hasEvent(name));
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
