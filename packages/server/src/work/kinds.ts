import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { Held } from './store.ts';

/** Work that this process holds, as its kind sees it. */
export interface Task<Payload = unknown> extends Pick<Held, 'key' | 'attempts'> {
  payload: Payload;
  /** Extends the lease. Throws if another process may have it by now, or if this one is stopping. */
  renew(): Promise<void>;
}

/** Work of one kind. It is done at least once: a process that dies, or is held up, may have done part of it. */
export interface Kind<Payload extends TSchema = TSchema> {
  /** Schema of the stored payload. Work whose payload does not fit, of another release, fails and is tried again. */
  payload?: Payload;
  /** Returns when it is to be done again; null if it is done. After an error it is tried again, later each time. */
  run(task: Task<Static<Payload>>): Promise<Date | null>;
  /** Recurring work, which every process adds when it starts: the pause after each round, in milliseconds. */
  everyMs?: number;
  /** Tasks at a time in one process; 1 by default. */
  concurrency?: number;
  /** After this long without a sign of life of its process another one takes it; a minute by default. */
  leaseMs?: number;
}

/** By the names under which work is stored. */
export type Kinds = Record<string, Kind>;

export const leaseOf = ({ leaseMs = 60_000 }: Kind) => leaseMs;

/** The stored payload of a kind. Throws if it does not fit: it would be misread. */
export function parsePayload<Payload extends TSchema>(schema: Payload, stored: unknown): Static<Payload> {
  if (!Check(schema, stored)) throw new Error('The payload was stored by another release, which has to do this work.');
  return stored;
}
