/** Keys of a telephone as events in RTP (RFC 4733). */

/** Keys in the order of their events. */
const KEYS = '0123456789*#ABCD';
/** The payload type of keys in the session descriptions of the phones. */
export const KEY_TYPE = 101;
/** Packets of a key while it is held, of its end, which is told three times, and of sound before the next key. */
const [HELD, ENDING, RELEASED] = [6, 3, 5];
const [END, LOUDNESS] = [0x80, 10];

/** A packet of a key. */
interface KeyPacket {
  /** Number of packets since the key was pressed, which is the time that it has. */
  at: number;
  payload: Buffer;
}

/** Packets of 20 ms, with `samples` each, that press keys one after another; null is one of sound. */
export function packetsOfKeys(keys: string, samples: number): (KeyPacket | null)[] {
  return [...keys].flatMap((key) => {
    const packets = Array.from({ length: HELD + ENDING }, (_, at) => {
      const payload = Buffer.from([KEYS.indexOf(key), LOUDNESS | (at >= HELD ? END : 0), 0, 0]);
      payload.writeUInt16BE(Math.min(at + 1, HELD) * samples, 2);
      return { at, payload };
    });
    return [...packets, ...Array.from({ length: RELEASED }, () => null)];
  });
}

/** Reads the keys in packets: those with the same time are of one key, and the last of them says that it has ended. */
export function createKeyReader() {
  const pressed = new Map<number, { key: string; isOver: boolean }>();
  return {
    /** Ignores packets of another kind. */
    read: (packet: Buffer): void => {
      if (packet.length < 16 || (packet.readUInt8(1) & 0x7f) !== KEY_TYPE) return;
      const [time, payload] = [packet.readUInt32BE(4), packet.subarray(12)];
      const one = pressed.get(time) ?? { key: KEYS[payload.readUInt8(0)] ?? '?', isOver: false };
      one.isOver ||= (payload.readUInt8(1) & END) !== 0;
      pressed.set(time, one);
    },
    /** Those that were pressed and released, in their order. */
    keys: (): string => [...pressed.values()].flatMap(({ key, isOver }) => (isOver ? key : [])).join(''),
  };
}
