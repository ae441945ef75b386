import type { TestContext } from 'node:test';
import type { ScenarioTask } from '@switchboard/client';
import { completion, events, startStandIn } from './stand-in.ts';

export const words = (...texts: string[]) => texts.map((content) => ({ content }));
export const calling = (name: string, args: object, id = 'call_1') => ({
  tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});

export function taskOf(scenario: object, config: object, runs = 1): ScenarioTask {
  const of = { test_run_id: 'r', user_id: 'u', agent_id: 'a', agent_version: 1 };
  return { ...of, config: { ...config }, scenario: { ...scenario }, runs };
}

/** A model in OpenAI's protocol, and the settings of a worker that may ask it. */
export async function startModel(
  t: TestContext,
  think: (body: { messages: { role: string }[]; tools?: { function: { name: string } }[] }) => object[],
) {
  const model = await startStandIn({
    http: ({ body }, response) => {
      const deltas = think(body);
      const isCalling = deltas.some((delta) => 'tool_calls' in delta);
      events(
        response,
        completion(
          deltas,
          { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
          isCalling ? 'tool_calls' : 'stop',
        ),
        '[DONE]',
      );
    },
  });
  t.after(model.close);
  const base_url = `${model.origin}/v1`;
  return { model, llm: { model: 'm', base_url }, settings: { keys: {}, baseUrls: new Map([[base_url, 'key']]) } };
}
