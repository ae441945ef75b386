import { isObject, type JsonObject } from '../../lib/json.ts';
import type { Session } from '../sessions/sessions.ts';
import type { ToolCallRow } from './tool-calls-store.ts';

/** Keys that the caller has pressed for a tool of `collect_digits`. */
export interface Pressed {
  call_id: string;
  /** The name of the tool's entry. */
  name: string;
  /** Null where only functions of the agent may know them: they are sensitive, or were redacted. */
  digits: string | null;
  is_sensitive: boolean;
  asked_at: Date;
}

/** A call of a tool, as far as it tells of keys. */
interface Told extends Pick<ToolCallRow, 'name' | 'is_error' | 'called_at'> {
  result: string | null;
}

const PREFIX = 'collect_';
const KEYS = /^[0-9*#A-D]{1,32}$/;

/** Whether a call of a tool may have taken keys, by its name and its result. */
export function mayTell({ name, is_error, result }: Omit<Told, 'called_at'>): boolean {
  return name.startsWith(PREFIX) && !is_error && result !== null;
}

/** The keys that a call of a tool has taken; null if it is no tool of the agent for that: its keys may be anything. */
export function pressedIn(session: Session, call: Told, config: JsonObject): Pressed | null {
  const name = call.name.slice(PREFIX.length);
  const { collect_digits } = isObject(config.tools) ? config.tools : {};
  const entries: unknown[] = Array.isArray(collect_digits) ? collect_digits : [];
  const entry = entries.find((one): one is JsonObject => isObject(one) && one.name === name);
  if (!entry || !mayTell(call)) return null;
  const is_sensitive = entry.sensitive === true;
  // Workers report text, or JSON of it.
  const keys = call.result?.replace(/^"(.*)"$/, '$1') ?? '';
  const digits = !is_sensitive && KEYS.test(keys) ? keys : null;
  return { call_id: session.id, name, digits, is_sensitive, asked_at: call.called_at };
}
