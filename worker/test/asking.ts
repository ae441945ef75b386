/** A question to a language model at a stand-in, with a tool and its result, and what is booked for it. */
import { once } from 'node:events';
import { llm } from '@livekit/agents';
import { readConfig } from '../conversation/config.ts';
import { createModels } from '../conversation/models.ts';
import { KEYED } from '../conversation/providers.ts';
import { usedBy } from '../conversation/report.ts';
import type { StandIn } from './stand-in.ts';

const keys = Object.fromEntries(KEYED.map((name) => [name, 'unused']));

/** The models of a section at the address of a stand-in. */
export function at({ origin }: StandIn, kind: string, section: object, path = '') {
  const base_url = `${origin}${path}`;
  const config = readConfig({ config: { [kind]: { ...section, base_url } }, variables: {} });
  return createModels(config, { keys, baseUrls: new Map([[base_url, 'the-key']]) });
}

const weather = llm.tool({
  name: 'weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: async () => 'sunny',
});

/** A question after a tool has been used, so that every kind of message is in the request. */
export function question(): llm.ChatContext {
  const chatCtx = llm.ChatContext.empty();
  chatCtx.addMessage({ role: 'system', content: 'Be brief.' });
  chatCtx.addMessage({ role: 'user', content: 'Weather in Rome?' });
  chatCtx.insert(llm.FunctionCall.create({ callId: 'call00001', name: 'weather', args: '{"city":"Rome"}' }));
  chatCtx.insert(
    llm.FunctionCallOutput.create({ callId: 'call00001', name: 'weather', output: 'sunny', isError: false }),
  );
  chatCtx.addMessage({ role: 'user', content: 'And in Oslo?' });
  return chatCtx;
}

/** The answer of a model, and what is booked for it. */
export async function ask(model: llm.LLM) {
  const measured = once(model, 'metrics_collected');
  const { text, toolCalls } = await model
    .chat({ chatCtx: question(), toolCtx: new llm.ToolContext([weather]) })
    .collect();
  const [metrics] = await measured;
  const used = usedBy(metrics).map(({ unit, quantity }) => `${unit} ${quantity}`);
  return { text, calls: toolCalls.map(({ name, args }) => `${name} ${args}`), used };
}

export const USED = ['llm_input_tokens 60', 'llm_cached_tokens 40', 'llm_output_tokens 7'];
