import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts, isOpen } from './ports.ts';
import { startProgram } from './program.ts';

const SERVER = process.env.LIVEKIT_SERVER_BIN ?? 'livekit-server';
const SECRET = 'lab-secret-lab-secret-lab-secret-0001';

export interface Lab {
  url: string;
  apiKey: string;
  apiSecret: string;
  /** Where the media server posts its webhooks: the port a service has to listen on. */
  webhookPort: number;
  stop(): Promise<void>;
}

/** Programs that the lab needs and this machine lacks, in words, or null. */
export function missingParts(): string | null {
  const missing = [
    [
      SERVER,
      'livekit-server 1.13 (go install github.com/livekit/livekit-server/cmd/server@v1.13.5, or set LIVEKIT_SERVER_BIN)',
    ],
    ['redis-server', 'redis-server (apt-get install redis-server)'],
  ].filter(([command = '']) => spawnSync(command, ['--version']).error);
  return missing.length > 0 ? `not on this machine: ${missing.map(([, what]) => what).join('; ')}` : null;
}

/** A real media server and its Redis on free loopback ports. */
export async function startLab(): Promise<Lab> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-lab-'));
  const [redisPort = 0, port = 0, tcpPort = 0, udpPort = 0, webhookPort = 0] = await freePorts(5);
  const config = path.join(dir, 'livekit.json'); // JSON is YAML.
  await writeFile(
    config,
    JSON.stringify({
      port,
      bind_addresses: ['127.0.0.1'],
      rtc: {
        ...{ udp_port: udpPort, tcp_port: tcpPort, use_external_ip: false, node_ip: '127.0.0.1' },
        ...{ enable_loopback_candidate: true, interfaces: { includes: ['lo'] } },
      },
      redis: { address: `127.0.0.1:${redisPort}` },
      keys: { labkey: SECRET },
      webhook: { api_key: 'labkey', urls: [`http://127.0.0.1:${webhookPort}/api/media/webhook`] },
    }),
  );
  const save = ['--save', '', '--dir', dir];
  const redis = startProgram(['redis-server', '--port', String(redisPort), '--bind', '127.0.0.1', ...save]);
  await redis.until(() => isOpen(redisPort));
  const server = startProgram([SERVER, '--config', config]);
  await server.until(() => isOpen(port));
  return {
    url: `ws://127.0.0.1:${port}`,
    apiKey: 'labkey',
    apiSecret: SECRET,
    webhookPort,
    stop: async () => {
      // A first SIGTERM lets the media server wait for its rooms.
      await server.end('SIGKILL');
      await redis.end('SIGKILL');
      await rm(dir, { recursive: true });
    },
  };
}
