import { openSync, readFileSync, writeSync } from 'node:fs';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { createSandboxMedia, type SandboxMedia } from '../../packages/server/src/providers/sandbox/media.ts';

/** A phone that was dialled. */
export interface Dial {
  /** Tells attempts apart: the room of the call, or the job and its attempt. */
  attempt: string;
  phone_number: string;
  /** By the clock of the machine that only goes forward, which all processes share, whatever their time of day. */
  atMs: number;
}

export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;

/**
 * The stand-in for the carrier, which notes each phone before it rings: in a file, because what a process keeps dies
 * with it. One write of a line to a file that is open for appending is whole, whoever else writes. Who answers hangs
 * up after `talkMs`.
 */
export function recordingCarrier(file: string, { ringMs, talkMs }: { ringMs: number; talkMs: number }): SandboxMedia {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs });
  const record = openSync(file, 'a');
  return {
    ...sandbox,
    dial: async (request, canceled) => {
      const { room_name, identity, phone_number } = request;
      writeSync(record, `${room_name} ${phone_number} ${monotonicMs()}\n`);
      const outcome = await sandbox.dial(request, canceled);
      if (outcome.answered) setTimeout(() => sandbox.hangUp(room_name, identity), talkMs);
      return outcome;
    },
  };
}

export function readRecord(file: string): Dial[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [attempt = '', phone_number = '', at] = line.split(' ');
    return { attempt, phone_number, atMs: Number(at) };
  });
}

/** Dials beyond the first of an attempt. */
export function dialledTwice(dials: Dial[]): number {
  return dials.length - new Set(dials.map(({ attempt }) => attempt)).size;
}
