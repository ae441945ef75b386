/**
 * One call. The worker runs this file in a process of its own for each, and keeps some ready before there is a call.
 */
import { AutoSubscribe, defineAgent, log } from '@livekit/agents';
import { RoomEvent } from '@livekit/rtc-node';
import { readSettings } from './settings.ts';
import { readCall } from './switchboard/call.ts';
import { openSpool } from './switchboard/spool.ts';
import { createSwitchboard } from './switchboard/switchboard.ts';
import { createConversation } from './talk/conversation.ts';
import { listen } from './talk/models.ts';
import { isTarget, onActive } from './talk/participants.ts';
import { publishVoice } from './talk/voice.ts';

/** How long Switchboard has to close the room after the agent has hung up. */
const HANG_UP_MS = 5_000;

/** Ends this process when the worker that started it has died. */
let abandon: () => void = () => process.exit();

export default defineAgent({
  prewarm: () => {
    // Load models here: it is done before there is a call. The library itself notices a dead worker only after 15 s.
    process.once('disconnect', () => abandon());
  },

  // Returns once the conversation is set up. It goes on in the handlers, until the room or this job ends: a job that is
  // asked to end waits for `entry`, up to 15 s.
  entry: async (ctx) => {
    const call = readCall(ctx.job.metadata);
    const logger = log().child({ session_id: call.session_id });
    const spool = await openSpool(readSettings(process.env).spoolDir);
    const switchboard = createSwitchboard({ call, spool, job_id: ctx.job.id, log: logger });
    // The process ends after these: what was told has to be on the disk by then.
    ctx.addShutdownCallback(switchboard.settled);
    abandon = () => ctx.shutdown('the worker has died');
    // The library does not see errors of handlers. Leaving ends the call: better than a caller in silence.
    const failed = (error: unknown) => {
      logger.error({ error }, 'the conversation failed');
      ctx.shutdown('failed');
    };

    const { room } = ctx;
    const gone = new Promise<null>((resolve) => room.once(RoomEvent.Disconnected, () => resolve(null)));
    await ctx.connect(undefined, AutoSubscribe.AUDIO_ONLY);
    const publishing = publishVoice(room);
    // A caller who hangs up now closes the room, and the publishing would wait for an answer until it times out.
    publishing.catch(() => {});
    const voice = await Promise.race([publishing, gone]);
    if (!voice) return;

    /**
     * Switchboard ends the session and closes the room, which ends this job. While it is down, no phone stays connected
     * for it.
     */
    const hangUp = () => {
      switchboard.end();
      setTimeout(() => ctx.deleteRoom().finally(() => ctx.shutdown('hung up')), HANG_UP_MS);
    };
    /** Only this participant goes. The room is not deleted and the session not ended: caller and target talk on. */
    const dropOut = () => ctx.shutdown('transferred');

    const conversation = createConversation({ call, voice, switchboard, hangUp, failed });
    listen(room, conversation.heard);
    onActive(room, (participant) => {
      logger.info({ identity: participant.identity }, 'can be talked to');
      if (isTarget(participant)) conversation.handOver(dropOut);
      else conversation.greet();
    });
  },
});
