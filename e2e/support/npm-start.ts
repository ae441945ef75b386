import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { startGroup } from './process-group.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Starts the service as a newcomer does, with `npm start` alone, until the tests of the file are over; its URL. */
export async function npmStart(): Promise<string> {
  const data = await mkdtemp(path.join(tmpdir(), 'switchboard-start-'));
  const { PATH = '' } = process.env;
  const env = { PATH, HOST: '127.0.0.1', PORT: '0', SANDBOX_RING_MS: '20', DATA_DIR: data };
  const service = startGroup(['npm', 'start', '--silent'], { cwd: ROOT, env });
  after(async () => {
    await service.kill();
    await rm(data, { recursive: true, force: true });
  });
  return service.program.until((output) => /ready on (http:\/\/\S+)/.exec(output)?.[1]);
}
