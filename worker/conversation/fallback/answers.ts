import { type ReadableStream, TransformStream } from 'node:stream/web';
import { APITimeoutError, type llm } from '@livekit/agents';

/** An answer of a speech-to-speech model. */
export interface Answer {
  /** Words so far. */
  said: string;
  /** Instructions that it follows, if it was asked for. */
  asked: string | undefined;
}

type Text = llm.MessageGeneration['textStream'] extends ReadableStream<infer T> ? T : never;

interface Following {
  /** The longest wait for the next word or sound. */
  withinMs: number;
  stalled(error: Error): void;
  /** Called with the first word or sound of an answer, and with a call of a tool. */
  begun(): void;
}

/** Follows the answers of a speech-to-speech model: which one is under way, how far it is, and whether it stalls. */
export function createAnswers({ withinMs, stalled, begun }: Following) {
  let current: Answer | null = null;
  let timer: NodeJS.Timeout | undefined;

  const isCurrent = (answer: Answer) => current === answer;
  const late = () => stalled(new APITimeoutError({ message: `nothing for ${withinMs} ms` }));

  function wait(answer: Answer): void {
    if (!isCurrent(answer)) return;
    clearTimeout(timer);
    timer = setTimeout(late, withinMs);
  }

  function end(answer: Answer): void {
    if (!isCurrent(answer)) return;
    clearTimeout(timer);
    current = null;
  }

  /** Passes a stream on at the pace of the provider, not of the listener: an answer ends when all of it is here. */
  function watched<T>(answer: Answer, note: (one: T) => void, done?: () => void): TransformStream<T, T> {
    const transform = (one: T, out: { enqueue(one: T): void }) => {
      wait(answer);
      note(one);
      out.enqueue(one);
    };
    return new TransformStream({ transform, ...(done && { flush: done }) }, undefined, {
      highWaterMark: Number.POSITIVE_INFINITY,
    });
  }

  return {
    /** An answer that begins now, with streams that are watched. */
    follow(created: llm.GenerationCreatedEvent, asked?: string): llm.GenerationCreatedEvent {
      const answer: Answer = { said: '', asked };
      current = answer;
      wait(answer);
      const add = (text: Text) => {
        answer.said += typeof text === 'string' ? text : text.text;
        begun();
      };
      const message = (one: llm.MessageGeneration) => {
        one.textStream = one.textStream.pipeThrough(watched(answer, add));
        one.audioStream = one.audioStream.pipeThrough(watched(answer, begun));
      };
      return {
        ...created,
        messageStream: created.messageStream.pipeThrough(watched(answer, message, () => end(answer))),
        functionStream: created.functionStream.pipeThrough(watched(answer, begun)),
      };
    },
    /** The answer that is under way makes progress which is in none of its streams. */
    progress(): void {
      if (current) wait(current);
    },
    /** Ends the answer that is under way, and returns it. */
    cut(): Answer | null {
      const answer = current;
      if (answer) end(answer);
      return answer;
    },
  };
}
