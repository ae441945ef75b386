import { llm, voice } from '@livekit/agents';

/** Text that the model reads as the result of a function that still runs. */
const RUNNING = 'The caller spoke meanwhile. The request goes on: do not repeat it before its result is here.';

/**
 * A function that goes on when the sentence in which it was called is interrupted, until the session closes, and whose
 * result the model learns. The library (1.8.1) would give it up and forget the call, and the model would call again
 * what has been done.
 */
export function outlasting(tool: llm.ToolContextEntry): llm.ToolContextEntry {
  if (!llm.isFunctionTool(tool)) return tool;
  const execute: typeof tool.execute = async (args, { abortSignal, ...options }) => {
    const { session } = options.ctx;
    const closed = new AbortController();
    const close = () => closed.abort();
    const running = Promise.resolve(tool.execute(args, { ...options, abortSignal: closed.signal }));
    const { promise: interrupted, resolve } = Promise.withResolvers<void>();
    const interrupt = () => {
      if (session._closing) close();
      else rememberCall(options.ctx, running);
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
function rememberCall({ session, functionCall }: voice.RunContext, running: Promise<unknown>): void {
  const { name, callId } = functionCall;
  const output = llm.FunctionCallOutput.create({ name, callId, output: JSON.stringify(RUNNING), isError: false });
  session.currentAgent._chatCtx.insert(output);
  session._toolItemsAdded([output]);
  running.then(
    (value) => {
      output.output = JSON.stringify(value ?? null);
    },
    (error: Error) => Object.assign(output, { output: error.message, isError: true }),
  );
}
