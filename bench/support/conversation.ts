import { setTimeout as sleep } from 'node:timers/promises';
import { soundsIn } from '@switchboard/testkit/sounds.ts';
import { type Wait, waitsIn } from '@switchboard/testkit/waits.ts';
import { speak } from '../../worker/local/voice.ts';
import type { Caller } from './voice-agents.ts';

/** From joining to the first question: a process that has just started is still busy with that. */
const SETTLE_MS = 3_000;
const QUIET_MS = 250;
const LOOK_MS = 50;
const PATIENCE_MS = 5_000;
const RATE = 24_000;
const question = speak('Where can I park?');

/** The waits of a caller, and the number of questions without an answer. */
export interface Conversation {
  waits: Wait[];
  unanswered: number;
}

/**
 * Asks again and again, each time when the answer is over, while `more` says so. The waits are those in the caller's
 * own recording of both sides; the first one, for which the agent connects to its models, is left out.
 */
export async function converse(caller: Caller, more: (asked: number) => boolean): Promise<Conversation> {
  await sleep(SETTLE_MS);
  let asked = 0;
  for (; more(asked); asked++) {
    await caller.say(await question);
    await hearOut(caller);
    // At no particular moment of the agent's frames.
    await sleep(Math.random() * 2 * LOOK_MS);
  }
  const waits = waitsIn(caller.recording()).slice(1);
  return { waits, unanswered: asked - 1 - waits.length };
}

/** Resolves when the agent has spoken and is silent again, or if it says nothing. */
async function hearOut(caller: Caller): Promise<void> {
  caller.heard();
  const begun = performance.now();
  let last = 0;
  while (last === 0 ? performance.now() - begun < PATIENCE_MS : performance.now() - last < QUIET_MS) {
    await sleep(LOOK_MS);
    if (soundsIn(caller.heard(), RATE).length > 0) last = performance.now();
  }
}

/** The wait that this part of them does not exceed. */
export function percentile(waits: readonly Wait[], part: number): number {
  const sorted = waits.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}
