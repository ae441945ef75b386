import { v7, validate } from 'uuid';

/** A new UUIDv7: ids of one process sort by the time they were made. */
export function newId(): string {
  return v7();
}

/** The least id that can have been made at this time: what was made before is less, what was made after is more. */
export function idsFrom(time: Date): string {
  return v7({ msecs: time.getTime(), seq: 0, random: new Uint8Array(16) });
}

/** Whether PostgreSQL's `uuid` type would take it; anything else cannot name a resource of ours. */
export function isId(value: string): boolean {
  return validate(value);
}
