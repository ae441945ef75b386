/** Ends the command before it is done, with this exit code. */
export class Stopped extends Error {
  readonly exit: number;

  constructor(message: string, exit: number) {
    super(message);
    this.exit = exit;
  }
}

/** As shells number them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const TIME_IS_OVER = 3;
/** On Ctrl-C the terminal signals npm too, which forwards the signal. */
const SAME_PRESS_MS = 1_000;

/** Aborts with `Stopped` on Ctrl-C, and once the time is over. A second Ctrl-C ends the process at once. */
export function createStop(seconds: number): AbortSignal {
  const controller = new AbortController();
  const stop = (message: string, exit: number) => controller.abort(new Stopped(message, exit));
  setTimeout(stop, seconds * 1000, `The service did not finish within ${seconds} s.`, TIME_IS_OVER).unref();
  let pressedAt: number | undefined;
  for (const [signal, exit] of Object.entries(SIGNALS))
    process.on(signal, () => {
      stop(`${signal} received.`, exit);
      pressedAt ??= performance.now();
      if (performance.now() - pressedAt > SAME_PRESS_MS) process.exit(exit);
    });
  return controller.signal;
}
