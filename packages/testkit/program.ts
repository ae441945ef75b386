import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process that was started. One that is still there when this process exits is killed. */
export interface Program {
  child: ChildProcess;
  /** Everything it has printed. */
  output(): string;
  /**
   * Resolves with the first answer that is neither false nor undefined; asks again whenever something is printed, and
   * every 10 ms. Throws with the output when the program ends before, or after `withinMs`.
   */
  until<T>(ask: (output: string) => T | Promise<T>, withinMs?: number): Promise<Exclude<T, false | undefined>>;
  /** Resolves with its exit code, or the signal that ended it, once its output is complete. */
  exit: Promise<number | NodeJS.Signals>;
  /** Sends the signal, and resolves when the program has gone. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

interface Options {
  /** The whole of its environment; that of this process where none is given. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** In a process group of its own; whoever starts it sees to the others of the group. */
  detached?: boolean;
  /** Shows what goes wrong on this process's own stderr, instead of keeping it as output. */
  showErrors?: boolean;
}

const EVERY_MS = 10;
const running = new Set<ChildProcess>();
process.on('exit', killPrograms);

/** Kills what is still running. For the end of a test file: a test that fails leaves its programs behind. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts a command. */
export function startProgram(
  [file = '', ...args]: string[],
  { showErrors = false, ...options }: Options = {},
): Program {
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', showErrors ? 'inherit' : 'pipe'] });
  running.add(child);
  let output = '';
  let wake = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      wake();
    });
  const exit = once(child, 'close')
    .then(([code, signal]) => code ?? signal)
    .finally(() => {
      running.delete(child);
      wake();
    });
  // A command that does not exist fails those who wait for it, and nobody else.
  exit.catch(() => {});
  const change = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, EVERY_MS);
    });

  async function until<T>(ask: (output: string) => T | Promise<T>, withinMs = 60_000) {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const answer = await ask(output);
      if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
      if (!running.has(child)) throw new Error(`${file} ended with ${await exit}: ${output}`);
      if (performance.now() > deadline) throw new Error(`${file} was not ready within ${withinMs} ms: ${output}`);
      await change();
    }
  }

  return {
    child,
    exit,
    until,
    output: () => output,
    end: (signal) => {
      child.kill(signal);
      return exit;
    },
  };
}
