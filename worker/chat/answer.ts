/** The answer to the last message of a chat: the same model, instructions and tools as in a call, without a voice. */
import { llm } from '@livekit/agents';
import type { ChatTurn } from '@switchboard/client';
import type { ConversationConfig } from '../conversation/config.ts';
import type { FunctionSettings } from '../conversation/functions.ts';
import { createTools } from '../conversation/tools.ts';
import type { ChatEvent } from './reporter.ts';

/** As many as in a call. */
const MAX_TOOL_STEPS = 5;
/** Limits of the service: characters of an answer and of a tool's result, and of names. */
const MAX_CONTENT = 8_000;
const MAX_NAME = 100;
const NOT_IN_A_CHAT = 'This is not possible in a chat in writing, which has no phone. Tell the user, and go on.';

interface Asked {
  turn: ChatTurn;
  config: ConversationConfig;
  model: llm.LLM;
  functions: FunctionSettings;
  tell: (event: ChatEvent) => void;
  /** Called before a function of the customer: what it does would be done again by another attempt. */
  onFunction: () => void;
  signal: AbortSignal;
}

/** Resolves to the whole answer, which may be empty. Throws the model's last error, or the reason of the signal. */
export async function answer(asked: Asked): Promise<string> {
  const { model, signal } = asked;
  const { toolCtx, isPhoneTool } = createChatTools(asked);
  const chatCtx = contextOf(asked);
  const words = createWords(asked.tell);
  let failure: unknown;
  model.on('error', ({ error, recoverable }) => {
    if (!recoverable) failure = error;
  });
  for (let step = 0; ; step++) {
    const isLast = step === MAX_TOOL_STEPS;
    const stream = model.chat({ chatCtx, toolCtx, ...(isLast && { toolChoice: 'none' }) });
    const { text, calls } = await read(stream, `step${step}`, words.push, signal);
    words.endStep();
    if (failure !== undefined) throw failure;
    if (calls.length === 0 || isLast) return words.all();
    const said = text === '' ? [] : [llm.ChatMessage.create({ id: `step${step}`, role: 'assistant', content: text })];
    const outputs: llm.FunctionCallOutput[] = [];
    for (const call of calls) outputs.push(await use(call, { ...asked, toolCtx, isPhoneTool }));
    // Not by `insert`, which sorts by time: a call was created before the words that precede it were complete.
    chatCtx.items = [...chatCtx.items, ...said, ...calls, ...outputs];
  }
}

/** Reads one response of the model to its end. Plugins put words and calls of one `id` into one message. */
async function read(stream: llm.LLMStream, id: string, push: (text: string) => void, signal: AbortSignal) {
  const calls: llm.FunctionCall[] = [];
  let text = '';
  const stop = () => stream.close();
  signal.addEventListener('abort', stop);
  try {
    for await (const { delta } of stream) {
      if (signal.aborted) break;
      text += delta?.content ?? '';
      if (delta?.content) push(delta.content);
      for (const { callId, name, args, thoughtSignature, extra } of delta?.toolCalls ?? [])
        calls.push(
          llm.FunctionCall.create({ id: `${id}/${calls.length}`, callId, name, args, thoughtSignature, extra }),
        );
    }
  } finally {
    signal.removeEventListener('abort', stop);
    if (signal.aborted) stop();
  }
  signal.throwIfAborted();
  return { text, calls };
}

function contextOf({ config, turn }: Pick<Asked, 'config' | 'turn'>): llm.ChatContext {
  const message = (role: llm.ChatRole, content: string) => llm.ChatMessage.create({ role, content });
  const roles: Record<string, llm.ChatRole> = { USER: 'user', AGENT: 'assistant' };
  return new llm.ChatContext([
    message('system', config.instructions),
    ...turn.messages.map(({ speaker, content }) => message(roles[speaker] ?? 'system', content)),
  ]);
}

/** The tools of a call. Those of the phone are offered as there, but do nothing. */
function createChatTools({ config, turn, functions }: Pick<Asked, 'config' | 'turn' | 'functions'>) {
  const deps = {
    call: { session_id: turn.chat_id, agent_id: turn.agent_id, user_id: turn.user_id },
    room: { localParticipant: undefined },
    api: { transfer: () => Promise.reject(new Error(NOT_IN_A_CHAT)) },
    hangUp: () => {},
    functions,
  };
  const phone = new llm.ToolContext(createTools({ ...config.tools, functions: null }, deps));
  const toolCtx = new llm.ToolContext(createTools(config.tools, deps));
  return { toolCtx, isPhoneTool: (name: string) => phone.hasTool(name) };
}

interface Tools extends Asked {
  toolCtx: llm.ToolContext;
  isPhoneTool: (name: string) => boolean;
}

/** Runs a tool that the model has called, and tells the call and its result. */
async function use(call: llm.FunctionCall, { toolCtx, isPhoneTool, tell, onFunction, signal }: Tools) {
  const { name, callId } = call;
  const call_id = callId.slice(0, MAX_NAME) || 'call';
  tell({ type: 'tool_call', call_id, name: name.slice(0, MAX_NAME) || 'unnamed', arguments: argumentsOf(call) });
  if (!isPhoneTool(name) && toolCtx.hasTool(name)) onFunction();
  const done = isPhoneTool(name) ? { output: NOT_IN_A_CHAT, isError: true } : await execute(call, toolCtx, signal);
  signal.throwIfAborted();
  const output = llm.FunctionCallOutput.create({ callId, name, ...done });
  const result = stored(output.output).slice(0, MAX_CONTENT).toWellFormed();
  tell({ type: 'tool_result', call_id, result, is_error: output.isError });
  return output;
}

/** As a session of the library runs a tool: results are JSON, and of errors the model reads those meant for it. */
async function execute({ name, callId, args }: llm.FunctionCall, toolCtx: llm.ToolContext, abortSignal: AbortSignal) {
  const failed = (output: string) => ({ output, isError: true });
  const tool = toolCtx.getFunctionTool(name);
  if (!tool) return failed(`Unknown function: ${name}`);
  let given: unknown;
  try {
    given = JSON.parse(args || '{}');
  } catch {
    return failed('The arguments are not JSON.');
  }
  try {
    // Functions, which are the only tools in a chat, do not look at the context of a call.
    const ctx = {} as Parameters<typeof tool.execute>[1]['ctx'];
    const result = await tool.execute(given, { ctx, toolCallId: callId, abortSignal });
    return { output: JSON.stringify(result) ?? '', isError: false };
  } catch (error) {
    return failed(error instanceof llm.ToolError ? error.message : 'An internal error occurred');
  }
}

/** The arguments for display; the tool itself reports those that are no JSON. */
function argumentsOf({ args }: llm.FunctionCall): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(stored(args || '{}').replaceAll('\\u0000', ''));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {};
  } catch {
    return {};
  }
}

/** PostgreSQL can store neither NUL nor half a surrogate pair. */
function stored(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The words of an answer up to the longest one that the service takes, told as they come. */
function createWords(tell: (event: ChatEvent) => void) {
  let all = '';
  /** The first half of a character whose second half has not come yet. */
  let half = '';
  /** Whether words of an earlier step need a space before the next ones. */
  let isApart = false;
  return {
    push: (delta: string): void => {
      const given = half + delta;
      half = /[\uD800-\uDBFF]$/.test(given) ? given.slice(-1) : '';
      const whole = stored(given.slice(0, given.length - half.length));
      const space = isApart && /\S$/.test(all) && /^\S/.test(whole) ? ' ' : '';
      const text = (space + whole).slice(0, MAX_CONTENT - all.length).toWellFormed();
      if (text === '') return;
      isApart = false;
      all += text;
      tell({ type: 'words', text });
    },
    endStep: (): void => {
      isApart = true;
      half = '';
    },
    all: (): string => all.trim(),
  };
}
