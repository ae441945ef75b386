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

/** Keys of a telephone on the timeline of a call: the caller's for a tool of `collect_digits`, or the agent's. */
export interface TimelineKeys {
  speaker: 'USER' | 'AGENT';
  /** The name of the tool's entry; null for keys of the agent. */
  name: string | null;
  digits: string | null;
  is_sensitive: boolean;
  /** When the tool was called. */
  created_at: Date;
}

/** A call of a tool, as far as it tells of keys. */
interface CalledTool extends Pick<ToolCallRow, 'name' | 'is_error' | 'called_at'> {
  result: string | null;
}

const PREFIX = 'collect_';
/** The tool with which an agent presses keys itself. */
const PRESSES = 'send_dtmf';
/** Names of tools that press or take keys, as patterns of `like`. */
export const TOOLS_OF_KEYS = [PRESSES, `${PREFIX}%`].map((name) => name.replaceAll('_', '\\_'));
const KEYS = /^[0-9*#A-D]{1,32}$/;

/** Whether a call of a tool may have taken keys, by its name and its result. */
export function mayHaveKeys({ name, is_error, result }: Omit<CalledTool, 'called_at'>): boolean {
  return name.startsWith(PREFIX) && !is_error && result !== null;
}

/** The keys that a call of a tool has taken; null if it is no tool of the agent for that: its keys may be anything. */
export function pressedIn(session: Session, call: CalledTool, config: JsonObject): Pressed | null {
  const name = call.name.slice(PREFIX.length);
  const { collect_digits } = isObject(config.tools) ? config.tools : {};
  const entries: unknown[] = Array.isArray(collect_digits) ? collect_digits : [];
  const entry = entries.find((one): one is JsonObject => isObject(one) && one.name === name);
  if (!entry || !mayHaveKeys(call)) return null;
  const is_sensitive = entry.sensitive === true;
  // Workers report text, or JSON of it.
  const keys = call.result?.replace(/^"(.*)"$/, '$1') ?? '';
  const digits = !is_sensitive && KEYS.test(keys) ? keys : null;
  return { call_id: session.id, name, digits, is_sensitive, asked_at: call.called_at };
}

/** The keys of a call of a tool on the timeline; null if it is no tool of the agent that presses or takes them. */
export function keysIn(
  session: Session,
  call: CalledTool & { arguments: JsonObject },
  config: JsonObject,
): TimelineKeys | null {
  const created_at = call.called_at;
  if (call.name === PRESSES) {
    const hasPressed = isObject(config.tools) && config.tools.dtmf === true && !call.is_error && call.result !== null;
    const keys = String(call.arguments.digits ?? '').toUpperCase();
    const digits = KEYS.test(keys) ? keys : null;
    return hasPressed ? { speaker: 'AGENT', name: null, digits, is_sensitive: false, created_at } : null;
  }
  const pressed = pressedIn(session, call, config);
  if (!pressed) return null;
  const { name, digits, is_sensitive } = pressed;
  return { speaker: 'USER', name, digits, is_sensitive, created_at };
}
