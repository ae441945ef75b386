import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A child process. It is killed if it is still running when this process exits. */
export interface Program {
  child: ChildProcess;
  /** Its complete output. */
  output(): string;
  /**
   * Resolves with the first result that is neither false nor undefined; checked on all output and every 10 ms. Throws
   * with the output if the program ends before, or after `withinMs`.
   */
  until<T>(ask: (output: string) => T | Promise<T>, withinMs?: number): Promise<Exclude<T, false | undefined>>;
  /** Resolves with the exit code, or the signal, once the output is complete. */
  exit: Promise<number | NodeJS.Signals>;
  /** Sends the signal; resolves when the program has ended. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

interface Options {
  /** The complete environment, apart from the compile cache; this process's if absent. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** In a process group of its own, whose other members are the caller's responsibility. */
  detached?: boolean;
  /** Passes stderr through instead of capturing it. */
  showErrors?: boolean;
}

/** Node.js with the compiler of these tests: `npm test` spares the optimizing one, which takes longer than it saves. */
export const NODE = [process.execPath, ...process.execArgv.filter((option) => option === '--liftoff-only')];
/** Where compiled code is kept: a program that strips all of its types again starts at half the speed. */
export const COMPILE_CACHE: NodeJS.ProcessEnv = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};
const EVERY_MS = 10;
const running = new Set<ChildProcess>();
process.on('exit', killPrograms);

/** Kills all running programs, for the end of a test file: a failed test leaves its programs behind. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts a command. */
export function startProgram(
  [file = '', ...args]: string[],
  { showErrors = false, env, ...options }: Options = {},
): Program {
  const environment = env && { ...COMPILE_CACHE, ...env };
  const child = spawn(file, args, {
    ...options,
    env: environment,
    stdio: ['pipe', 'pipe', showErrors ? 'inherit' : 'pipe'],
  });
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
  // A command that does not exist fails only those who wait for it.
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
