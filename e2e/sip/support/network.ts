import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { mediaServerConfig } from '@switchboard/testkit/media-server.ts';
import { isOpen } from '@switchboard/testkit/ports.ts';
import { type Program, startProgram } from '@switchboard/testkit/program.ts';
import { RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { CREDENTIALS } from './phones.ts';
import { refusingNetwork, ringingNetwork } from './small-networks.ts';
import { telephoneNetwork } from './telephone-network.ts';
import { createTraceReader, type Dialogue } from './trace.ts';

const SERVER = process.env.LIVEKIT_SERVER_BIN ?? 'livekit-server';
const BRIDGE = process.env.LIVEKIT_SIP_BIN ?? 'livekit-sip';

/** Fixed ports, because nothing else listens in the lab's network namespace. */
export const PORTS = {
  redis: 6379,
  server: 7880,
  rtcTcp: 7881,
  rtcUdp: 7882,
  bridge: 5060,
  service: 8000,
  phones: 5070,
  phonesTcp: 5072,
  ringing: 5074,
  slow: 5076,
  /** Refuses every call. */
  refusing: 5080,
  /** The audio of a caller with speech. */
  callerHandset: 47002,
};
/** Redis keeps its data across restarts, as in compose.yaml. */
const KEPT = ['--appendonly', 'yes', '--appendfsync', 'always'];
const RTP = '20000-29998';
const SLOW_MS = 6_000;
const ACCESS = {
  url: `ws://127.0.0.1:${PORTS.server}`,
  apiKey: 'labkey',
  apiSecret: 'lab-secret-lab-secret-lab-secret-0001',
};

/** A part of the lab that can be killed and restarted. */
interface Part {
  start(): Promise<void>;
  /** Sends SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  output(): string;
}

export interface SipLab {
  url: string;
  apiKey: string;
  apiSecret: string;
  redis: Part;
  server: Part;
  bridge: Part;
  sip: SipClient;
  rooms: RoomServiceClient;
  /** Creates an outbound trunk, to the phones by default, and returns its id. */
  createTrunk(options?: TrunkOptions): Promise<string>;
  /** All messages that the phones have seen. */
  dialogues(): Promise<Dialogue[]>;
  /** A directory that is removed with the lab. */
  dir: string;
  stop(): Promise<void>;
}

interface TrunkOptions {
  address?: string;
  transport?: 'udp' | 'tcp';
  credentials?: { username: string; password: string } | null;
}

/** Destination of the media server's webhooks: the service, or a port where nothing listens. */
export interface LabOptions {
  webhooks?: boolean;
  /** Time that the phones of the slow network ring before they answer or refuse. */
  slowMs?: number;
}

/** Redis, media server, SIP bridge and a phone network, all of them real except the people on the phones. */
export async function startSipLab({ webhooks = true, slowMs = SLOW_MS }: LabOptions = {}): Promise<SipLab> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-sip-'));
  const files = await writeConfig(dir, webhooks);
  const redis = createPart(
    'redis-server',
    ['--port', String(PORTS.redis), '--bind', '127.0.0.1', '--dir', dir, ...KEPT],
    () => isOpen(PORTS.redis),
  );
  const server = createPart(SERVER, ['--config', files.server], () => isOpen(PORTS.server));
  const bridge = createPart(BRIDGE, ['--config', files.bridge], () => isOpen(PORTS.bridge));
  const phones = await createPhones(dir, slowMs);
  async function stop(): Promise<void> {
    for (const part of [bridge, server, redis, phones]) await part.kill();
    await rm(dir, { recursive: true, force: true });
  }
  try {
    for (const part of [redis, server, bridge]) await part.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const { url, apiKey, apiSecret } = ACCESS;
  const sip = new SipClient(url, apiKey, apiSecret);
  return {
    ...ACCESS,
    redis,
    server,
    bridge,
    sip,
    rooms: new RoomServiceClient(url, apiKey, apiSecret),
    dir,
    dialogues: phones.dialogues,
    createTrunk: (options) => createTrunk(sip, options),
    stop,
  };
}

/** Writes the files that the media server and the bridge are started with. */
async function writeConfig(dir: string, webhooks: boolean): Promise<{ server: string; bridge: string }> {
  const { url, apiKey, apiSecret } = ACCESS;
  const files = { server: path.join(dir, 'server.json'), bridge: path.join(dir, 'bridge.json') };
  const server = mediaServerConfig({
    port: PORTS.server,
    tcpPort: PORTS.rtcTcp,
    udpPort: PORTS.rtcUdp,
    redisPort: PORTS.redis,
    webhookPort: webhooks ? PORTS.service : 9,
    apiKey,
    apiSecret,
  });
  const bridge = {
    api_key: apiKey,
    api_secret: apiSecret,
    ws_url: url,
    redis: { address: `127.0.0.1:${PORTS.redis}` },
    sip_port: PORTS.bridge,
    rtp_port: RTP,
    listen_ip: '127.0.0.1',
    nat_1_to_1_ip: '127.0.0.1',
    use_external_ip: false,
    // With the default of 0.9 a busy machine refuses calls.
    max_cpu_utilization: 1.0,
    logging: { level: 'info' },
  };
  await writeFile(files.server, server);
  await writeFile(files.bridge, JSON.stringify(bridge));
  return files;
}

async function createTrunk(sip: SipClient, options: TrunkOptions = {}): Promise<string> {
  const { address = `127.0.0.1:${PORTS.phones}`, transport = 'udp', credentials = CREDENTIALS } = options;
  const login = credentials ? { authUsername: credentials.username, authPassword: credentials.password } : {};
  const trunk = await sip.createSipOutboundTrunk('lab', address, ['+14155550100'], {
    transport: transport === 'udp' ? 1 : 2,
    ...login,
  });
  return trunk.sipTrunkId;
}

/** SIPp: a whole phone network over UDP, the same over TCP, one without room, one that only rings, and a slow one. */
async function createPhones(dir: string, slowMs: number) {
  const [audio, scenario] = [path.join(dir, 'silence.ul'), path.join(dir, 'phones.xml')];
  await writeFile(audio, Buffer.alloc(8000, 0xff));
  await writeFile(scenario, telephoneNetwork(audio));
  const ringing = path.join(dir, 'ringing.xml');
  await writeFile(ringing, ringingNetwork());
  const refusing = path.join(dir, 'refusing.xml');
  await writeFile(refusing, refusingNetwork());
  const slow = path.join(dir, 'slow.xml');
  await writeFile(slow, telephoneNetwork(audio, slowMs));
  const networks = [
    { file: scenario, transport: 'u1', port: PORTS.phones, media: 30000 },
    { file: scenario, transport: 't1', port: PORTS.phonesTcp, media: 40000 },
    { file: ringing, transport: 'u1', port: PORTS.ringing, media: 45000 },
    { file: refusing, transport: 'u1', port: PORTS.refusing, media: 45500 },
    { file: slow, transport: 'u1', port: PORTS.slow, media: 46000 },
  ].map(({ file, transport, port, media }) => {
    const trace = path.join(dir, `phones-${port}.log`);
    const args = ['-sf', file, '-t', transport, '-p', String(port), '-mp', String(media), ...sippOptions(trace)];
    return { read: createTraceReader(trace), program: startSipp(dir, args) };
  });
  await eventually(() => isOpen(PORTS.phonesTcp), Boolean);
  return {
    dialogues: async () => (await Promise.all(networks.map(({ read }) => read()))).flat(),
    kill: async () => {
      for (const { program } of networks) await program.end('SIGKILL');
    },
  };
}

export function sippOptions(trace: string): string[] {
  // An unexpected message is ignored, and is retransmitted: SIPp's own responses would leave the other side waiting.
  return [
    '-default_behaviors',
    'none',
    '-i',
    '127.0.0.1',
    '-mi',
    '127.0.0.1',
    '-nostdin',
    '-trace_msg',
    '-message_file',
    trace,
  ];
}

export function startSipp(cwd: string, args: string[]): Program {
  // The trace uses local time.
  return startProgram(['sipp', ...args], { cwd, env: { ...process.env, TZ: 'UTC' } });
}

function createPart(command: string, args: string[], isReady: () => Promise<boolean>): Part {
  let program: Program | undefined;
  let earlier = '';
  return {
    start: async () => {
      earlier += program?.output() ?? '';
      program = startProgram([command, ...args], { env: process.env });
      await program.until(isReady);
    },
    kill: async () => {
      await program?.end('SIGKILL');
    },
    output: () => earlier + (program?.output() ?? ''),
  };
}
