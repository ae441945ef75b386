/** Effect of the shortest wait, in milliseconds. */
export function shortestWaitMeaning(ms: number): string {
  if (ms < 300) return 'Answers at once, and often in the middle of a sentence.';
  if (ms < 700) return 'Answers as quickly as people do; a caller who pauses to think may be cut off.';
  if (ms < 1200) return 'Leaves time for a short pause; answers feel considered.';
  return 'Leaves time to look something up; callers may think that the line is dead.';
}

/** Effect of the longest wait, in milliseconds. */
export function longestWaitMeaning(ms: number): string {
  if (ms < 1500) return 'Does not wait for the rest of an unfinished sentence.';
  if (ms < 4000) return 'Waits for the rest of an unfinished sentence, as in a usual conversation.';
  return 'Waits for somebody who reads out a number or searches for words.';
}

/** Effect of the length of speech that interrupts, in milliseconds. */
export function interruptionMeaning(ms: number): string {
  if (ms < 150) return 'Any sound of the caller stops the agent, a cough too.';
  if (ms < 500) return 'A word stops the agent.';
  if (ms < 1000) return 'A few words stop the agent; “uh-huh” does not.';
  return 'Only a whole sentence stops the agent.';
}

/** Effect of the time of silence after which the agent asks, in seconds. */
export function silenceMeaning(seconds: number): string {
  if (seconds < 6) return 'Asks soon; somebody who looks for a document is disturbed.';
  if (seconds <= 15) return 'Asks after a pause that is long for a conversation.';
  return 'Gives the caller time to fetch something.';
}

/** Effect of the number of prompts after which the agent hangs up. */
export function promptsMeaning(count: number): string {
  if (count === 0) return 'Hangs up without asking.';
  return `Asks ${count === 1 ? 'once' : `up to ${count} times`}, then hangs up.`;
}

/** Effect of the time that somebody has to pick up a call that is screened, in seconds. */
export function pickUpMeaning(seconds: number): string {
  if (seconds < 20) return 'Hangs up soon; somebody who has to find the phone is missed.';
  if (seconds <= 40) return 'As long as a phone usually rings.';
  return 'Waits long; the line is billed meanwhile.';
}

/** Effect of the loudness of a sound beside the agent's words, 1 being as in its file. */
export function loudnessMeaning(share: number): string {
  if (share < 0.5) return 'Hardly heard on a telephone.';
  if (share <= 1.5) return 'As loud as it is in its file; those that come with the worker leave the words clear.';
  return 'Louder than in its file; on a bad line the words may be hard to follow.';
}

/** Effect of a temperature. */
export function temperatureMeaning(value: number): string {
  if (value <= 0.3) return 'Says the same in the same situation; right for facts and forms.';
  if (value <= 0.8) return 'Varies its words, and keeps to its instructions.';
  if (value <= 1.2) return 'Talks freely; tools and rules are followed less exactly.';
  return 'Improvises, and may stop making sense.';
}

/** Effect of a speed of speech; 1 is the normal one. */
export function speedMeaning(value: number): string {
  if (value < 0.85) return 'Slow, for numbers and spelled names.';
  if (value <= 1.15) return 'The normal speed of the voice.';
  if (value <= 1.4) return 'Brisk; older listeners may miss words.';
  return 'Too quick for most listeners.';
}

/** Effect of the longest wait for the first word of a model, in milliseconds. */
export function firstWordMeaning(ms: number): string {
  if (ms < 1500) return 'Gives up soon: a model that is only slow now and then is replaced, too.';
  if (ms <= 5000) return 'The caller notices a pause, and then hears the next model.';
  return 'A long silence before the next model is asked; callers may hang up.';
}
