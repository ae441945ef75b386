import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromLine, LINE_RATE, SILENCE, toLine } from './g711.ts';

export const PACKET_MS = 20;
const PACKET = (LINE_RATE * PACKET_MS) / 1000;
const HEADER_BYTES = 12;
const PCMU = 0;
/** Keys by their event (RFC 4733). */
const KEYS = '0123456789*#ABCD';
/** Packets while a key is held, of its end, which is told three times, and until the next key: 300 ms together. */
const [HELD, ENDING, RELEASED] = [8, 3, 4];
const [MARKER, END, LOUDNESS] = [0x80, 0x80, 10];

/** Where the other end of a call hears, and the payload type by which it knows keys. */
export interface FarEnd {
  host: string;
  port: number;
  keys: number;
}

export type Sound = Awaited<ReturnType<typeof openSound>>;

/** The sound of a phone, as RTP with G.711 μ-law, and its keys as events (RFC 4733). `hear` takes 24 kHz samples. */
export async function openSound(hear: (samples: Int16Array) => void) {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  // Whatever is wrong with a packet, the next one is another.
  socket.on('error', () => {});
  socket.on('message', (packet) => {
    const sound = soundOf(packet);
    if (sound) hear(fromLine(sound));
  });
  let far: FarEnd | null = null;
  let begun = 0;
  let count = 0;
  let keys: KeyPacket[] = [];
  let pressed: (() => void) | null = null;

  function post(type: number, timestamp: number, payload: Buffer, marker = 0): void {
    if (far) socket.send(Buffer.concat([headerOf(type | marker, count, timestamp), payload]), far.port, far.host);
  }

  return {
    port: socket.address().port,
    /** From now on packets are sent. */
    connect: (to: FarEnd): void => {
      far = to;
      begun = performance.now();
    },
    /** Sends 20 ms once they are over; null is a packet that is lost on the way. Keys are sent instead of sound. */
    send: async (samples: Int16Array | null): Promise<void> => {
      count += 1;
      await sleep(Math.max(0, begun + count * PACKET_MS - performance.now()));
      const key = keys.shift();
      if (!key) pressed?.();
      if (key?.event !== undefined && far)
        post(far.keys, (count - key.at) * PACKET, eventOf(key), key.at === 0 ? MARKER : 0);
      else if (samples) post(PCMU, count * PACKET, toLine(samples));
      else if (key) post(PCMU, count * PACKET, Buffer.alloc(PACKET, SILENCE));
    },
    /** Presses keys one after another, while packets are sent. */
    press: async (digits: string): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      pressed = resolve;
      keys = [...digits].flatMap((digit) => packetsOf(KEYS.indexOf(digit)));
      await promise;
    },
    close: (): Promise<void> => new Promise((resolve) => socket.close(resolve)),
  };
}

/** A packet of a key, so many after the first; without an event it is silence after the key. */
interface KeyPacket {
  event?: number;
  at: number;
}

function packetsOf(event: number): KeyPacket[] {
  const held = Array.from({ length: HELD + ENDING }, (_, at) => ({ event, at }));
  return [...held, ...Array.from({ length: RELEASED }, (_, at) => ({ at: held.length + at }))];
}

function eventOf({ event = 0, at }: KeyPacket): Buffer {
  const payload = Buffer.from([event, LOUDNESS | (at >= HELD ? END : 0), 0, 0]);
  payload.writeUInt16BE(Math.min(at + 1, HELD) * PACKET, 2);
  return payload;
}

function headerOf(type: number, count: number, timestamp: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(0x80, 0);
  header.writeUInt8(type, 1);
  header.writeUInt16BE(count & 0xffff, 2);
  header.writeUInt32BE(timestamp >>> 0, 4);
  header.writeUInt32BE(1, 8);
  return header;
}

/** The sound of an RTP packet; null for one of another kind. */
function soundOf(packet: Buffer): Buffer | null {
  const isSound = packet.length > HEADER_BYTES && ((packet[1] ?? 0) & 0x7f) === PCMU;
  return isSound ? packet.subarray(HEADER_BYTES + 4 * ((packet[0] ?? 0) & 0x0f)) : null;
}
