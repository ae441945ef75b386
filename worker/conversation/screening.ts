import { setTimeout as sleep } from 'node:timers/promises';
import { voice } from '@livekit/agents';
import type { AnsweredBy } from '@switchboard/client';
import { holdOf, speakerOf } from '@switchboard/rules/answered-by';
import { type Call, type Heard, hear, NOBODY } from './answerer.ts';
import type { ScreeningConfig } from './config.ts';
import { interrupt, say } from './say.ts';

/** Answers to a machine that asks again who calls. */
const ANSWERS = 3;

/**
 * Answers whoever screens the call, and waits for somebody to pick up: `screening` if nobody does, and `human` if a
 * person has the caller wait for as long.
 */
export async function passScreening(
  call: Call,
  first: Heard,
  { answer, timeoutMs }: ScreeningConfig,
): Promise<AnsweredBy> {
  const { session } = call;
  let last = first;
  let nobody: AnsweredBy = 'screening';
  let left = timeoutMs;
  for (let answers = 0; left > 0; ) {
    // A reply to what was heard.
    interrupt(session, { force: true });
    if (last.speaker === 'screening' && answers++ < ANSWERS) {
      last = await sayAndHear(session, answer);
      left = timeoutMs;
    } else {
      const begun = Date.now();
      last = await hearFor(call, left);
      left -= Date.now() - begun;
    }
    if (last.speaker === 'unavailable') return 'screening';
    if (!waits(last)) return last.speaker;
    if (last.speaker === 'human' && holdOf(last.words) === 'person') nobody = 'human';
  }
  return nobody;
}

async function hearFor(call: Call, ms: number): Promise<Heard> {
  const waiting = new AbortController();
  const over = sleep(ms, undefined, { signal: waiting.signal }).catch(() => {});
  return hear(call, ms, over).finally(() => waiting.abort());
}

/** Whether nobody has picked up yet, or whoever has is to be waited for. */
function waits({ speaker, words }: Heard): boolean {
  if (speaker === 'human' || speaker === 'ivr') return holdOf(words) !== null;
  return speaker === 'screening' || speaker === 'unknown';
}

/** Says an answer to its end, and hears who speaks meanwhile: somebody may pick up, and say so only once. */
async function sayAndHear(session: voice.AgentSession, answer: string): Promise<Heard> {
  const words: string[] = [];
  const onWords = ({ isFinal, transcript }: voice.UserInputTranscribedEvent) => {
    if (isFinal && transcript) words.push(transcript);
  };
  const { interruption } = session.sessionOptions.turnHandling;
  const { discardAudioIfUninterruptible } = interruption;
  // A realtime model that hears something breaks off what it says, and gets silence meanwhile.
  if (session.stt) interruption.discardAudioIfUninterruptible = false;
  session.on(voice.AgentSessionEventTypes.UserInputTranscribed, onWords);
  try {
    await say(session, answer, { allowInterruptions: false }).waitForPlayout();
  } finally {
    session.off(voice.AgentSessionEventTypes.UserInputTranscribed, onWords);
    interruption.discardAudioIfUninterruptible = discardAudioIfUninterruptible;
  }
  const said = words.join(' ');
  const speaker = speakerOf(said);
  // A machine that asks meanwhile has only finished its question.
  return said === '' || speaker === 'screening' ? NOBODY : { speaker, words: said };
}
