/** Conversations by voice, in a room of the media server: an agent as in a call, and a caller who speaks. */
import { Room } from '@livekit/rtc-node';
import type { HeldCall, HoldCall } from '@switchboard/scenarios';
import { NotHeld, type Surroundings } from '@switchboard/scenarios/agent';
import type { MakeCaller } from '@switchboard/scenarios/persona';
import type { Scenario } from '@switchboard/scenarios/schema';
import type { ConversationConfig } from '../../conversation/config.ts';
import type { ModelSettings } from '../../conversation/models.ts';
import type { Prices, Used } from '../../switchboard/prices.ts';
import { createSpokenAgent } from './agent.ts';
import { joinAsCaller, RINGING } from './caller.ts';
import { play } from './play.ts';
import { type MediaServer, openRoom, type TestRoom } from './room.ts';
import { createNoise, createTone } from './sound.ts';
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
  /** The id of the task: its rooms have its name. */
  task_id: string;
}

/** The longest call. */
const LONGEST_MS = 600_000;
/** Milliseconds for agent and caller to find each other. */
const JOIN_MS = 20_000;
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
  let room: TestRoom | null = null;
  try {
    // Words that have to be made first would follow a silence.
    for (const { say, interrupt } of scenario.caller.script ?? []) {
      const words = say ?? interrupt;
      if (words !== undefined) await voice.speak(words);
    }
    room = await openRoom(means.media, id);
    return await converse(means, room, asked, voice.speak);
  } finally {
    await Promise.all([voice.close(), room?.close()]);
  }
}

async function converse(
  { config, models, prices, onUsed }: CallMeans,
  room: TestRoom,
  { scenario, around, make }: Asked,
  speak: (words: string) => Promise<Int16Array>,
): Promise<HeldCall> {
  const { line = {}, tools = {}, variables = {} } = scenario;
  // The number of whoever answers was called.
  const isOutbound = config.voicemail !== null || line.answered_by !== undefined;
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
  let caller: Awaited<ReturnType<typeof joinAsCaller>> | null = null;
  try {
    await seat.connect(room.url, await room.token('agent', 'agent'), { autoSubscribe: true, dynacast: false });
    await agent.start();
    const isPhone = line.ring_ms !== undefined || line.answered_by !== undefined;
    const token = await room.token('caller', isPhone ? 'sip' : 'standard', isPhone ? RINGING : {});
    caller = await joinAsCaller(room.url, token, createNoise(line.noise, scenario.scenario));
    await within(JOIN_MS, caller.heardBy);
    if (isPhone) await caller.ring(line.ring_ms ?? 0);
    const isGreeted = config.greeting !== null || (config.compliance.disclosure !== null && isOutbound);
    const waits = config.voicemail !== null && config.realtime === null;
    const beep = line.answered_by === 'voicemail' ? createTone(BEEP) : null;
    const talk = { agent, caller, speak, beep, signal: AbortSignal.timeout(LONGEST_MS) };
    const { end, missing } = await play(stepsOf(scenario.caller, make), talk, isGreeted && !waits).catch(tooLong);
    // The last words are in the transcript once the session has ended.
    await agent.close();
    const facts = { turns: agent.turns, cost: agent.cost(), duration_ms: Date.now() - begun };
    return { ...facts, missing, end_reason: end, error: null };
  } finally {
    await agent.close();
    await Promise.all([caller?.leave(), seat.disconnect()].map((one) => one?.catch(() => {})));
  }
}

function tooLong(error: unknown): never {
  const { name } = error as Error;
  if (name !== 'AbortError') throw error;
  throw new NotHeld(`The conversation took longer than ${LONGEST_MS / 60_000} minutes.`);
}

async function within(ms: number, done: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new NotHeld('The agent did not hear the caller join.')), ms);
  await Promise.race([done, late.promise]).finally(() => clearTimeout(timer));
}
