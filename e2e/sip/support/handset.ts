import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
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

/** Sends to the source address of incoming audio: the side that dialled sends first. */
export async function openHandset(port: number): Promise<Handset> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  await once(socket, 'listening');
  const ear = openEar(socket);
  const mouth = openMouth(socket, ear.far);
  return {
    say: mouth.say,
    hum: mouth.hum,
    press: mouth.press,
    keys: ear.keys,
    heard: ear.heard,
    recording: (start) => ({ start, rate: LINE_RATE, said: mouth.said.from(start), heard: ear.received.from(start) }),
    close: async () => {
      mouth.close();
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** Takes the audio and the keys of the other end. */
function openEar(socket: Socket) {
  const received = createTimeline(LINE_RATE);
  const keys = createKeyReader();
  let far: RemoteInfo | undefined;
  let chunks: Buffer[] = [];
  socket.on('message', (packet, from) => {
    keys.read(packet);
    const audio = audioOf(packet);
    if (!audio) return;
    far = from;
    chunks.push(audio);
    // A phone plays a packet when it has come.
    received.add(Int16Array.from(audio, decode), Date.now());
  });
  return {
    received,
    keys: keys.keys,
    /** Where the audio comes from; undefined before any has. */
    far: () => far,
    heard: () => {
      const all = fromLine(Buffer.concat(chunks));
      chunks = [];
      return all;
    },
  };
}

/** Sends a packet every 20 ms: of a key that is pressed, of what is said, or of what hums meanwhile. */
function openMouth(socket: Socket, farOf: () => RemoteInfo | undefined) {
  const said = createTimeline(LINE_RATE);
  let queue: Buffer[] = [];
  let humming: Buffer[] = QUIET;
  let pressing: ReturnType<typeof packetsOfKeys> = [];
  let [spoken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let sent = 0;
  const begun = Date.now();

  function packet(): Buffer {
    const key = pressing.shift();
    if (pressing.length === 0) released.resolve();
    if (key) return packetOf(key.payload, sent, KEY_TYPE | (key.at === 0 ? MARKER : 0), sent - key.at);
    const next = queue.shift();
    if (!next) spoken.resolve();
    // The sound of a packet was said before it is sent.
    if (next) said.add(Int16Array.from(next, decode), begun + (sent - 1) * FRAME_MS);
    return packetOf(next ?? humming[sent % humming.length] ?? assert.fail(), sent);
  }

  // Based on the clock and not the timer: a late timer sends everything that is due.
  const talking = setInterval(() => {
    const far = farOf();
    for (; sent < (Date.now() - begun) / FRAME_MS; sent++) if (far) socket.send(packet(), far.port, far.address);
  }, FRAME_MS);
  return {
    said,
    say: (samples: Int16Array) => {
      spoken = Promise.withResolvers();
      queue = framesOf(toLine(samples));
      return spoken.promise;
    },
    hum: (hertz: number | null) => {
      // Whole periods in a second.
      humming = hertz === null ? QUIET : framesOf(toLine(toneOf(hertz, 1)));
    },
    press: (digits: string) => {
      released = Promise.withResolvers();
      pressing = packetsOfKeys(digits, FRAME);
      return released.promise;
    },
    close: () => clearInterval(talking),
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
