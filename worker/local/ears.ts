import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export const EARS_MODEL = 'moonshine-tiny';

export type Ears = Awaited<ReturnType<typeof openEars>>;

const MOONSHINE = [path.join(import.meta.dirname, 'recognize.py')];

/** Speech recognition in a Python process, one recording at a time; `script` is the program and its arguments. */
export async function openEars(python: string, script = MOONSHINE) {
  const child = spawn(python, script, { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => {
    said = `${said}${data}`.slice(-2000);
  });
  const exited = once(child, 'close').then(() => {
    throw new Error(`speech recognition has ended: ${said.trim() || python}`);
  });
  // If the process ends between two recordings, the next one reports it.
  exited.catch(() => {});
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<{ text?: string; error?: string }> => {
    const { value = '{}' } = await Promise.race([lines.next(), exited]);
    return JSON.parse(value);
  };
  await answer();

  let last: Promise<unknown> = Promise.resolve();
  async function recognize(wav: Uint8Array): Promise<string> {
    const file = path.join(tmpdir(), `switchboard-${randomUUID()}.wav`);
    await writeFile(file, wav, { mode: 0o600 });
    try {
      child.stdin.write(`${file}\n`);
      const { text, error } = await answer();
      if (text === undefined) throw new Error(error);
      return text;
    } finally {
      await rm(file, { force: true });
    }
  }
  return {
    /** The words of a WAV file. */
    recognize: (wav: Uint8Array): Promise<string> => {
      const result = last.then(() => recognize(wav));
      last = result.catch(() => {});
      return result;
    },
    close: (): void => {
      child.kill('SIGKILL');
    },
  };
}
