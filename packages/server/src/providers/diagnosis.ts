/** The result of one check. A failure says what is wrong and what to do. */
export interface Finding {
  state: 'ok' | 'wrong' | 'not checked';
  check: string;
  text: string;
}

export const ok = (check: string, text: string): Finding => ({ state: 'ok', check, text });
export const wrong = (check: string, text: string): Finding => ({ state: 'wrong', check, text });
export const notChecked = (check: string, text: string): Finding => ({ state: 'not checked', check, text });

/** Reads of the service that a media provider's checks need; it knows neither features nor the database. */
export interface MediaFacts {
  /** Posts an event to the running service's webhook, and returns the status; null if the service is not ready. */
  postEvent: ((body: string, authorization?: string) => Promise<number>) | null;
  /** Whether an event about this room has been stored; or the reason why that cannot be looked up. */
  hasEvent: ((room_name: string) => Promise<boolean>) | { absent: string };
  /** The numbers that agents have; or the reason why they are not known. */
  assignedNumbers(): Promise<string[] | { absent: string }>;
  /** A valid job for a worker in this room, as JSON text. No session has its id. */
  jobIn(room_name: string): string;
}
