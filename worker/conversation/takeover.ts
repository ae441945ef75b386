/** People who talk in place of the agent, which neither answers nor acts while one of them is in the room. */
import { llm, voice } from '@livekit/agents';
import { type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';
import type { Api } from '../switchboard/api.ts';
import type { createFarewell } from './compliance.ts';
import { isColleague } from './participants.ts';
import { followSpeeches } from './playback.ts';
import { interrupt } from './say.ts';

/** Longer than a colleague has to come; the media server takes tokens for a minute more. */
const COMING_MS = 25_000;
/** Pause until one who has come late is looked for again. */
const RETRY_MS = 500;
/** A browser that loses its connection joins again. */
const RETURN_MS = 2_000;
const TALKED = 'A colleague of yours has talked to the caller in your place. You did not hear the colleague.';
/** Sentences about the caller's words meanwhile. */
const [HEARD, UNHEARD] = ['What the caller said meanwhile is in the conversation.', 'Nor did you hear the caller.'];
const BACK =
  'Your colleague has given the caller back to you. Say in one short sentence that you are back, and go on. Do not greet.';
const NOT_COME = 'You were interrupted by mistake. Go on where you were. Do not greet.';

interface Deps {
  session: Pick<voice.AgentSession, 'interrupt' | 'generateReply' | 'llm' | 'input' | 'on'>;
  agent: Pick<voice.Agent, 'instructions' | 'updateInstructions' | 'chatCtx' | 'updateChatCtx'> & {
    standIn: (hear: ((words: string) => void) | null) => void;
  };
  room: Pick<Room, 'on' | 'remoteParticipants'>;
  /** Last words, which are said to their end. */
  farewell: { isBegun: () => boolean };
  /** Talk to the target of a transfer, which nobody takes from the agent. */
  consultation: { isOn: () => boolean };
  /** Whether the caller is entering keys, which must not be recorded if they are sensitive. */
  isEntering: () => boolean;
  /** Silences the other sounds of the agent until the returned function is called. */
  quieten: () => () => void;
  log: Record<'info' | 'error', (about: object, text: string) => void>;
}

export type Takeover = ReturnType<typeof createTakeover>;

/** Call it once the room is joined, with the session of the agent. */
export function createTakeover(deps: Deps) {
  const { session, room, farewell, consultation, isEntering, log } = deps;
  let isPossible = false;
  let taken: ReturnType<typeof silence> | null = null;
  let waiting: NodeJS.Timeout | undefined;
  let hasCome = false;
  let afterwards: (() => void) | null = null;

  const isThere = () => [...room.remoteParticipants.values()].some(isColleague);

  function begin(): void {
    taken ??= silence(deps);
  }
  /** Silences the agent also for one who comes late, or comes back, once it has ended what must not be cut off. */
  function arrive(): void {
    if (!isThere()) return;
    if (!taken && (isEntering() || farewell.isBegun())) {
      setTimeout(arrive, RETRY_MS).unref();
      return;
    }
    begin();
    hasCome = true;
  }
  function wait(ms: number): void {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (!isThere()) giveBack();
    }, ms);
    // The call keeps the process.
    waiting.unref();
  }
  function giveBack(): void {
    if (!taken) return;
    const was = taken;
    const act = afterwards;
    const instructions = hasCome ? BACK : NOT_COME;
    log.info({ hasCome }, 'the agent is back on the call');
    taken = null;
    afterwards = null;
    was
      .end(hasCome)
      .then(() => {
        // Somebody else may have taken over meanwhile.
        if (act && taken) afterwards ??= act;
        else if (act) act();
        else if (!taken && !consultation.isOn()) session.generateReply({ instructions });
      })
      .catch((error: unknown) => log.error({ error }, 'the agent did not go on after a colleague'));
    hasCome = false;
  }

  const speeches = followSpeeches(session);
  // Results of tools, prompts for a silent caller, and all else that the agent would say meanwhile.
  session.on(voice.AgentSessionEventTypes.SpeechCreated, ({ speechHandle }) => {
    if (taken && !consultation.isOn()) speechHandle.interrupt(true);
  });
  // The reply to a function that goes on to its end belongs to a speech that began before, and may not be interrupted.
  session.on(voice.AgentSessionEventTypes.FunctionToolsExecuted, () => {
    if (taken && !consultation.isOn()) for (const speech of speeches()) speech.interrupt(true);
  });
  room.on(RoomEvent.ParticipantConnected, (participant: RemoteParticipant) => {
    if (!isColleague(participant)) return;
    clearTimeout(waiting);
    arrive();
  });
  room.on(RoomEvent.ParticipantDisconnected, (participant: RemoteParticipant) => {
    if (isColleague(participant) && !isThere()) wait(RETURN_MS);
  });
  // The agent of another process has left the call to this one meanwhile.
  arrive();

  return {
    isOn: (): boolean => taken !== null,
    /** Whether the caller waits for somebody else than the agent. */
    isAway: (): boolean => taken !== null || consultation.isOn(),
    /** Before `begin` is called the agent says what must be said first, and is not interrupted. */
    possibleFrom: (begin: () => void) => (): void => {
      isPossible = true;
      begin();
    },
    /** Silences the agent for somebody who is about to join; returns why not, if it is not possible. */
    take(): 'taken' | 'busy' | null {
      if (taken) return 'taken';
      if (!isPossible || isEntering() || consultation.isOn() || farewell.isBegun()) return 'busy';
      begin();
      wait(COMING_MS);
      return null;
    },
    /** Acts now, or in place of the agent's next words once it has the call again. */
    whenBack(act: () => void): void {
      if (taken) afterwards = act;
      else act();
    },
  };
}

/** Ways of the agent to end or change a call: a colleague who talks in its place decides about that. */
export function actsOf(takeover: () => Takeover, farewell: ReturnType<typeof createFarewell>, api: Api) {
  const transfer: Api['transfer'] = async (...to) => {
    if (takeover().isOn()) throw new Error('A colleague has taken over.');
    return api.transfer(...to);
  };
  return {
    api: { ...api, transfer },
    finish: (text: string): void => takeover().whenBack(() => farewell.finish(text)),
    hangUp: (): void => {
      if (!takeover().isOn()) farewell.hangUp();
    },
    /** Whether the agent may speak unprompted. */
    maySpeak: (): boolean => !takeover().isAway() && !farewell.isBegun(),
  };
}

/** As a caller does, so that functions that run go on to their end; words that must not be interrupted are, too. */
function cutOff(session: Deps['session']): void {
  try {
    session.interrupt();
  } catch {
    interrupt(session, { force: true });
  }
}

/** Has the agent say nothing; `end` tells it what the caller has said, if a colleague `hasTalked`. */
function silence({ session, agent, quieten, consultation }: Deps) {
  const heard: string[] = [];
  const restore = quieten();
  // A realtime model answers whatever it hears.
  const isRealtime = session.llm instanceof llm.RealtimeModel;
  if (isRealtime) session.input.setAudioEnabled(false);
  agent.standIn((words) => heard.push(words));
  if (!consultation.isOn()) cutOff(session);
  return {
    end: async (hasTalked: boolean): Promise<void> => {
      agent.standIn(null);
      restore();
      if (isRealtime) session.input.setAudioEnabled(true);
      if (heard.length > 0) {
        const context = agent.chatCtx.copy();
        for (const content of heard) context.addMessage({ role: 'user', content });
        await agent.updateChatCtx(context);
      }
      const [known, note] = [String(agent.instructions), `${TALKED} ${isRealtime ? UNHEARD : HEARD}`];
      if (hasTalked && !known.includes(note)) await agent.updateInstructions(`${known}\n\n${note}`);
    },
  };
}
