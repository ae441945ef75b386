import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Message, type Reply, reply, type Tool, textOf, tokensOf } from '@switchboard/rules';

/** The rules as a model of the API. */
export const MIND_MODEL = 'rules';

/** Earlier prompts to compare requests with, like a provider's prompt cache. */
const REMEMBERED = 200;
const remembered: string[][] = [];

/** Answers a chat completion, at once or as a stream of server-sent events, and returns its usage. */
export function complete(asked: Record<string, unknown>, response: ServerResponse): Usage {
  const messages = (Array.isArray(asked.messages) ? asked.messages : []) as Message[];
  const offered = (Array.isArray(asked.tools) ? asked.tools : []) as { function?: Tool }[];
  const tools = offered.flatMap((tool) => tool.function ?? []);
  const thought = reply(messages, tools, { mustCall: asked.tool_choice === 'required' });
  const usage = usageOf(messages, thought);
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: MIND_MODEL };
  const finish_reason = thought.call ? 'tool_calls' : 'stop';
  const tool_calls = thought.call && [
    {
      index: 0,
      id: `call_${randomUUID()}`,
      type: 'function',
      function: { name: thought.call.name, arguments: JSON.stringify(thought.call.arguments) },
    },
  ];
  if (asked.stream !== true) {
    const message = { role: 'assistant', content: thought.text || null, ...(tool_calls && { tool_calls }) };
    const body = { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return usage;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const send = (delta: object, finish: string | null = null) =>
    event(response, {
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  send({ role: 'assistant', content: '' });
  for (const word of thought.text.match(/\S+\s*/g) ?? []) send({ content: word });
  if (tool_calls) send({ tool_calls });
  send({}, finish_reason);
  if ((asked.stream_options as { include_usage?: boolean } | undefined)?.include_usage)
    event(response, { ...head, object: 'chat.completion.chunk', choices: [], usage });
  response.end('data: [DONE]\n\n');
  return usage;
}

function event(response: ServerResponse, data: object): void {
  response.write(`data: ${JSON.stringify(data)}\n\n`);
}

type Usage = ReturnType<typeof usageOf>;

function usageOf(messages: readonly Message[], { text, call }: Reply) {
  const prompt = messages.map((message) => textOf(message));
  const prompt_tokens = sum(prompt);
  const completion_tokens = tokensOf(text) + (call ? 1 + Object.keys(call.arguments).length : 0);
  const cached_tokens = sum(prompt.slice(0, longestBeginning(prompt)));
  remembered.push(prompt);
  if (remembered.length > REMEMBERED) remembered.shift();
  const total_tokens = prompt_tokens + completion_tokens;
  return { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details: { cached_tokens } };
}

/** Number of leading messages shared with an earlier prompt. */
function longestBeginning(prompt: readonly string[]): number {
  const shared = remembered.map((earlier) => {
    const difference = prompt.findIndex((text, index) => text !== earlier[index]);
    return difference < 0 ? prompt.length : difference;
  });
  return Math.max(0, ...shared);
}

const sum = (texts: readonly string[]): number => texts.reduce((total, text) => total + tokensOf(text), 0);
