import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../../test/support/service.ts';

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
  const [redisPort, port, tcpPort, udpPort, webhookPort] = (await freePorts(5)) as [
    number,
    number,
    number,
    number,
    number,
  ];
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
  const redis = spawn(
    'redis-server',
    ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', dir],
    { stdio: 'ignore' },
  );
  await eventually(() => isOpen(redisPort), Boolean);
  const server = spawn(SERVER, ['--config', config], { stdio: 'ignore' });
  await eventually(() => isOpen(port), Boolean);
  return {
    url: `ws://127.0.0.1:${port}`,
    apiKey: 'labkey',
    apiSecret: SECRET,
    webhookPort,
    stop: async () => {
      await kill(server);
      await kill(redis);
      await rm(dir, { recursive: true });
    },
  };
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  // A first SIGTERM lets the media server wait for its rooms.
  child.kill('SIGKILL');
  await exit;
}

/** Ports that were free a moment ago, all different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = net.createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
