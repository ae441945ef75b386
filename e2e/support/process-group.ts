import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Program, startProgram } from '@switchboard/testkit/program.ts';

/** A program, and the processes that it starts. */
export interface ProcessGroup {
  program: Program;
  /** Sends the signal to the program alone, and resolves with how it ended once no process of the group is left. */
  end(signal: 'SIGTERM'): Promise<number | null>;
  /** Kills all of them as a power cut would. */
  kill(): Promise<void>;
}

/** Starts a command in a separate process group, which includes the processes that it starts. */
export function startGroup(command: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): ProcessGroup {
  const program = startProgram(command, { ...options, detached: true });
  const { child } = program;
  const killGroup = () => signalGroup(child, 'SIGKILL');
  // An aborted test must not leave it behind.
  process.on('exit', killGroup);

  async function gone(): Promise<void> {
    await eventually(
      async () => signalGroup(child, 0),
      (alive) => !alive,
    );
    process.off('exit', killGroup);
  }

  return {
    program,
    end: async (signal) => {
      const exit = once(child, 'exit');
      child.kill(signal);
      const [code] = await exit;
      await gone();
      return code;
    },
    kill: async () => {
      killGroup();
      await gone();
    },
  };
}

/** Whether a process of the group exists that can get the signal. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
