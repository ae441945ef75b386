import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type MediaServer, missingMediaServer, startMediaServer } from './media-server.ts';
import { freePorts, isOpen } from './ports.ts';
import { startProgram } from './program.ts';

export interface Lab extends MediaServer {
  /** The port for webhooks of the media server, on which a service has to listen. */
  webhookPort: number;
}

/** Missing programs of the lab, in words; null if it is complete. */
export function missingParts(): string | null {
  const redis = spawnSync('redis-server', ['--version']).error ? 'redis-server (apt-get install redis-server)' : null;
  const missing = [missingMediaServer(), redis].filter((part) => part !== null);
  return missing.length > 0 ? `not on this machine: ${missing.join('; ')}` : null;
}

/** A real media server and its Redis on free loopback ports. */
export async function startLab(): Promise<Lab> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-lab-'));
  const [redisPort = 0, webhookPort = 0] = await freePorts(2);
  const save = ['--save', '', '--dir', dir];
  const redis = startProgram(['redis-server', '--port', String(redisPort), '--bind', '127.0.0.1', ...save]);
  await redis.until(() => isOpen(redisPort));
  const server = await startMediaServer(webhookPort, redisPort);
  return {
    ...server,
    webhookPort,
    stop: async () => {
      await server.stop();
      await redis.end('SIGKILL');
      await rm(dir, { recursive: true });
    },
  };
}
