/** The agent of a scenario in a room: it listens, thinks and speaks as in a call. Stand-ins play its tools. */
import { setTimeout as sleep } from 'node:timers/promises';
import { llm, voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import { asksToStop } from '@switchboard/rules/opt-out';
import { endOf, OPT_OUT_TOOL, type Spoken, type Surroundings, type ToolCall } from '@switchboard/scenarios/agent';
import { type Seen, watchResponse } from '../../chat/writing-agent.ts';
import { afterSpeech, type InSpeech } from '../../conversation/after-speech.ts';
import { createFarewell } from '../../conversation/compliance.ts';
import type { ConversationConfig } from '../../conversation/config.ts';
import { createDetector, createModels, type ModelSettings } from '../../conversation/models.ts';
import { open } from '../../conversation/opening.ts';
import { onActive } from '../../conversation/participants.ts';
import { report } from '../../conversation/report.ts';
import { createSession } from '../../conversation/session.ts';
import { watchSilence } from '../../conversation/silence.ts';
import { followTransit, HearingAgent, type Transit } from '../../conversation/sounds.ts';
import type { Prices, Used } from '../../switchboard/prices.ts';
import { createWatch } from '../agent.ts';
import { NotAnswered } from '../not-answered.ts';
import { createStandIns } from '../stand-ins.ts';
import { createCosts } from '../usage.ts';
import { createRefusal } from './refusal.ts';
import { createTurns } from './turns.ts';

interface Deps {
  config: ConversationConfig;
  around: Surroundings;
  models: ModelSettings;
  prices: Prices;
  onUsed: (used: Used) => void;
  room: Room;
  /** Values for the texts of functions. */
  variables: Record<string, unknown>;
  /** Whether the scenario plays a tool. */
  isPlayed: (tool: string) => boolean;
  /** The agent has called: it tells what must be said first. */
  isOutbound: boolean;
}

export type SpokenAgent = ReturnType<typeof createSpokenAgent>;

/** Throws if the configuration names a model or a tool that cannot be made. */
export function createSpokenAgent({ config, around, models, prices, onUsed, room, ...deps }: Deps) {
  const session = createSession(config, createModels(config, { ...models, clock: around }));
  const detector = createDetector(config, models, deps.isOutbound);
  const begun = Date.now();
  const model = session.llm instanceof llm.LLM ? session.llm : null;
  const nameOf = () => `${model?.provider}/${model?.model}`;
  const turns = createTurns(() => Date.now() - begun, model && createWatch(model), nameOf);
  const costs = createCosts(prices);
  report(
    session,
    {
      transcript: (speaker, text) => speaker !== 'SYSTEM' && turns.transcript(speaker, text),
      usage: (used) => {
        costs.add(used);
        onUsed(used);
      },
    },
    detector,
  );
  let failure: unknown;
  session.on(voice.AgentSessionEventTypes.Error, ({ error }) => {
    const { error: cause, recoverable } = error as { error?: unknown; recoverable?: boolean };
    if (recoverable !== true) failure ??= cause ?? error;
  });
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message' && item.role === 'assistant' && item.interrupted) turns.cutOff();
  });

  let ends: Spoken['ends'] = null;
  /** Tools that play, and those that wait for keys. */
  const running = { played: 0, collecting: 0 };
  const isRunning = () => running.played + running.collecting > 0;
  session.on(voice.AgentSessionEventTypes.AgentStateChanged, ({ newState }) => {
    if (newState === 'speaking') turns.speaks();
    if (newState === 'listening' && !isRunning()) turns.listens();
  });
  const { optOut } = config.compliance;
  const state = { isRunning, maySpeak: () => ends === null };
  async function play(name: string, args: Record<string, unknown>, timeoutMs: number | undefined, options: InSpeech) {
    if (optOut !== null && name === OPT_OUT_TOOL) return refused('model');
    running.played += 1;
    try {
      const call: ToolCall = { name, arguments: args, ...around.callTool(name, args, timeoutMs) };
      // As in a call, which ends after the last word, unless the caller interrupts.
      if (endOf(call) !== null) await afterSpeech(options);
      await sleep(call.ms);
      turns.called(call);
      ends ??= endOf(call);
      return { ...call, endsCall: endOf(call) !== null };
    } finally {
      running.played -= 1;
    }
  }
  async function collects(name: string, collect: () => Promise<unknown>): Promise<unknown> {
    running.collecting += 1;
    const since = Date.now();
    const note = (text: string, isError: boolean) =>
      turns.called({ name, arguments: {}, text, isError, ms: Date.now() - since });
    try {
      const result = await collect();
      note(String(result), false);
      return result;
    } catch (error) {
      note(error instanceof Error ? error.message : String(error), true);
      throw error;
    } finally {
      running.collecting -= 1;
    }
  }
  const tools = createStandIns(config, play, { room, collects, state, ...deps });
  const agent = new SeenAgent(
    { instructions: config.instructions, tools },
    followTransit(session, room).ms,
    turns.seen,
    optOut === null ? null : () => refused('service'),
  );
  const hangUp = () => {
    ends ??= 'agent_hung_up';
  };
  const farewell = createFarewell({ session, silence: () => agent.intercept(() => {}), hangUp });
  const refused = createRefusal({ around, called: turns.called, farewell, confirm: optOut ?? '' });
  const watchCaller = watchSilence(session, config.silence, farewell.hangUp, isRunning);
  const begin = () =>
    open({
      session,
      config,
      isOutbound: deps.isOutbound,
      detector,
      answered: (outcome) => outcome.hang_up && hangUp(),
      disclosed: () => {},
      record: () => Promise.resolve(true),
      hangUp,
      watchCaller,
    }).catch((error: unknown) => {
      failure ??= error;
    });
  // Before the caller can be talked to, nobody speaks.
  onActive(room, () => void begin());

  const isThinking = () => session.agentState === 'thinking' && running.collecting === 0;
  return {
    ...turns,
    start: () => session.start({ agent, room, record: false, inputOptions: { closeOnDisconnect: false } }),
    /** How the agent has ended the call; null while it has not. Throws if a model does not answer. */
    ends: (): Spoken['ends'] => {
      if (failure !== undefined) throw new NotAnswered(failure);
      return ends;
    },
    isSpeaking: (): boolean => session.agentState === 'speaking',
    isBusy: (): boolean =>
      session.agentState === 'speaking' || isThinking() || running.played > 0 || farewell.isBegun(),
    /** Whether it has noticed that the caller speaks, whatever was said. */
    noticed: createNoticed(session),
    /** Whether it waits for the caller to press keys. */
    collects: (): boolean => running.collecting > 0,
    cost: costs.total,
    close: (): Promise<void> => session.close().catch(() => {}),
  };
}

/** Returns whether somebody has been speaking since then; who begins in noise was already taken to be speaking. */
export function createNoticed(session: Pick<voice.AgentSession, 'on' | 'userState'>): (since: number) => boolean {
  let spokeAt = Number.NEGATIVE_INFINITY;
  session.on(voice.AgentSessionEventTypes.UserStateChanged, ({ newState }) => {
    if (newState === 'speaking') spokeAt = Date.now();
  });
  return (since) => session.userState === 'speaking' || spokeAt >= since;
}

/** An agent in a room whose model is seen at work, and which takes refusals as the service would find them. */
class SeenAgent extends HearingAgent {
  readonly #seen: Seen;
  readonly #refused: (() => void) | null;

  constructor(
    options: ConstructorParameters<typeof voice.Agent>[0],
    transit: Transit,
    seen: Seen,
    refused: (() => void) | null,
  ) {
    super(options, transit);
    this.#seen = seen;
    this.#refused = refused;
  }

  override async onUserTurnCompleted(context: llm.ChatContext, said: llm.ChatMessage): Promise<void> {
    const refused = this.#refused;
    if (refused && asksToStop(said.textContent ?? '')) this.intercept(refused);
    return super.onUserTurnCompleted(context, said);
  }

  override async llmNode(chatCtx: llm.ChatContext, toolCtx: llm.ToolContext, settings: voice.ModelSettings) {
    return watchResponse(this.#seen, settings, () => super.llmNode(chatCtx, toolCtx, settings));
  }
}
