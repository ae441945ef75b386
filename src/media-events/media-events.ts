import type { Calls } from '../calls/calls.ts';
import type { Settle } from '../calls/settle.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { Logger } from '../lib/log.ts';
import type { Media, MediaEvent } from '../providers/media/media.ts';
import { parseWebhookEvent } from '../providers/media/webhook-event.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { deleteHandled, insertMediaEvent, listUnhandled, markHandled } from './store.ts';

export type MediaEvents = ReturnType<typeof createMediaEvents>;

/** Longer than acting on an event takes, so that what is older was left by a process that died. */
const UNHANDLED_AFTER_MS = 10_000;
const KEPT_MS = 24 * 60 * 60 * 1000;
const BATCH = 100;

interface Deps {
  db: Db;
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  calls: Calls;
  settle: Settle;
}

/** Takes in the media provider's events: stored first, answered, then acted on. Neither order nor delivery is relied on. */
export function createMediaEvents({ db, clock, log, media, sessions, calls, settle }: Deps) {
  const underWay = new Set<Promise<void>>();

  /** Resolves once the event is stored. Throws `invalid_signature`, or `InvalidRequest` when it is no JSON object. */
  async function receive(body: string, authorization: string | undefined): Promise<void> {
    const event = await media.readEvent(body, authorization);
    if (await insertMediaEvent(db, { id: event.id, body, received_at: clock.now() })) handleLater(event);
  }

  function handleLater(event: MediaEvent): void {
    const work = handle(event)
      .catch((err: unknown) =>
        log.error({ err, media_event: event.id }, 'acting on a media event failed; it will be tried again'),
      )
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }

  async function handle(event: MediaEvent): Promise<void> {
    await act(event);
    await markHandled(db, event.id, clock.now());
  }

  async function act({ event, room_name, participant }: MediaEvent): Promise<void> {
    if (room_name === null) return;
    const session = await sessions.getByRoom(room_name, null).catch(ignoreNotFound);
    if (!session) {
      if (event === 'participant_joined' && participant?.kind === 'SIP') await takeInbound(room_name, participant);
      return;
    }
    if (event === 'room_finished')
      return session.call_status === null ? void (await sessions.end(session, 'room_ended')) : settle(session);
    if (!participant) return;
    if (event === 'participant_left' || event === 'participant_connection_aborted') return settle(session, participant);
    if (isAnswer(event, participant, session)) await sessions.apply(session.id, { kind: 'answered', at: clock.now() });
  }

  async function takeInbound(room_name: string, { attributes }: NonNullable<MediaEvent['participant']>): Promise<void> {
    const called = attributes['sip.trunkPhoneNumber'];
    const session = called
      ? await calls.receive(room_name, { called, caller: attributes['sip.phoneNumber'] ?? null })
      : null;
    if (session) return;
    log.info({ room_name }, 'an inbound call that no agent answers is turned away');
    await media.closeRoom(room_name);
  }

  /** Acts on events that a process stored and did not live to act on, and forgets old ones. */
  async function resume(): Promise<void> {
    const now = clock.now().getTime();
    for (const { id, body } of await listUnhandled(db, new Date(now - UNHANDLED_AFTER_MS), BATCH))
      await handle({ ...parseWebhookEvent(body), id });
    await deleteHandled(db, new Date(now - KEPT_MS));
  }

  return {
    receive,
    resume,
    /** Resolves when every event taken in by this process has been acted on. */
    settled: async () => {
      await Promise.all(underWay);
    },
  };
}

/** The bridge answers an inbound call once the agent's audio is there to be heard. */
function isAnswer(event: string, participant: NonNullable<MediaEvent['participant']>, session: Session): boolean {
  return session.call_direction === 'INBOUND' && event === 'track_published' && participant.kind === 'AGENT';
}

function ignoreNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
