import { llm, type metrics } from '@livekit/agents';
import type { JsonObject } from '@switchboard/client';
import type { Answered, Ask, Question } from '@switchboard/scenarios/ask';
import { NotRecorded, type Tape } from '@switchboard/scenarios/tape';
import { argumentsOf } from '../chat/writing-agent.ts';
import { readConfig } from '../conversation/config.ts';
import type { ModelSettings } from '../conversation/models.ts';
import { usedBy } from '../conversation/report.ts';
import type { Used } from '../switchboard/prices.ts';
import { NotAnswered } from './not-answered.ts';
import { createTapedModel } from './taped-llm.ts';

/** Asks language models beside the agent's: as callers, and as judges. Without a model of their own, by the agent's. */
export function createAsk(
  config: JsonObject,
  settings: ModelSettings,
  tape: Tape | null,
  onUsed: (used: Used) => void,
): Ask {
  return async ({ model: section, ...question }) => {
    const { llm: own, fail_over } = config;
    const read = readConfig({ config: { llm: section ?? own, fail_over }, variables: {} });
    const model = createTapedModel(read, settings, tape);
    model.on('metrics_collected', (measured: metrics.LLMMetrics) => usedBy(measured).forEach(onUsed));
    try {
      return await answerOf(model, question);
    } finally {
      await model.aclose().catch(() => {});
    }
  };
}

async function answerOf(model: llm.LLM, { messages, tool, mustCall }: Omit<Question, 'model'>): Promise<Answered> {
  let failure: unknown;
  model.on('error', ({ error, recoverable }) => {
    if (!recoverable) failure = error;
  });
  const items = messages.map(({ role, content }, createdAt) => llm.ChatMessage.create({ role, content, createdAt }));
  const stream = model.chat({
    chatCtx: new llm.ChatContext(items),
    toolCtx: new llm.ToolContext([llm.tool({ ...tool, execute: async () => null })]),
    ...(mustCall && { toolChoice: 'required' }),
  });
  let text = '';
  let call: Answered['call'] = null;
  try {
    for await (const { delta } of stream) {
      text += delta?.content ?? '';
      for (const { name, args } of delta?.toolCalls ?? []) if (name === tool.name) call ??= argumentsOf({ args });
    }
  } finally {
    stream.close();
  }
  // The library reports an error once the stream has ended.
  await new Promise((resolve) => setImmediate(resolve));
  if (failure instanceof NotRecorded) throw failure;
  if (failure !== undefined) throw new NotAnswered(failure);
  return { text, call };
}
