import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import type { Recording } from '@switchboard/testkit/speaker.ts';
import { createTimeline } from '@switchboard/testkit/timeline.ts';
import { decode, fromLine, LINE_RATE, SILENCE, toLine } from '../../../worker/scenario/phone/g711.ts';

const FRAME_MS = 20;
const FRAME = (LINE_RATE * FRAME_MS) / 1000;
const HEADER_BYTES = 12;

/** Microphone and earpiece of one phone: its audio, as RTP with G.711 μ-law. */
export interface Handset {
  /** Plays 24 kHz samples into the call; resolves when they have been played. */
  say(samples: Int16Array): Promise<void>;
  /** 24 kHz samples received since the last call. */
  heard(): Int16Array;
  /** Both sides as they were at the phone, from this time on, in milliseconds since 1970. */
  recording(start: number): Recording;
  close(): Promise<void>;
}

/** Sends to the source address of incoming audio: the side that dialed sends first. */
export async function openHandset(port: number): Promise<Handset> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  await once(socket, 'listening');
  let far: RemoteInfo | undefined;
  let chunks: Buffer[] = [];
  const [said, received] = [createTimeline(LINE_RATE), createTimeline(LINE_RATE)];
  socket.on('message', (packet, from) => {
    const audio = audioOf(packet);
    if (!audio) return;
    far = from;
    chunks.push(audio);
    // A phone plays a packet when it has come.
    received.add(Int16Array.from(audio, decode), Date.now());
  });

  let queue: Buffer[] = [];
  let spoken = Promise.withResolvers<void>();
  let sent = 0;
  const begun = Date.now();
  // Based on the clock and not the timer: a late timer sends everything that is due.
  const talking = setInterval(() => {
    for (; sent < (Date.now() - begun) / FRAME_MS; sent++) {
      if (!far) continue;
      const next = queue.shift();
      if (!next) spoken.resolve();
      // The sound of a packet was said before it is sent.
      if (next) said.add(Int16Array.from(next, decode), begun + (sent - 1) * FRAME_MS);
      socket.send(packetOf(next ?? Buffer.alloc(FRAME, SILENCE), sent), far.port, far.address);
    }
  }, FRAME_MS);
  return {
    say: (samples) => {
      spoken = Promise.withResolvers();
      queue = framesOf(toLine(samples));
      return spoken.promise;
    },
    heard: () => {
      const all = fromLine(Buffer.concat(chunks));
      chunks = [];
      return all;
    },
    recording: (start) => ({ start, rate: LINE_RATE, said: said.from(start), heard: received.from(start) }),
    close: async () => {
      clearInterval(talking);
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The audio of an RTP packet; null for one of another kind, such as dialled digits. */
function audioOf(packet: Buffer): Buffer | null {
  const isAudio = packet.length > HEADER_BYTES && ((packet[1] ?? 0) & 0x7f) === 0;
  return isAudio ? packet.subarray(HEADER_BYTES + 4 * ((packet[0] ?? 0) & 0x0f)) : null;
}

/** The RTP packet of a frame, which is the `count`th after the first. */
function packetOf(frame: Buffer, count: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(0x80, 0);
  header.writeUInt16BE(count & 0xffff, 2);
  header.writeUInt32BE((count * FRAME) >>> 0, 4);
  header.writeUInt32BE(1, 8);
  return Buffer.concat([header, frame]);
}

/** Frames of 20 ms; the last one ends in silence. */
function framesOf(line: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(line.length / FRAME) }, (_, index) => {
    const frame = Buffer.alloc(FRAME, SILENCE);
    line.copy(frame, 0, index * FRAME, (index + 1) * FRAME);
    return frame;
  });
}
