import { llm, type voice } from '@livekit/agents';
import { say, sayWhole } from './say.ts';

/** The first words of a call, in the API's format. */
export interface Disclosure {
  text: string;
  started_at: string;
  is_complete: boolean;
}

/** The longest time for the last words of a call. */
const FAREWELL_MS = 30_000;

type Session = Parameters<typeof sayWhole>[0] & Pick<voice.AgentSession, 'interrupt'>;

/**
 * Says what somebody who is called must be told first, which nobody can interrupt. Reports when it began, and the
 * words: those of a realtime model as it has said them. Nothing is reported if not a sound of it was made.
 */
export async function disclose(session: Session, text: string, report: (said: Disclosure) => void): Promise<void> {
  await sayWhole(session, text, ({ speech, began, isComplete }) => {
    // Reports have to be written before the process of a call ends.
    if (began) report({ text: wordsOf(speech) ?? text, started_at: began.toISOString(), is_complete: isComplete });
  });
}

function wordsOf({ chatItems }: voice.SpeechHandle): string | undefined {
  const words = chatItems.flatMap((item) =>
    item instanceof llm.ChatMessage && item.role === 'assistant' ? (item.textContent ?? []) : [],
  );
  return words.join(' ').trim() || undefined;
}

interface Ending {
  session: Session;
  /** Has nothing of what the caller still says answered. */
  silence: () => void;
  hangUp: () => void;
}

/** Says last words to their end, and hangs up; once in a call, whoever asks for it. */
export function createFarewell({ session, silence, hangUp }: Ending) {
  let isBegun = false;

  function finish(text: string): void {
    if (isBegun) return;
    isBegun = true;
    silence();
    const end = once(hangUp);
    const timer = setTimeout(end, FAREWELL_MS);
    timer.unref();
    try {
      session.interrupt();
    } catch {
      // Words that must not be interrupted are said first.
    }
    try {
      say(session as voice.AgentSession, text, { allowInterruptions: false }).addDoneCallback(end);
    } catch {
      // A session that is closing says nothing.
      end();
    }
  }

  return {
    finish,
    isBegun: (): boolean => isBegun,
    /** Hangs up for another reason, such as a model's wish: not in the middle of last words, which do so themselves. */
    hangUp: (): void => {
      if (!isBegun) hangUp();
    },
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

/** A tool for a model that understands a refusal which the service has not found in the words. */
export function optOutTool(refused: () => void) {
  return llm.tool({
    name: 'never_call_again',
    description:
      'The person does not want to be called any more. Call it as soon as somebody says so: it tells the person so itself, and ends the call. Not for a wish to be called at another time.',
    onDuplicate: 'reject',
    execute: async () => refused(),
  });
}
