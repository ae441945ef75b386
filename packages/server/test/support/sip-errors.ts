import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ServerError, SipCallError } from 'livekit-server-sdk';

/** A failure of dialling as livekit-server-sdk has thrown it, with a real bridge. */
interface Seen {
  case: string;
  after_s: number;
  class: string;
  http: number | null;
  code: string;
  metadata: Record<string, string> | null;
  message: string;
}

const FILE = path.resolve(import.meta.dirname, '../providers/sip-errors.json');
export const SEEN: Seen[] = JSON.parse(readFileSync(FILE, 'utf8')).seen;

/** The error of a recorded failure. */
export function thrown(seen: Seen): Error {
  if (seen.class === 'DOMException') return new DOMException(seen.message, 'TimeoutError');
  const about = [seen.class, seen.message, seen.http ?? 0, seen.code, seen.metadata ?? undefined] as const;
  return seen.class === 'SipCallError' ? new SipCallError(...about) : new ServerError(...about);
}
