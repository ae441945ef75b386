/**
 * The agent of a scenario, answered by its language model: one session of the library for the whole conversation, as in
 * a call, but without a room. Stand-ins play its tools.
 */
import { llm, type metrics, voice } from '@livekit/agents';
import { type Decision, endOf, type Spoken, type Surroundings, type TestedAgent } from '@switchboard/scenarios/agent';
import type { Ask } from '@switchboard/scenarios/ask';
import { answeredBy, createCallFlow } from '@switchboard/scenarios/call-flow';
import { NotRecorded, type Tape } from '@switchboard/scenarios/tape';
import { stored, WritingAgent } from '../chat/writing-agent.ts';
import type { ConversationConfig } from '../conversation/config.ts';
import type { ModelSettings } from '../conversation/models.ts';
import { usedBy } from '../conversation/report.ts';
import { createWritingSession } from '../conversation/session.ts';
import type { Prices, Used } from '../switchboard/prices.ts';
import { predictionOf } from './answered-by.ts';
import { NotAnswered } from './not-answered.ts';
import { createStandIns, entriesOf } from './stand-ins.ts';
import { createTapedModel, TapedLlm } from './taped-llm.ts';
import { createCosts } from './usage.ts';

interface Deps {
  config: ConversationConfig;
  around: Surroundings;
  models: ModelSettings;
  prices: Prices;
  /** The recorder, or the recording; null for a conversation that asks its models alone. */
  tape: Tape | null;
  onUsed: (used: Used) => void;
  /** Asks the agent's model who has answered the phone. */
  ask: Ask;
}

/** Throws if the configuration names a model or a tool that cannot be made. */
export function createModelAgent({ config, around, models, prices, tape, ask, onUsed }: Deps): TestedAgent {
  const model = createTapedModel(config, { ...models, clock: around }, tape);
  const costs = createCosts(prices);
  model.on('metrics_collected', (measured: metrics.LLMMetrics) => {
    for (const used of usedBy(measured)) {
      costs.add(used);
      onUsed(used);
    }
  });
  const session = createWritingSession(model);
  let failure: unknown;
  session.on(voice.AgentSessionEventTypes.Error, ({ error }) => {
    const { error: cause, recoverable } = error as { error?: unknown; recoverable?: boolean };
    if (recoverable !== true) failure = cause ?? error;
  });
  let turn = createTurn(model);
  const entries = entriesOf(config.tools);
  const tools = createStandIns(config, (name, args, timeoutMs) => {
    const entry = entries.get(name);
    const answer = (entry && around.enter(name, entry)) ?? around.callTool(name, args, timeoutMs);
    const call = { name, arguments: args, ...answer };
    turn.called(call);
    return { ...call, endsCall: endOf(call) !== null };
  });
  const agent = new WritingAgent(
    { instructions: config.instructions, chatCtx: llm.ChatContext.empty(), tools },
    {
      onBegin: () => turn.begin(),
      onText: (text) => turn.words(text),
      onCall: ({ name }) => turn.decided(name),
      onEnd: () => turn.end(),
    },
  );

  async function answer(userInput: string): Promise<Spoken> {
    turn = createTurn(model);
    const speech = session.generateReply({ userInput });
    await speech.waitForPlayout();
    failure ??= speech.exception();
    if (failure instanceof NotRecorded) throw failure;
    if (failure !== undefined) throw new NotAnswered(failure);
    return turn.spoken();
  }

  const mind = {
    remember: async (role: 'user' | 'assistant', content: string) => {
      const context = agent.chatCtx.copy();
      context.addMessage({ role, content });
      await agent.updateChatCtx(context);
    },
    answer,
    answeredBy: async (words: string) => answeredBy(await predictionOf(words, ask)),
  };
  const flow = createCallFlow(config, mind, around);
  return {
    ...flow,
    open: async () => {
      await session.start({ agent, record: false });
      return flow.open();
    },
    cost: costs.total,
    close: async () => {
      session.shutdown({ drain: false, reason: voice.CloseReason.ERROR });
      await session.close().catch(() => {});
      await model.aclose().catch(() => {});
    },
  };
}

/** Collects what is decided, called and said in one turn. */
function createTurn(model: llm.LLM) {
  const watch = createWatch(model);
  const spoken: Spoken = { words: '', calls: [], decisions: [], first_word_ms: null, ends: null };
  let step: Pick<Decision, 'words' | 'calls'> = { words: '', calls: [] };
  return {
    begin: (): void => {
      watch.begin();
      step = { words: '', calls: [] };
    },
    words: (text: string): void => {
      step.words += text;
      if (!text.trim()) return;
      const before = [...spoken.decisions, ...spoken.calls].reduce((sum, { ms }) => sum + ms, 0);
      spoken.first_word_ms ??= before + watch.firstWordMs();
    },
    decided: (name: string): void => void step.calls.push(name),
    end: (): void => {
      const words = stored(step.words).trim();
      spoken.decisions.push({ ...step, words, model: `${model.provider}/${model.model}`, ms: watch.ms() });
      spoken.words = [spoken.words, words].filter(Boolean).join(' ');
    },
    called: (call: Spoken['calls'][number]): void => {
      spoken.calls.push(call);
      spoken.ends ??= endOf(call);
    },
    spoken: (): Spoken => spoken,
  };
}

/** Measures the answers of a model, in milliseconds. */
export function createWatch(model: llm.LLM) {
  let begun = 0;
  const passed = () => Math.round(performance.now() - begun);
  const begin = () => {
    begun = performance.now();
  };
  // Rules take no time: on a busy machine the same conversation would have another latency.
  if (model.provider === 'local' && model.model === 'rules') return { begin, firstWordMs: () => 0, ms: () => 0 };
  // As long as it took when it was recorded.
  if (model instanceof TapedLlm)
    return { begin, firstWordMs: () => model.answering.first_word_ms ?? 0, ms: () => model.answering.ms };
  return { begin, firstWordMs: passed, ms: passed };
}
