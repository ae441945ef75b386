import { type Message, reply, type Tool, tokensOf } from '@switchboard/rules';
import { type ExtractedField, extract } from '@switchboard/rules/extract';
import type { AnalysisWork, CheckedModel, ReadCall, WrittenAnswer, WrittenTurn } from '../workers.ts';
import { checkFunction } from './function.ts';
import { MODEL, textOf, thought } from './worker.ts';

/** Calls of tools in one answer, after which it ends. */
const MAX_CALLS = 4;
const MAX_NAME = 100;
/** Characters of an answer. */
const MAX_ANSWER = 8_000;
/** The result of every tool: the sandbox calls nobody. */
const RESULT = 'This is the sandbox, so nothing was called.';

/** Answers a chat from the agent's instructions, and shows which tools it would call. */
function answerChat(turn: WrittenTurn): WrittenAnswer {
  const messages: Message[] = [
    { role: 'system', content: textOf(turn, 'instructions') },
    ...turn.messages.map(({ speaker, content }) => ({ role: speaker === 'USER' ? 'user' : 'assistant', content })),
  ];
  const tools = toolsOf(turn.config.tools);
  const events: WrittenAnswer['events'] = [];
  const said: string[] = [];
  for (let calls = 1; ; calls++) {
    const { text, call } = reply(messages, calls > MAX_CALLS ? [] : tools);
    if (text) {
      events.push(...wordsOf(said.length > 0 ? ` ${text}` : text));
      said.push(text);
      messages.push({ role: 'assistant', content: text });
    }
    if (!call) break;
    const call_id = `call_${calls}`;
    events.push({ type: 'tool_call', call_id, ...call }, { type: 'tool_result', call_id, result: RESULT });
    messages.push({ role: 'tool', content: RESULT });
  }
  const content = said.join(' ').slice(0, MAX_ANSWER);
  const output_tokens = tokensOf(content);
  const used = thought(messages);
  const usage = { model: MODEL, input_tokens: Number(used.quantity) - output_tokens, output_tokens };
  return { content, used: [used], events: [...events, { type: 'usage', ...usage }] };
}

/** The rules answer to any model. */
function checkModel(): CheckedModel {
  const detail = 'This is the sandbox: no provider was asked.';
  return { outcome: 'ok', reason: null, detail, latency_ms: null, worker: 'sandbox' };
}

/** The words one by one, as a model gives them. */
function wordsOf(text: string): WrittenAnswer['events'] {
  return (text.match(/\s*\S+/g) ?? []).map((word) => ({ type: 'words' as const, text: word }));
}

/** The tools of calls back, as workers have them. */
const CALL_BACK: Tool[] = [
  { name: 'propose_call_back', description: 'Call me back.', parameters: whenToCall() },
  { name: 'confirm_call_back', parameters: whenToCall() },
];

function whenToCall(): Tool['parameters'] {
  return { properties: { date_time: { type: 'string' } }, required: ['date_time'] };
}

/** The tools that rules understand. The configuration of a draft may be wrong in any way. */
function toolsOf(given: unknown): Tool[] {
  const { hang_up, transfer, functions, call_back } = objectOf(given);
  const names = listOf(objectOf(transfer).destinations).flatMap(({ name }) => (typeof name === 'string' ? name : []));
  const destination = { type: 'string', enum: names };
  return [
    ...(hang_up === true ? [{ name: 'hang_up' }] : []),
    ...(names.length > 0 ? [{ name: 'transfer', parameters: { properties: { destination } } }] : []),
    ...(call_back && objectOf(call_back).enabled !== false ? CALL_BACK : []),
    ...listOf(functions).flatMap(functionOf),
  ];
}

function functionOf({ name, description, parameters }: Record<string, unknown>): Tool[] {
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return [];
  const { properties, required } = objectOf(parameters);
  const known = Object.entries(objectOf(properties)).map(([key, value]) => [key, objectOf(value)]);
  const needed = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : [];
  const text = typeof description === 'string' ? { description } : {};
  return [{ name, ...text, parameters: { properties: Object.fromEntries(known), required: needed } }];
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(objectOf) : []);

/** Reads a transcript by rules; its summary says that no model has. */
function analyseCall({ extractor, transcript }: AnalysisWork): ReadCall {
  const fields = Object.entries(objectOf(extractor.schema.properties)) as [string, ExtractedField][];
  const read = transcript.map(({ content }) => ({ role: 'user', content }));
  return { result: extract(fields, transcript), used: [thought(read)] };
}

/** The worker of a sandbox, as far as it needs no room. */
export const writing = { answerChat, analyseCall, checkModel, checkFunction };
