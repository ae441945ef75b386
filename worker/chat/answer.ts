/**
 * The answer to the last message of a chat: a session of the library as in a call, with the same model, instructions
 * and tools, but without a room. What it would say is sent as words.
 */
import { llm, voice } from '@livekit/agents';
import type { ChatToolCall, ChatTurn } from '@switchboard/client';
import type { ConversationConfig } from '../conversation/config.ts';
import type { FunctionSettings } from '../conversation/functions.ts';
import { createTools } from '../conversation/tools.ts';
import type { CallBackApi } from '../switchboard/api.ts';
import type { ChatEvent } from './reporter.ts';
import { argumentsOf, stored, WritingAgent } from './writing-agent.ts';

/** Limits of the service: characters of an answer and of a tool's result, and of names. */
const MAX_CONTENT = 8_000;
const MAX_NAME = 100;
const NOT_IN_A_CHAT = 'This is not possible in a chat in writing, which has no phone. Tell the user, and go on.';

interface Asked {
  turn: ChatTurn;
  config: ConversationConfig;
  /** Not started. */
  session: voice.AgentSession;
  tools: readonly llm.ToolContextEntry[];
  report: (event: ChatEvent) => void;
  /** Called before a function of the customer: what it does would be done again by another attempt. */
  onFunction: () => void;
  signal: AbortSignal;
}

/** Resolves to the whole answer, which may be empty. Throws the model's last error, or the reason of the signal. */
export async function answer(asked: Asked): Promise<string> {
  const { turn, config, session, tools, report, signal } = asked;
  const words = createWords(report);
  const { history, question } = contextOf(turn);
  const agent = new WritingAgent(
    { instructions: config.instructions, chatCtx: history, tools },
    { onText: words.push, onCall: (call) => reportCall(call, asked), onEnd: words.endStep },
  );
  session.on(voice.AgentSessionEventTypes.FunctionToolsExecuted, ({ functionCallOutputs }) => {
    for (const output of functionCallOutputs) if (output) report(resultOf(output));
  });
  let failure: unknown;
  session.on(voice.AgentSessionEventTypes.Error, ({ error }) => {
    const { error: cause, recoverable } = error as { error?: unknown; recoverable?: boolean };
    if (recoverable !== true) failure = cause ?? error;
  });
  try {
    signal.throwIfAborted();
    await session.start({ agent, record: false });
    const speech = session.generateReply({ userInput: question });
    await unlessAborted(speech.waitForPlayout(), signal);
    failure ??= speech.exception();
    if (failure !== undefined) throw failure;
    return words.all();
  } finally {
    // Lets the model and the functions go that an aborted answer still waits for. With any other reason the library
    // waits half a second for the last words of a caller, and warns that there are none.
    session.shutdown({ drain: false, reason: voice.CloseReason.ERROR });
    session.close().catch(() => {});
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<void>();
  const abort = () => aborted.resolve();
  signal.addEventListener('abort', abort);
  await Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
  signal.throwIfAborted();
}

/** The conversation before the message to be answered, and this message. */
function contextOf({ messages }: ChatTurn): { history: llm.ChatContext; question: string } {
  const roles: Record<string, llm.ChatRole> = { USER: 'user', AGENT: 'assistant' };
  const history: llm.ChatItem[] = [];
  for (const { speaker, content, tool_calls = [] } of messages.slice(0, -1)) {
    for (const call of tool_calls) history.push(...itemsOf(call, history.length));
    // In order, although the library sorts them by time.
    const createdAt = history.length;
    history.push(llm.ChatMessage.create({ role: roles[speaker] ?? 'system', content, createdAt }));
  }
  return { history: new llm.ChatContext(history), question: messages.at(-1)?.content ?? '' };
}

/** A call of an earlier turn and its result. Without a result models refuse a call. */
function itemsOf(call: ChatToolCall, createdAt: number): llm.ChatItem[] {
  if (call.result === null) return [];
  const { name, result: output, is_error: isError } = call;
  // Unique, and in a form that every provider takes: models give some of their ids again in another turn.
  const callId = `call${String(createdAt).padStart(5, '0')}`;
  const args = JSON.stringify(call.arguments);
  return [
    llm.FunctionCall.create({ callId, name, args, createdAt }),
    llm.FunctionCallOutput.create({ callId, name, output, isError, createdAt }),
  ];
}

interface ChatDeps {
  functions: FunctionSettings;
  callBacks: CallBackApi;
  /** Replaces secrets in what is written; absent if they are kept. */
  redact: ((speaker: string, text: string) => string) | undefined;
}

/** The tools of a call, of which those of the phone say that there is none. Throws if they are invalid. */
export function createChatTools(
  turn: ChatTurn,
  config: ConversationConfig,
  { functions, callBacks, redact }: ChatDeps,
): llm.ToolContextEntry[] {
  const refuse = () => {
    throw new llm.ToolError(NOT_IN_A_CHAT);
  };
  return createTools(config.tools, {
    call: {
      session_id: turn.chat_id,
      agent_id: turn.agent_id,
      user_id: turn.user_id,
      variables: turn.variables,
    },
    room: { localParticipant: { publishDtmf: async () => refuse() }, on: refuse, off: refuse },
    mute: refuse,
    api: { transfer: async () => refuse(), ...callBacks },
    hasPhone: false,
    hangUp: refuse,
    functions,
    redact,
  });
}

/** Reports a call that the model has made, before the session runs the tool. */
function reportCall(call: llm.FunctionCall, { config, report, onFunction }: Asked): void {
  if (config.tools.functions?.some(({ name }) => name === call.name)) onFunction();
  const name = call.name.slice(0, MAX_NAME) || 'unnamed';
  report({ type: 'tool_call', call_id: callIdOf(call), name, arguments: argumentsOf(call) });
}

function resultOf(output: llm.FunctionCallOutput): ChatEvent {
  const result = stored(output.output).slice(0, MAX_CONTENT).toWellFormed();
  return { type: 'tool_result', call_id: callIdOf(output), result, is_error: output.isError };
}

const callIdOf = ({ callId }: { callId: string }): string => callId.slice(0, MAX_NAME) || 'call';

/** The words of an answer up to the longest one that the service takes, reported as they come. */
function createWords(report: (event: ChatEvent) => void) {
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
      report({ type: 'words', text });
    },
    endStep: (): void => {
      isApart = true;
      half = '';
    },
    all: (): string => all.trim(),
  };
}
