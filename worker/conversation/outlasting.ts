import { setTimeout as sleep } from 'node:timers/promises';
import { llm, voice } from '@livekit/agents';

/** Text that the model reads as the result of a tool that still runs. */
const RUNNING = 'The caller spoke meanwhile. It goes on: do not repeat it before its result is here.';

/** Pause between looks at whether other tools still run. */
const LOOK_MS = 100;

/** The rest of the call, as far as it decides when a result may be told. */
interface Around {
  /** Whether a tool runs: the answer that has called it comes first. */
  isRunning: () => boolean;
  /** Whether the agent may say something of its own accord. */
  maySpeak: () => boolean;
}

/**
 * A tool that goes on when the sentence in which it was called is interrupted, until the session closes, and whose
 * result the model learns, and tells. The library (1.8.1) would give it up and forget the call,
 * and the model would call again what has been done.
 */
export function outlasting(tool: llm.ToolContextEntry, around: Around): llm.ToolContextEntry {
  if (!llm.isFunctionTool(tool)) return tool;
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

/** Gives a call whose result the library drops a result in the context of the model, and in time the real one. */
function rememberCall({ session, functionCall }: voice.RunContext, running: Promise<unknown>, around: Around) {
  const { name, callId } = functionCall;
  let known = llm.FunctionCallOutput.create({ name, callId, output: JSON.stringify(RUNNING), isError: false });
  session.currentAgent._chatCtx.insert(known);
  session._toolItemsAdded([known]);
  const learn = async (output: string, isError: boolean): Promise<void> => {
    const { createdAt } = known;
    const result = llm.FunctionCallOutput.create({ name, callId, output, isError, createdAt });
    // Another object: a reply that was prepared without the result is not the same any more.
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
    // The session closes meanwhile.
    .catch(() => {});
}

/** Has the agent tell a result once nobody speaks, unless an answer since then has had it. */
async function tell(session: voice.AgentSession, name: string, { isRunning, maySpeak }: Around): Promise<void> {
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
  const instructions = `The result of ${name} is there now: tell the caller.`;
  if (!session._closing && !isTold && maySpeak()) session.generateReply({ instructions, toolChoice: 'none' });
}
