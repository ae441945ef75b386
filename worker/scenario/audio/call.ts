/** Conversations by voice, in a room of the media server: an agent as in a call, and a caller who speaks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Room, RoomEvent } from '@livekit/rtc-node';
import type { HeldCall, HoldCall } from '@switchboard/scenarios';
import { NotHeld, type Surroundings } from '@switchboard/scenarios/agent';
import type { MakeCaller } from '@switchboard/scenarios/persona';
import type { Scenario } from '@switchboard/scenarios/schema';
import type { ConversationConfig } from '../../conversation/config.ts';
import type { ModelSettings } from '../../conversation/models.ts';
import { actionOf } from '../../conversation/voicemail.ts';
import type { Prices, Used } from '../../switchboard/prices.ts';
import { callPhone } from '../phone/dial.ts';
import { createSpokenAgent, type SpokenAgent } from './agent.ts';
import { type Caller, joinAsCaller, RINGING } from './caller.ts';
import { createLimit, type Limit } from './limit.ts';
import { play } from './play.ts';
import { type MediaServer, openRoom, type TestRoom } from './room.ts';
import { createLine, createTone } from './sound.ts';
import { stepsOf } from './steps.ts';
import { createCallerVoice } from './voice.ts';

export interface CallMeans {
  config: ConversationConfig;
  /** The section of the agent's own voice. */
  tts: unknown;
  models: ModelSettings;
  prices: Prices;
  onUsed: (used: Used) => void;
  media: MediaServer;
  /** The address at which the SIP bridge reaches phones of this worker; null if it has none. */
  phoneHost: string | null;
  /** The id of the task: its rooms have its name. */
  task_id: string;
}

/** The longest call. */
const LONGEST_MS = 600_000;
/** Milliseconds for agent and caller to find each other. */
const JOIN_MS = 20_000;
/** Milliseconds for all to leave; the media server lets go of the rest. */
const LEAVE_MS = 15_000;
/** The tone after which a machine records: 1 kHz, for 400 ms. */
const BEEP = { hz: 1_000, ms: 400 };

/** Holds the calls of a scenario, one after the other, each in a room of its own. */
export function createCalls(means: CallMeans): HoldCall {
  let runs = 0;
  return (scenario, around, make) => holdCall(means, `${means.task_id}-${++runs}`, { scenario, around, make });
}

interface Asked {
  scenario: Scenario;
  around: Surroundings;
  make: MakeCaller | null;
}

async function holdCall(means: CallMeans, id: string, asked: Asked): Promise<HeldCall> {
  const { scenario } = asked;
  const voice = createCallerVoice(scenario.caller.voice ?? means.tts, means.models, means.onUsed);
  const limit = createLimit(LONGEST_MS);
  let room: TestRoom | null = null;
  try {
    // Words that have to be made first would follow a silence.
    for (const { say, interrupt } of scenario.caller.script ?? []) {
      const words = say ?? interrupt;
      if (words !== undefined) await limit.race(voice.speak(words));
    }
    room = await openRoom(means.media, id);
    return await converse(means, room, asked, { speak: voice.speak, limit });
  } finally {
    limit.clear();
    await left([voice.close(), room?.close()]);
  }
}

interface Course {
  /** Words of the caller as sound. */
  speak: (words: string) => Promise<Int16Array>;
  limit: Limit;
}

async function converse(
  { config, models, prices, onUsed, phoneHost }: CallMeans,
  room: TestRoom,
  { scenario, around, make }: Asked,
  { speak, limit }: Course,
): Promise<HeldCall> {
  const { line = {}, tools = {}, variables = {} } = scenario;
  // The number of whoever answers was called.
  const isOutbound = actionOf(config) !== null || line.answered_by !== undefined;
  const begun = Date.now();
  const seat = new Room();
  const isPlayed = (name: string) => Object.hasOwn(tools, name);
  const agent = createSpokenAgent({
    config,
    around,
    models,
    prices,
    onUsed,
    isPlayed,
    isOutbound,
    room: seat,
    variables: { ...variables },
  });
  const party: Party = { seat, agent, joining: null };
  async function talk(): Promise<HeldCall> {
    const caller = await meet(party, { room, phoneHost }, scenario, limit);
    const isGreeted = config.greeting !== null || (config.compliance.disclosure !== null && isOutbound);
    const waits = actionOf(config) !== null;
    const beep = line.answered_by === 'voicemail' ? createTone(BEEP) : null;
    const course = { agent, caller, speak, beep, signal: limit.signal };
    const { end, missing } = await play(stepsOf(scenario.caller, make), course, isGreeted && !waits);
    // The last words are in the transcript once the session has ended.
    await agent.close();
    const facts = { turns: agent.turns, cost: agent.cost(), duration_ms: Date.now() - begun };
    return { ...facts, missing, end_reason: end, error: null };
  }
  try {
    return await limit.race(talk());
  } finally {
    await left([agent.close()]);
    await left([party.joining?.then((caller) => caller.leave()), seat.disconnect()]);
  }
}

interface Party {
  seat: Room;
  agent: SpokenAgent;
  /** The caller, who has to leave even if it joins after the end. */
  joining: Promise<Caller> | null;
}

interface Place {
  room: TestRoom;
  phoneHost: string | null;
}

/** Returns the caller, once the agent hears it. */
async function meet(party: Party, place: Place, scenario: Scenario, limit: Limit): Promise<Caller> {
  const { room } = place;
  await party.seat.connect(room.server.url, await room.token('agent', 'agent'), {
    autoSubscribe: true,
    dynacast: false,
  });
  limit.follow(party.seat);
  await party.agent.start();
  limit.signal.throwIfAborted();
  const { line = {}, mode } = scenario;
  const rings = line.ring_ms !== undefined || line.answered_by !== undefined;
  party.joining = mode === 'phone' ? byPhone(place, party.seat, scenario) : inRoom(room, scenario, rings);
  const caller = await party.joining;
  limit.followCaller(caller);
  await within(JOIN_MS, caller.heardBy);
  if (rings) await caller.ring(line.ring_ms ?? 0);
  return caller;
}

/** The bridge calls the phone of somebody whom the agent then hears. */
function byPhone({ room, phoneHost }: Place, seat: Room, { line = {}, scenario }: Scenario): Promise<Caller> {
  if (phoneHost === null) throw new NotHeld('This worker has no phones: set TEST_PHONE_HOST.');
  const identity = 'caller';
  const heardBy = new Promise<void>((resolve) => {
    seat.on(RoomEvent.TrackSubscribed, (_track, _publication, who) => who.identity === identity && resolve());
  });
  const ringMs = line.ring_ms ?? 0;
  return callPhone({ room, identity, host: phoneHost, ringMs, line: createLine(line, scenario), heardBy });
}

async function inRoom(room: TestRoom, { line = {}, scenario }: Scenario, rings: boolean): Promise<Caller> {
  const token = await room.token('caller', rings ? 'sip' : 'standard', rings ? RINGING : {});
  return joinAsCaller(room.server.url, token, createLine(line, scenario));
}

/** Waits for all to leave, but not for ever. */
async function left(leaving: (Promise<void> | undefined)[]): Promise<void> {
  await Promise.race([Promise.allSettled(leaving), sleep(LEAVE_MS, undefined, { ref: false })]);
}

async function within(ms: number, done: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new NotHeld('The agent did not hear the caller join.')), ms);
  await Promise.race([done, late.promise]).finally(() => clearTimeout(timer));
}
