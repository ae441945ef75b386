/**
 * Attended transfers: the agent asks the target whether it takes the call, while the caller hears music. Switchboard
 * keeps the two apart; whoever reconnects may be heard for a moment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { llm, voice } from '@livekit/agents';
import { type AudioFrame, type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';
import { SwitchboardError } from '@switchboard/client';
import { isMailbox } from '@switchboard/rules/answered-by';
import { answersIn } from '../recording/consent.ts';
import type { Api } from '../switchboard/api.ts';
import { playHoldMusic } from './hold-music.ts';
import { transferOf } from './participants.ts';
import { interrupt, say } from './say.ts';
import type { Intercept } from './sounds.ts';
import { reachesMachine } from './voicemail.ts';

const ATTRIBUTE = 'switchboard.transfer';
const HELLO = 'Hello, there is a caller for you.';
const QUESTION = 'To take the call, say yes or press 1. Otherwise, say no or press 2.';
/** A realtime model answers the target by itself, and what is said to it is no answer. */
const KEYS_QUESTION = 'To take the call, press 1. Otherwise, press 2.';
const CONNECTING = 'I am connecting you now.';
const NOT_TAKEN =
  'You are talking to the caller again, who was on hold. The person you called did not take the call. Say so, and offer to help.';
const GOODBYE = 'Thank you. Goodbye.';
/** Time for an answer to the question, and how often it is asked. */
const PATIENCE_MS = 10_000;
const TIMES = 2;
/** Pause between two requests: Switchboard may be away, or may not have recorded yet that a target has answered. */
const RETRY_MS = 1_000;

/** Consent to a call that has the word no in it, and words of people who want to know first who calls. */
const WILLING =
  /\bno (?:problem|worries)\b|\bwhy not\b|\bdon't mind\b|\bkein problem\b|\bpas de (?:problème|souci)\b|\bning[uú]n problema\b/g;
const ASKING = /[?¿]|(?<!\p{L})(?:hello|hallo|all[oô]|hola|d[ií]game|who|what|wer|qui[eé]n|qué|qui|quoi)(?!\p{L})/u;

type TargetAnswer = 'accepted' | 'declined' | 'voicemail';

/** Whether the agent is to talk to a target before it is connected. */
export function isAttended({ attributes }: Pick<RemoteParticipant, 'attributes'>): boolean {
  return attributes[ATTRIBUTE] === 'attended';
}

interface Deps {
  session: voice.AgentSession;
  agent: Pick<voice.Agent, '_chatCtx'>;
  room: Room;
  api: Pick<Api, 'briefing' | 'endConsultation'>;
  intercept: Intercept;
  /** Keeps the call out of its recording until the returned function is called: the target has not consented. */
  mute: () => () => void;
  /** Music for the caller meanwhile. */
  music: () => AsyncIterable<AudioFrame>;
  /** Silences the other sounds of the agent until the returned function is called. */
  quieten: () => () => void;
  log: Record<'info' | 'error', (about: object, text: string) => void>;
}

/** Consultations of a conversation, one after the other. */
export function createConsultation(deps: Deps) {
  let isOn = false;
  const ownWords = new Set<string>();
  keepOut(ownWords, deps);
  return {
    isOn: (): boolean => isOn,
    /** Asks a target; if it does not take the call, the agent goes on with the caller. */
    attend: (target: RemoteParticipant, leave: () => void): void => {
      isOn = true;
      consult(deps, target, ownWords)
        .finally(() => {
          isOn = false;
        })
        .then(
          (outcome) => {
            if (outcome === 'connected') leave();
            else deps.session.generateReply({ instructions: NOT_TAKEN });
          },
          (error: unknown) => deps.log.error({ error }, 'a consultation failed'),
        );
    },
  };
}

/** Listens to what a target says or presses until it has left. */
function listenTo(target: RemoteParticipant, { room, intercept }: Pick<Deps, 'room' | 'intercept'>) {
  const left = Promise.withResolvers<'left'>();
  const pressed = Promise.withResolvers<TargetAnswer>();
  const heard = Promise.withResolvers<TargetAnswer>();
  let isAsked = false;
  const onKey = (_code: number, key: string, from: { identity: string }) => {
    if (from.identity === target.identity && '12'.includes(key)) pressed.resolve(key === '1' ? 'accepted' : 'declined');
  };
  const onLeft = ({ identity }: { identity: string }) => {
    if (identity === target.identity) left.resolve('left');
  };
  room.on(RoomEvent.DtmfReceived, onKey);
  room.on(RoomEvent.ParticipantDisconnected, onLeft);
  const release = intercept((words) => {
    const answer = answerIn(words);
    // A yes before the question answers another one, or is a greeting.
    if (answer && (isAsked || answer === 'voicemail')) heard.resolve(answer);
  });
  return {
    left: left.promise,
    pressed: pressed.promise,
    heard: heard.promise,
    /** From now on, what is said may be an answer: many people answer before a question has ended. */
    asked: (): void => {
      isAsked = true;
    },
    stop: (): void => {
      room.off(RoomEvent.DtmfReceived, onKey);
      room.off(RoomEvent.ParticipantDisconnected, onLeft);
      release();
    },
  };
}

type Words = ReturnType<typeof talkTo>;

/** Talks to a target in place of the caller; adds to `ownWords` what it says. */
function talkTo(session: Deps['session'], ownWords: Set<string>) {
  function speak(...what: [text: string, options?: { allowInterruptions: boolean }]): Promise<void> {
    ownWords.add(what[0]);
    return say(session, ...what).waitForPlayout();
  }
  return {
    /** Says nothing once `done` has fired. */
    sayUnlessDone: async (text: string, done: AbortSignal): Promise<void> => {
      if (!done.aborted) await speak(text);
    },
    sayFinal: (text: string): Promise<void> => {
      interrupt(session);
      return speak(text, { allowInterruptions: false });
    },
  };
}

/**
 * Takes words out of the context of a model, which would think that it has said them, and goodbye, to the caller. They
 * come there once they have been played; those that are interrupted, at any time later.
 */
function keepOut(ownWords: ReadonlySet<string>, { session, agent }: Pick<Deps, 'session' | 'agent'>): void {
  // The context of a realtime model is with its provider.
  if (session.llm instanceof llm.RealtimeModel) return;
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type !== 'message' || item.role !== 'assistant') return;
    const { textContent = '', interrupted } = item;
    if (![...ownWords].some((text) => text === textContent || (interrupted && text.startsWith(textContent)))) return;
    const context = agent._chatCtx;
    context.items = context.items.filter(({ id }) => id !== item.id);
  });
}

/** The meaning of a target's answer; undefined if it is neither yes nor no, or both, or asks something. */
export function answerIn(text: string): TargetAnswer | undefined {
  // Some recordings begin only after they were talked to.
  if (isMailbox(text)) return 'voicemail';
  const words = text.toLowerCase().replaceAll('\u2019', "'");
  if (ASKING.test(words)) return undefined;
  const { yes, no } = answersIn(words.replace(WILLING, 'yes'));
  return yes === no ? undefined : yes ? 'accepted' : 'declined';
}

/** Resolves once the target has taken the call, which is `connected`, or has left: the caller has the agent again. */
export async function consult(
  deps: Deps,
  target: RemoteParticipant,
  ownWords = new Set<string>(),
): Promise<'connected' | 'left'> {
  const { session, room, mute, log } = deps;
  const caller = session._roomIO?.linkedParticipant?.identity ?? null;
  const unmute = mute();
  const restore = deps.quieten();
  const [over, asking] = [new AbortController(), new AbortController()];
  const listening = listenTo(target, deps);
  const words = talkTo(session, ownWords);
  const music = playHoldMusic(room, deps.music());
  interrupt(session);
  session._roomIO?.setParticipant(target.identity);
  listening.left.then(() => over.abort());
  const briefing = untilRecorded(deps, target, over.signal);
  // A failure is that of whoever waits for it.
  briefing.catch(() => {});
  const machine = reachesMachine(session, asking.signal);
  let isConnected = false;
  try {
    const asked = ask({ session, machine, ...words }, briefing, listening, asking.signal);
    const answer = await Promise.race([listening.left, listening.pressed, listening.heard, asked]);
    // Whatever it would say next, the caller might hear; and while it finds out who has answered, it says nothing.
    asking.abort();
    await machine;
    log.info({ identity: target.identity, answer }, 'consulted');
    if (answer === 'left') return 'left';
    const ended = finish({ ...deps, ...words }, answer, briefing, over.signal);
    const outcome = await Promise.race([listening.left, ended]);
    isConnected = outcome === 'connected';
    return isConnected ? 'connected' : await listening.left;
  } finally {
    asking.abort();
    over.abort();
    listening.stop();
    interrupt(session, { force: true });
    await music.then(
      (stop) => stop(),
      (error: unknown) => log.error({ error }, 'music on hold failed'),
    );
    // Caller and target who are connected talk already: they are not recorded until the agent has left.
    if (!isConnected) {
      if (caller) session._roomIO?.setParticipant(caller);
      unmute();
    }
    restore();
  }
}

/** The briefing, once Switchboard has recorded the answer: until then it may not keep caller and target apart. */
function untilRecorded({ api }: Deps, target: RemoteParticipant, over: AbortSignal): Promise<string | null> {
  return persist(async () => {
    const briefing = await api.briefing(transferOf(target));
    if (briefing === undefined) throw new Error('not recorded yet');
    return briefing;
  }, over);
}

/** Tells the target, and then Switchboard, what was decided. Undefined if something else has ended the consultation. */
async function finish(
  { api, sayFinal }: Deps & Pick<Words, 'sayFinal'>,
  answer: TargetAnswer,
  briefing: Promise<unknown>,
  over: AbortSignal,
): Promise<'connected' | undefined> {
  if (answer !== 'voicemail') await sayFinal(answer === 'accepted' ? CONNECTING : GOODBYE);
  await briefing;
  try {
    await persist(() => api.endConsultation(answer === 'accepted' ? null : answer), over);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
  return answer === 'accepted' ? 'connected' : undefined;
}

/** Tells the target about the caller, and asks, until `done` has fired. A machine is told nothing. */
async function ask(
  {
    session,
    machine,
    sayUnlessDone,
  }: Pick<Deps, 'session'> & { machine: Promise<boolean> } & Pick<Words, 'sayUnlessDone'>,
  briefing: Promise<string | null>,
  listening: Pick<ReturnType<typeof listenTo>, 'asked'>,
  done: AbortSignal,
): Promise<TargetAnswer> {
  if (await machine) return 'voicemail';
  const aboutCaller = await briefing;
  await sayUnlessDone([HELLO, aboutCaller].filter(Boolean).join(' '), done);
  const isRealtime = session.llm instanceof llm.RealtimeModel;
  if (!isRealtime) listening.asked();
  for (let time = 0; time < TIMES && !done.aborted; time++) {
    await sayUnlessDone(isRealtime ? KEYS_QUESTION : QUESTION, done);
    await pause(PATIENCE_MS, done);
  }
  return 'declined';
}

/** Repeats a request until it succeeds, is refused, or the consultation is over. */
async function persist<T>(request: () => Promise<T>, over: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (isRefusal(error)) throw error;
      await pause(RETRY_MS, over);
      // Nobody waits for the outcome any more.
      if (over.aborted) return new Promise<never>(() => {});
    }
  }
}

/** Whether Switchboard says that there is nothing to end any more: a repetition would hear the same. */
function isRefusal(error: unknown): boolean {
  return error instanceof SwitchboardError && (error.status === 404 || error.status === 409);
}

/** Ends at once when `signal` fires. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {});
}
