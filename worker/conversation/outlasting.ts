import { llm, voice } from '@livekit/agents';

/** Text that the model reads as the result of a tool that still runs. */
const RUNNING = 'The caller spoke meanwhile. It goes on: do not repeat it before its result is here.';

/**
 * A tool that goes on when the sentence in which it was called is interrupted, until the session closes, and whose
 * result the model learns, and tells if it `maySpeak` then. The library (1.8.1) would give it up and forget the call,
 * and the model would call again what has been done.
 */
export function outlasting(tool: llm.ToolContextEntry, maySpeak: () => boolean): llm.ToolContextEntry {
  if (!llm.isFunctionTool(tool)) return tool;
  const execute: typeof tool.execute = async (args, { abortSignal, ...options }) => {
    const { session } = options.ctx;
    const closed = new AbortController();
    const close = () => closed.abort();
    const running = Promise.resolve(tool.execute(args, { ...options, abortSignal: closed.signal }));
    const { promise: interrupted, resolve } = Promise.withResolvers<void>();
    const interrupt = () => {
      if (session._closing) close();
      else rememberCall(options.ctx, running, maySpeak);
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
function rememberCall(
  { session, functionCall }: voice.RunContext,
  running: Promise<unknown>,
  maySpeak: () => boolean,
): void {
  const { name, callId } = functionCall;
  const output = llm.FunctionCallOutput.create({ name, callId, output: JSON.stringify(RUNNING), isError: false });
  session.currentAgent._chatCtx.insert(output);
  session._toolItemsAdded([output]);
  const learn = (result: Pick<llm.FunctionCallOutput, 'output' | 'isError'>) => {
    Object.assign(output, result);
    // A caller who speaks gets an answer that knows it.
    if (!session._closing && session.userState !== 'speaking' && maySpeak()) session.generateReply();
  };
  running.then(
    (value) => learn({ output: JSON.stringify(value ?? null), isError: false }),
    (error: Error) => learn({ output: error.message, isError: true }),
  );
}
