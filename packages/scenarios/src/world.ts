import { applyPatch, type Operation } from 'rfc6902';
import { includes } from './match.ts';
import type { Outcome, StandIn } from './schema.ts';

/** The answer of a tool that a stand-in plays. */
export interface Answer {
  /** As the model reads it: JSON, or the text to the letter. */
  text: string;
  isError: boolean;
  /** How long it took, in milliseconds of the virtual clock. */
  ms: number;
}

/** A tool that does not answer in time is given up after this, as a function without a `timeout_s` is. */
const TIMEOUT_MS = 10_000;

const TOO_LATE = JSON.stringify({ error: 'no answer in time' });

/** The state that the tools of a scenario read and change. They touch nothing outside of it. */
export function createWorld(initial: object, tools: Record<string, StandIn | StandIn[]>) {
  const state: Record<string, unknown> = structuredClone({ ...initial });
  const calls = new Map<string, number>();

  /** Calls a tool. One without a stand-in fails, and says so: a test does not call anybody. */
  function call(name: string, args: Record<string, unknown>, timeoutMs = TIMEOUT_MS): Answer {
    const count = (calls.get(name) ?? 0) + 1;
    calls.set(name, count);
    const standIns = Object.hasOwn(tools, name) ? [tools[name] ?? []].flat() : [];
    for (const standIn of standIns) {
      if (applies(standIn, args, count)) return play(standIn, timeoutMs);
      if (standIn.else && applies(standIn.else, args, count)) return play(standIn.else, timeoutMs);
    }
    const problem = standIns.length === 0 ? 'has no stand-in' : 'has no stand-in for these arguments';
    return { text: JSON.stringify({ error: `${name} ${problem}` }), isError: true, ms: 0 };
  }

  function play(outcome: Outcome, timeoutMs: number): Answer {
    const { patch = [], status = 200, after_ms = 0, time_out, text, return: value } = outcome;
    const ms = Math.min(after_ms, timeoutMs);
    if (time_out) return { text: TOO_LATE, isError: true, ms: timeoutMs };
    const [failed] = applyPatch(state, structuredClone(patch) as Operation[]).filter((error) => error !== null);
    if (failed) return { text: JSON.stringify({ error: `the patch failed: ${failed.message}` }), isError: true, ms };
    // Whatever answers late has done its work nevertheless.
    if (after_ms > timeoutMs) return { text: TOO_LATE, isError: true, ms };
    const body = text ?? JSON.stringify(value === undefined ? { ok: status < 300 } : value);
    return { text: status < 300 ? body : JSON.stringify({ error: `status ${status}` }), isError: status >= 300, ms };
  }

  return { call, state };
}

function applies({ when = {}, on_call }: Outcome, args: Record<string, unknown>, count: number): boolean {
  return (on_call === undefined || on_call === count) && includes(args, when);
}
