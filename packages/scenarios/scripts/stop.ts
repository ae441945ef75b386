/** Ends the command before it is done, with this exit code. */
export class Stopped extends Error {
  readonly exit: number;

  constructor(message: string, exit: number) {
    super(message);
    this.exit = exit;
  }
}

/** As shells number them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
const TIME_IS_OVER = 3;

/** Aborts with `Stopped` on Ctrl-C, and once the time is over. A second Ctrl-C ends the process at once. */
export function createStop(seconds: number): AbortSignal {
  const controller = new AbortController();
  const stop = (message: string, exit: number) => controller.abort(new Stopped(message, exit));
  setTimeout(stop, seconds * 1000, `The service was not done after ${seconds} s.`, TIME_IS_OVER).unref();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop(`${signal} received.`, SIGNALS[signal]));
  return controller.signal;
}
