import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { S3Settings } from '../server/src/providers/storage/s3.ts';
import { freePort, isOpen } from './ports.ts';
import { startProgram } from './program.ts';

const SERVER = process.env.VERSITYGW_BIN || 'versitygw';
/** As .ci/run installs it. */
const MODULE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';

/** All but the address. */
export const S3_SETTINGS = {
  region: 'us-east-1',
  bucket: 'recordings',
  accessKeyId: 'test-access',
  secretAccessKey: 'test-secret',
  encryption: null,
};

/** A real store that speaks the protocol of Amazon S3, with one bucket. */
export interface S3Store {
  settings: S3Settings;
  /** Kills it as a power cut would; what it has stays. */
  kill(): Promise<unknown>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
}

/** The store if it is missing on this machine, in words; otherwise null. */
export function missingS3(): string | null {
  return spawnSync(SERVER, ['--version']).error ? `not on this machine: ${SERVER} (go install ${MODULE})` : null;
}

/** Starts a store that keeps its objects as files in a directory. */
export async function startS3(dir: string): Promise<S3Store> {
  const port = await freePort();
  const { bucket, accessKeyId, secretAccessKey } = S3_SETTINGS;
  await mkdir(path.join(dir, bucket), { recursive: true });
  async function open() {
    const keys = ['--access', accessKeyId, '--secret', secretAccessKey];
    const server = startProgram([SERVER, '--port', `127.0.0.1:${port}`, ...keys, 'posix', dir]);
    await server.until(() => isOpen(port));
    return server;
  }
  let server = await open();
  return {
    settings: { ...S3_SETTINGS, endpoint: `http://127.0.0.1:${port}` },
    kill: () => server.end('SIGKILL'),
    start: async () => {
      server = await open();
    },
  };
}
