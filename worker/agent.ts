/**
 * One call. The worker runs this file in a separate process for each call, and keeps some processes ready in advance.
 */
import { AutoSubscribe, defineAgent, type JobContext, log, voice } from '@livekit/agents';
import { type RemoteParticipant, RoomEvent } from '@livekit/rtc-node';
import type { FailedOver } from '@switchboard/client';
import { openOutbox } from '@switchboard/client/outbox';
import { createBackground } from './conversation/background.ts';
import { createClips } from './conversation/clips.ts';
import { obeyCommands } from './conversation/commands.ts';
import { createFarewell } from './conversation/compliance.ts';
import { type ConversationConfig, readConfig } from './conversation/config.ts';
import { createConsultation, isAttended } from './conversation/consultation.ts';
import { countEntries } from './conversation/digits.ts';
import { musicOf } from './conversation/hold-music.ts';
import { leaveOutWords } from './conversation/logged-words.ts';
import { observeModelErrors } from './conversation/model-errors.ts';
import { createDetector, createModels } from './conversation/models.ts';
import { open } from './conversation/opening.ts';
import { isTarget, onActive } from './conversation/participants.ts';
import { report } from './conversation/report.ts';
import { say } from './conversation/say.ts';
import { createSession } from './conversation/session.ts';
import { watchSilence } from './conversation/silence.ts';
import { followTransit, HearingAgent } from './conversation/sounds.ts';
import { actsOf, createTakeover } from './conversation/takeover.ts';
import { counting, createTools } from './conversation/tools.ts';
import type { LineFigures } from './conversation/transit.ts';
import { reportTurns } from './conversation/turns.ts';
import { createObserver } from './observations.ts';
import { openRecording } from './recording/recording.ts';
import { readSettings } from './settings.ts';
import { createApi } from './switchboard/api.ts';
import { readCall } from './switchboard/call.ts';
import { readPrices } from './switchboard/prices.ts';
import { createSwitchboard } from './switchboard/switchboard.ts';

/** Time that Switchboard has to close the room after the agent has hung up. */
const HANG_UP_MS = 5_000;
const HAND_OVER = 'You are connected now. Goodbye.';

/** Ends this process if the worker that started it dies. */
let abandon: () => void = () => process.exit();

export default defineAgent({
  prewarm: () => {
    // The library itself notices a dead worker only after 15 s.
    process.once('disconnect', () => abandon());
  },

  // Returns once the conversation is set up. It continues in the handlers, until the room or this job ends: a job that
  // is asked to end waits for `entry`, up to 15 s.
  entry: async (ctx) => {
    abandon = () => ctx.shutdown('the worker has died');
    try {
      await converse(ctx);
    } catch (error) {
      // Leaving ends the call, which is better than leaving the caller in silence.
      log().error({ error }, 'the conversation failed');
      ctx.shutdown('failed');
    }
  },
});

async function converse(ctx: JobContext): Promise<void> {
  const settings = readSettings(process.env);
  leaveOutWords(process.stdout, settings.logLevel);
  const call = readCall(ctx.job.metadata);
  const logger = log().child({ session_id: call.session_id });
  const [outbox, prices] = [await openOutbox(settings.spoolDir), readPrices(settings.pricesFile)];
  const config = readConfig(call);
  const { redact, redactText } = await redactionOf(config);
  const [api, observe] = [createApi(settings, call), createObserver()];
  const to = { outbox, prices, redact, redactText, lost: () => observe({ type: 'report_lost' }), log: logger };
  const switchboard = createSwitchboard({ call, job_id: ctx.job.id, ...to });
  const failedOver = (one: FailedOver) => {
    logger.warn(one, 'provider.failed_over');
    observe({ type: 'failed_over', ...one });
    switchboard.failedOver(one);
  };
  const session = createSession(config, createModels(config, settings.models, failedOver));
  const detector = createDetector(config, settings.models, call.direction === 'OUTBOUND');
  const { room } = ctx;
  const recording = openRecording(config, { session, room, reports: switchboard.recording, log: logger });
  report(session, recording.watched(switchboard), detector);
  let line: () => LineFigures | null = () => null;
  // The process ends after these callbacks: transcripts and usage have to be on disk by then.
  ctx.addShutdownCallback(async () => {
    switchboard.line(line());
    await recording.stop(session.close());
    await switchboard.settled();
  });
  observeModelErrors(session, observe);
  endOnModelFailure(ctx, session, logger);

  await ctx.connect(undefined, AutoSubscribe.AUDIO_ONLY);
  let begun = false;
  // An inbound call that waited too long goes to its fallback number, also while this worker prepares.
  const isTaken = (participant: RemoteParticipant) => call.direction === 'INBOUND' && !begun && isTarget(participant);
  const leave = () => ctx.shutdown('taken by the fallback number');
  room.on(RoomEvent.ParticipantConnected, (participant) => {
    if (isTaken(participant)) leave();
  });
  if ([...room.remoteParticipants.values()].some(isTaken)) return leave();

  /**
   * Switchboard ends the session and closes the room, which ends this job. While Switchboard is down, no phone stays
   * connected because of that.
   */
  function hangUp(end = switchboard.end): void {
    end();
    const leave = () => ctx.shutdown('hung up');
    setTimeout(() => ctx.deleteRoom().then(leave, leave), HANG_UP_MS);
  }

  const clips = createClips(settings.soundsDir, logger);
  const background = createBackground({ session, room, sounds: config.sounds, open: clips, log: logger });
  const { quieten, isEntering, silenceThinking } = countEntries(background);
  const [{ mute }, { optOut }] = [recording, config.compliance];
  const farewell = createFarewell({ session, silence: () => agent.intercept(() => {}), hangUp: () => hangUp() });
  function refused(): void {
    switchboard.optedOut();
    acts.finish(optOut ?? '');
  }
  const acts = actsOf(() => takeover, farewell, api);
  const made = createTools(config.tools, {
    call,
    room,
    api: acts.api,
    hangUp: acts.hangUp,
    mute,
    silenceThinking,
    pauseOn: config.recording?.pauseOn,
    hasPhone: (call.direction === 'INBOUND' ? call.from_number : call.to_number) !== null,
    functions: settings.functions,
    redact: redact && ((speaker, text) => redact(speaker, text).text),
    ...(config.recordsTools && { ran: switchboard.tool }),
    // In a browser there is no number to suppress.
    ...(optOut && call.direction !== 'WEB' && { refused }),
  });
  const { tools, isRunning } = counting(made, config, acts.maySpeak);
  const transit = followTransit(session, room);
  line = transit.line;
  const agent = new HearingAgent({ instructions: config.instructions, tools }, transit.ms, recording.recognized);
  reportTurns(session, agent, (turn) => {
    switchboard.turn(turn);
    observe({ type: 'turn', ...turn });
  });
  // Switchboard decides who has left and whether the call has ended: it closes the room.
  await session.start({ agent, room, record: false, inputOptions: { closeOnDisconnect: false } });
  const { intercept } = agent;
  const music = () => musicOf(config.sounds.hold, clips);
  const consultation = createConsultation({ session, agent, room, api, intercept, mute, music, quieten, log: logger });
  const takeover = createTakeover({ session, agent, room, farewell, consultation, isEntering, quieten, log: logger });
  obeyCommands({ session, agent, room, log: logger, takeover, finish: acts.finish, secret: settings.livekitApiSecret });
  const watchCaller = watchSilence(session, config.silence, acts.hangUp, () => takeover.isAway() || isRunning());
  const begin = () =>
    open({
      session,
      config,
      isOutbound: call.direction === 'OUTBOUND',
      detector,
      answered: (outcome) =>
        outcome.hang_up ? hangUp(() => switchboard.outcome(outcome)) : switchboard.outcome(outcome),
      disclosed: switchboard.disclosed,
      record: () => recording.begin(intercept, () => takeover.isAway() || farewell.isBegun()),
      hangUp,
      watchCaller: takeover.possibleFrom(watchCaller),
    });
  onActive(room, (participant) => {
    logger.info({ identity: participant.identity }, 'can be talked to');
    if (isTarget(participant) && isAttended(participant))
      consultation.attend(participant, () => ctx.shutdown('transferred'));
    else if (isTarget(participant)) handOver(ctx, session, mute);
    else if (!begun) {
      begun = true;
      background.start();
      begin().catch((error: unknown) => {
        logger.error({ error }, 'the conversation failed');
        ctx.shutdown('failed');
      });
    }
  });
}

/** Replaces secrets in the lines of this call, and in what its process logs. Loaded only where it is used. */
export async function redactionOf({ privacy }: ConversationConfig) {
  if (privacy === null) return {};
  const { openRedactor, redactLines, redactOutput } = await import('./conversation/redaction.ts');
  const redactor = openRedactor(privacy);
  redactOutput(process.stdout, redactor);
  return { redact: redactLines(redactor), redactText: (text: string) => redactor.redact(text).text };
}

/** Ends the job if its models fail repeatedly, which closes the session: nobody would answer the caller anymore. */
function endOnModelFailure(ctx: JobContext, session: voice.AgentSession, logger: ReturnType<typeof log>): void {
  session.on(voice.AgentSessionEventTypes.Error, ({ error }) => logger.error({ error }, 'a model failed'));
  session.on(voice.AgentSessionEventTypes.Close, ({ reason }) => {
    if (reason === voice.CloseReason.ERROR) ctx.shutdown('failed');
  });
}

/** Only the agent leaves. Neither room nor session ends: caller and target continue to talk, and are not recorded. */
export function handOver(ctx: Pick<JobContext, 'shutdown'>, session: voice.AgentSession, mute: () => void): void {
  mute();
  const goodbye = say(session, HAND_OVER, { allowInterruptions: false });
  const leave = () => ctx.shutdown('transferred');
  goodbye.waitForPlayout().then(leave, leave);
}
