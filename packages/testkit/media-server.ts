import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts, isOpen } from './ports.ts';
import { startProgram } from './program.ts';

/** As docs/talk.md and .ci/run install it. */
export const MEDIA_SERVER_MODULE = 'github.com/livekit/livekit-server/cmd/server@v1.13.5';
const SERVER = process.env.LIVEKIT_SERVER_BIN || 'livekit-server';

/** Settings of a media server on the loopback interface. */
interface Settings {
  port: number;
  tcpPort: number;
  udpPort: number;
  /** The port for its webhooks, on which a service has to listen. */
  webhookPort: number;
  redisPort?: number | undefined;
  apiKey: string;
  apiSecret: string;
}

export interface MediaServer {
  url: string;
  apiKey: string;
  apiSecret: string;
  stop(): Promise<void>;
}

/** The media server if it is missing on this machine, in words; otherwise null. */
export function missingMediaServer(): string | null {
  return spawnSync(SERVER, ['--version']).error
    ? `livekit-server 1.13 (go install ${MEDIA_SERVER_MODULE} names it "server": set LIVEKIT_SERVER_BIN to it; docs/talk.md)`
    : null;
}

/** The configuration of a media server that is only reachable from this machine, and contacts nobody else. */
export function mediaServerConfig(settings: Settings): string {
  const { port, tcpPort, udpPort, webhookPort, redisPort, apiKey, apiSecret } = settings;
  // JSON is YAML.
  return JSON.stringify({
    port,
    bind_addresses: ['127.0.0.1'],
    rtc: {
      udp_port: udpPort,
      tcp_port: tcpPort,
      use_external_ip: false,
      node_ip: '127.0.0.1',
      // Without STUN servers in its configuration it uses public ones.
      enable_loopback_candidate: true,
      stun_servers: ['127.0.0.1:9'],
      interfaces: { includes: ['lo'] },
    },
    ...(redisPort && { redis: { address: `127.0.0.1:${redisPort}` } }),
    keys: { [apiKey]: apiSecret },
    webhook: { api_key: apiKey, urls: [`http://127.0.0.1:${webhookPort}/api/media/webhook`] },
  });
}

/** A media server on free ports. Without a Redis it has no SIP. */
export async function startMediaServer(webhookPort: number, redisPort?: number): Promise<MediaServer> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-media-'));
  const [port = 0, tcpPort = 0, udpPort = 0] = await freePorts(3);
  const [apiKey, apiSecret] = ['labkey', randomBytes(24).toString('hex')];
  const file = path.join(dir, 'livekit.json');
  const config = mediaServerConfig({ port, tcpPort, udpPort, webhookPort, redisPort, apiKey, apiSecret });
  await writeFile(file, config, { mode: 0o600 });
  const server = startProgram([SERVER, '--config', file]);
  await server.until(() => isOpen(port));
  return {
    url: `ws://127.0.0.1:${port}`,
    apiKey,
    apiSecret,
    stop: async () => {
      // A first SIGTERM lets the media server wait for its rooms.
      await server.end('SIGKILL');
      await rm(dir, { recursive: true });
    },
  };
}
