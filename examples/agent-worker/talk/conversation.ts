import type { Call } from '../switchboard/call.ts';
import type { Used } from '../switchboard/prices.ts';
import type { Switchboard } from '../switchboard/switchboard.ts';
import { synthesize, think } from './models.ts';
import type { Voice } from './voice.ts';

export type Conversation = ReturnType<typeof createConversation>;

interface Deps {
  call: Call;
  voice: Voice;
  switchboard: Switchboard;
  /** The agent has said its last word and wants to hang up. */
  hangUp: () => void;
  failed: (error: unknown) => void;
}

/**
 * Takes turns with the caller, one after another, and tells Switchboard what was said and used. Nothing here throws.
 */
export function createConversation({ call, voice, switchboard, hangUp, failed }: Deps) {
  let turns = Promise.resolve();
  let greeted = false;
  let over = false;

  /** Turns wait for one another; after the last one there are no more. */
  function turn(work: () => Promise<void>): void {
    turns = turns.then(async () => {
      if (!over) await work();
    });
    turns = turns.catch(failed);
  }

  function book(used: Used[]): void {
    for (const one of used) switchboard.usage(one);
  }

  async function say(text: string): Promise<void> {
    const { frames, used } = synthesize(text);
    switchboard.transcript('AGENT', text);
    book(used);
    await voice.play(frames);
  }

  return {
    /** Somebody is there to be talked to. Only the first one is greeted. */
    greet(): void {
      if (greeted) return;
      greeted = true;
      const { greeting } = call.config;
      turn(() => say(typeof greeting === 'string' ? greeting : `Hello, this is ${call.agent_name ?? 'an assistant'}.`));
    },
    heard(text: string): void {
      if (over) return;
      switchboard.transcript('USER', text);
      turn(async () => {
        const thought = await think(text);
        book(thought.used);
        await say(thought.reply);
        if (!thought.hangUp) return;
        over = true;
        hangUp();
      });
    },
    /** The target of a warm transfer has come: a last word, then the two are alone. */
    handOver(left: () => void): void {
      turn(async () => {
        await say('You are connected now. Goodbye.');
        over = true;
        left();
      });
    },
  };
}
