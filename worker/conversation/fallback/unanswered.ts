import type { llm } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';

/** Speech that is kept for the next model: longer than what people say without a pause. */
const KEPT_S = 30;
/** Sound before a model notices that somebody speaks. */
const BEFORE_S = 1;

/** Speech of the caller since the last answer began: the next model hears it once more. */
export class Unanswered {
  #frames: AudioFrame[] = [];
  #seconds = 0;
  /** Until a model has heard anything, all may be speech. */
  #isSpeech = true;
  #repeated = 0;

  push(frame: AudioFrame): void {
    this.#frames.push(frame);
    this.#seconds += seconds(frame);
    this.#trim(this.#isSpeech ? KEPT_S : BEFORE_S);
  }

  /** The caller begins to speak. */
  begin(): void {
    this.#isSpeech = true;
  }

  /** An answer begins. */
  answered(): void {
    this.#isSpeech = false;
    this.#repeated = 0;
    this.#trim(BEFORE_S);
  }

  /** Whether there is anything to be answered. */
  get repeats(): boolean {
    return this.#isSpeech && this.#frames.length > 0;
  }

  /** Removes what the caller said last from a conversation in which it will be heard again. */
  forget(context: llm.ChatContext): void {
    for (;;) {
      const last = context.items.at(-1);
      if (last?.type !== 'message' || last.role !== 'user') return;
      context.items.pop();
      this.#repeated = 1;
    }
  }

  /** The caller's last words are handed over, though they will be heard again. */
  markHandedOver(): void {
    if (this.#isSpeech) this.#repeated = 1;
  }

  /** Whether the next words of the caller were already handed over; only once. */
  isRepeated(): boolean {
    const isRepeated = this.#repeated > 0;
    this.#repeated = 0;
    return isRepeated;
  }

  /** The frames for the next model: all of them, or those before the caller is noticed. */
  take(isAll: boolean): readonly AudioFrame[] {
    if (!isAll) this.#trim(BEFORE_S);
    return [...this.#frames];
  }

  #trim(limit: number): void {
    while (this.#seconds > limit) {
      const frame = this.#frames.shift();
      if (!frame) return;
      this.#seconds -= seconds(frame);
    }
  }
}

const seconds = ({ samplesPerChannel, sampleRate }: AudioFrame) => samplesPerChannel / sampleRate;
