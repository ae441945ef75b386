import { setTimeout as sleep } from 'node:timers/promises';
import { llm, voice } from '@livekit/agents';
import type { ConversationConfig } from './config.ts';

/** The result that the model reads while a tool still runs. */
const RUNNING = 'The caller interrupted, but this is still running. Do not call it again: its result will follow.';

/** Pause between looks at whether other tools still run. */
const LOOK_MS = 100;

/** The state of the call that decides when a result may be told. */
export interface CallState {
  /** Whether any tool is running: the answer that called it comes first. */
  isRunning: () => boolean;
  /** Whether the agent may speak unprompted. */
  maySpeak: () => boolean;
}

/**
 * The tool, kept running when the caller interrupts the sentence in which it was called, until the session closes; the
 * model then learns its result, and tells it. The library (1.8.1) would abort and forget the call, so that the model
 * would make it again. Functions and pressed keys alone: other tools wait for the sentence, or must not be repeated
 * anyway. Not with a realtime model, whose provider would not learn of the result.
 */
export function outlasting(
  tool: llm.FunctionTool,
  { tools: { functions }, realtime }: Pick<ConversationConfig, 'tools' | 'realtime'>,
  around: CallState,
): llm.FunctionTool {
  const { name } = tool;
  if (realtime || !(name === 'send_dtmf' || functions?.some((one) => one.name === name))) return tool;
  const execute: typeof tool.execute = async (args, { abortSignal, ...options }) => {
    const { session } = options.ctx;
    const closed = new AbortController();
    const close = () => closed.abort();
    const running = Promise.resolve(tool.execute(args, { ...options, abortSignal: closed.signal }));
    const { promise: interrupted, resolve } = Promise.withResolvers<void>();
    const interrupt = () => {
      if (session._closing) close();
      else rememberCall(options.ctx, running, around);
      // The library waits for its tools before it closes.
      resolve();
    };
    session.on(voice.AgentSessionEventTypes.Close, close);
    abortSignal.addEventListener('abort', interrupt, { once: true });
    const end = () => {
      session.off(voice.AgentSessionEventTypes.Close, close);
      abortSignal.removeEventListener('abort', interrupt);
    };
    running.then(end, end);
    return Promise.race([running, interrupted]);
  };
  return { ...tool, execute };
}

/** Puts a placeholder where the library leaves no result, and replaces it with the result once there is one. */
function rememberCall({ session, functionCall }: voice.RunContext, running: Promise<unknown>, around: CallState) {
  const { name, callId } = functionCall;
  let known = llm.FunctionCallOutput.create({ name, callId, output: JSON.stringify(RUNNING), isError: false });
  session.currentAgent._chatCtx.insert(known);
  session._toolItemsAdded([known]);
  const learn = async (output: string, isError: boolean): Promise<void> => {
    const { createdAt } = known;
    const result = llm.FunctionCallOutput.create({ name, callId, output, isError, createdAt });
    // A new object, because the library compares by identity: a reply prepared without the result is then discarded.
    for (const { items } of [session.currentAgent._chatCtx, session.history])
      if (items.includes(known)) items[items.indexOf(known)] = result;
    known = result;
    await tell(session, name, around);
  };
  running
    .then(
      (value) => learn(JSON.stringify(value ?? null), false),
      (error: Error) => learn(error.message, true),
    )
    // The session has closed.
    .catch(() => {});
}

/** Has the agent tell a result once nobody is speaking, unless a reply generated since has already had it. */
async function tell(session: voice.AgentSession, name: string, { isRunning, maySpeak }: CallState): Promise<void> {
  const answers: voice.SpeechHandle[] = [];
  const note = ({ source, speechHandle }: voice.SpeechCreatedEvent) => {
    if (source === 'generate_reply') answers.push(speechHandle);
  };
  session.on(voice.AgentSessionEventTypes.SpeechCreated, note);
  try {
    await session.waitForIdle();
    while (isRunning()) {
      await sleep(LOOK_MS);
      await session.waitForIdle();
    }
  } finally {
    session.off(voice.AgentSessionEventTypes.SpeechCreated, note);
  }
  const isTold = answers.some(({ interrupted }) => !interrupted);
  const instructions = `The result of ${name} has arrived. Tell the caller.`;
  if (!session._closing && !isTold && maySpeak()) session.generateReply({ instructions, toolChoice: 'none' });
}
