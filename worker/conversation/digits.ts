import { llm } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import type { Tools } from './config.ts';
import { onCallersKey } from './participants.ts';

/** A tool that has the caller press keys. */
export type DigitsConfig = NonNullable<Tools['collect_digits']>[number];

interface Deps {
  room: Pick<Room, 'on' | 'off'>;
  /** Values for the texts of functions. */
  variables: Record<string, unknown>;
  /** Shared by the tools of a call: keys belong to one entry. */
  entry: { isOn: boolean };
  /** Keeps the call out of its recording until the returned function is called. */
  mute: () => () => void;
  /** Has the agent not sound as if it thought, until the returned function is called. */
  silenceThinking?: (() => () => void) | undefined;
}

const MAX = 32;
const TIMEOUT_S = 10;
/** The last key may still be heard for this long, where a line carries it as sound as well. */
const TAIL_MS = 600;

/**
 * A tool whose result is the keys that the caller presses, also while the agent still asks for them. Sensitive ones are
 * known to functions alone, as `{{name}}`: not to the model, the transcript, the recording, or a log.
 */
export function collectDigitsTool(config: DigitsConfig, { room, variables, entry, mute, silenceThinking }: Deps) {
  const { name, description, max = MAX, finish_on = '#', timeout_s = TIMEOUT_S, sensitive = false } = config;
  const wrong = (what: string) => new Error(`The agent's config is wrong: tools.collect_digits: ${what}`);
  if (!/^[a-zA-Z_]\w{0,47}$/.test(name ?? '')) throw wrong(`${JSON.stringify(name)} is no name`);
  if (!description) throw wrong(`${name} has no description`);
  if (!Number.isInteger(max) || max < 1 || max > MAX) throw wrong(`max of ${name} must be 1 to ${MAX}`);
  if (!/^[0-9*#]?$/.test(finish_on)) throw wrong(`finish_on of ${name} must be one key, or empty`);
  if (!(timeout_s >= 1 && timeout_s <= 60)) throw wrong(`timeout_s of ${name} must be 1 to 60`);
  return llm.tool({
    name: `collect_${name}`,
    description: `Waits for the caller to press keys of the telephone: ${description}. Ask for them in the same breath.`,
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    onDuplicate: 'reject',
    execute: async (_args: object, { ctx, abortSignal }) => {
      if (entry.isOn) throw new llm.ToolError('The caller is entering other keys. Ask for these afterwards.');
      // Somebody who speaks meanwhile would end the entry half way.
      ctx.speechHandle._holdInterruptions();
      const unmute = sensitive ? mute() : () => {};
      const thinkAloud = silenceThinking?.();
      const keys = collectKeys(room, { max, finish_on, timeout_s }, abortSignal);
      entry.isOn = true;
      try {
        await ctx.waitForPlayout();
        const pressed = await keys.wait();
        if (abortSignal?.aborted) throw new llm.ToolError('The entry was interrupted. Ask for all keys again.');
        if (pressed === '') throw new llm.ToolError('The caller has pressed no key.');
        variables[name] = pressed;
        return sensitive ? `The caller has pressed ${pressed.length} keys, which only functions may know.` : pressed;
      } finally {
        keys.stop();
        entry.isOn = false;
        thinkAloud?.();
        setTimeout(unmute, sensitive ? TAIL_MS : 0);
        // Somebody may interrupt what the agent says of them.
        ctx.speechHandle._releaseInterruptions();
      }
    },
  });
}

/** Counts the entries of keys, in which nothing else is to be heard. */
export function countEntries<T extends { silenceThinking: () => () => void }>(background: T) {
  let entries = 0;
  return {
    ...background,
    isEntering: (): boolean => entries > 0,
    silenceThinking: (): (() => void) => {
      const end = background.silenceThinking();
      entries++;
      return () => {
        entries--;
        end();
      };
    },
  };
}

interface Limits {
  max: number;
  finish_on: string;
  timeout_s: number;
}

/** Takes the keys from now on. `wait` resolves once they are complete, or none has come for a while. */
function collectKeys(room: Deps['room'], { max, finish_on, timeout_s }: Limits, aborted?: AbortSignal) {
  let pressed = '';
  let isComplete = false;
  let notify = () => {};
  const stop = onCallersKey(room, (sent) => {
    if (isComplete) return;
    // The SIP bridge tells A to D in lower case.
    const key = sent.toUpperCase();
    if (key === finish_on) isComplete = true;
    else if (/^[0-9*#A-D]$/.test(key)) pressed += key;
    isComplete ||= pressed.length >= max;
    notify();
  });
  return {
    wait: async (): Promise<string> => {
      while (!isComplete && !aborted?.aborted) {
        const before = pressed;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeout_s * 1000);
          notify = () => {
            clearTimeout(timer);
            resolve();
          };
          aborted?.addEventListener('abort', notify, { once: true });
        });
        if (pressed === before) break;
      }
      return pressed;
    },
    stop,
  };
}
