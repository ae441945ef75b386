import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import type { Recording } from '@switchboard/testkit/speaker.ts';
import { createTimeline } from '@switchboard/testkit/timeline.ts';
import { decode, fromLine, LINE_RATE, SILENCE, toLine } from '../../../worker/scenario/phone/g711.ts';
import { createKeyReader, KEY_TYPE, packetsOfKeys } from './keys.ts';
import { toneOf } from './tones.ts';

const FRAME_MS = 20;
const FRAME = (LINE_RATE * FRAME_MS) / 1000;
const HEADER_BYTES = 12;
/** The first packet of a key, in the byte with its type. */
const MARKER = 0x80;
const QUIET = [Buffer.alloc(FRAME, SILENCE)];

/** Microphone, earpiece and keys of one phone: its audio, as RTP with G.711 μ-law, and events (RFC 4733). */
export interface Handset {
  /** Plays 24 kHz samples into the call; resolves when they have been played. */
  say(samples: Int16Array): Promise<void>;
  /** Plays a tone of this frequency from now on, whenever nothing is said; null ends it. */
  hum(hertz: number | null): void;
  /** Presses keys one after another; resolves when the last one has been released. */
  press(keys: string): Promise<void>;
  /** All keys that were pressed at the other end, in their order. */
  keys(): string;
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
  const keys = createKeyReader();
  socket.on('message', (packet, from) => {
    keys.read(packet);
    const audio = audioOf(packet);
    if (!audio) return;
    far = from;
    chunks.push(audio);
    // A phone plays a packet when it has come.
    received.add(Int16Array.from(audio, decode), Date.now());
  });

  let queue: Buffer[] = [];
  let humming: Buffer[] = QUIET;
  let pressing: ReturnType<typeof packetsOfKeys> = [];
  let [spoken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let sent = 0;
  const begun = Date.now();
  // Based on the clock and not the timer: a late timer sends everything that is due.
  const talking = setInterval(() => {
    for (; sent < (Date.now() - begun) / FRAME_MS; sent++) {
      if (!far) continue;
      const key = pressing.shift();
      if (pressing.length === 0) released.resolve();
      if (key) {
        const type = KEY_TYPE | (key.at === 0 ? MARKER : 0);
        socket.send(packetOf(key.payload, sent, type, sent - key.at), far.port, far.address);
        continue;
      }
      const next = queue.shift();
      if (!next) spoken.resolve();
      // The sound of a packet was said before it is sent.
      if (next) said.add(Int16Array.from(next, decode), begun + (sent - 1) * FRAME_MS);
      const frame = next ?? humming[sent % humming.length] ?? assert.fail();
      socket.send(packetOf(frame, sent), far.port, far.address);
    }
  }, FRAME_MS);
  return {
    say: (samples) => {
      spoken = Promise.withResolvers();
      queue = framesOf(toLine(samples));
      return spoken.promise;
    },
    hum: (hertz) => {
      // Whole periods in a second.
      humming = hertz === null ? QUIET : framesOf(toLine(toneOf(hertz, 1)));
    },
    press: (digits) => {
      released = Promise.withResolvers();
      pressing = packetsOfKeys(digits, FRAME);
      return released.promise;
    },
    keys: keys.keys,
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

/** The RTP packet of a frame, which is the `count`th after the first; `time` is the one of which it tells. */
function packetOf(frame: Buffer, count: number, type = 0, time = count): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(0x80, 0);
  header.writeUInt8(type, 1);
  header.writeUInt16BE(count & 0xffff, 2);
  header.writeUInt32BE((time * FRAME) >>> 0, 4);
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
