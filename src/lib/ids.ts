import { v7, validate } from 'uuid';

/** A new UUIDv7: ids of one process sort by the time they were made. */
export function newId(): string {
  return v7();
}

/** Whether PostgreSQL's `uuid` type would take it; anything else cannot name a resource of ours. */
export function isId(value: string): boolean {
  return validate(value);
}
