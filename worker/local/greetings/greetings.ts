/** Generated greetings of whoever or whatever answers a phone: wordings, languages, voices, silences and tones. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const LANGUAGES = { en: 'English', es: 'Spanish', de: 'German', fr: 'French' } as const;
export type Language = keyof typeof LANGUAGES;

/** Those who answer; `unavailable` is a machine that takes no message. */
export const SPEAKERS = ['human', 'voicemail', 'unavailable', 'ivr', 'screening', 'ai'] as const;
type Speaker = (typeof SPEAKERS)[number];

export interface Rendition {
  /** Speed of the voice. */
  speed: number;
  /** Silence before the first word, and between two sentences. */
  before_ms: number;
  pause_ms: number;
  /** The tone after which a machine records. */
  tone: { hz: number; ms: number; times: number } | null;
}

export interface Greeting extends Rendition {
  speaker: Speaker;
  language: Language;
  /** Sentences, with a pause after each. */
  sentences: string[];
  /** Whether the rules were written without a look at these words. */
  isHeldOut: boolean;
}

export const RENDITIONS: Rendition[] = [
  { speed: 1, before_ms: 200, pause_ms: 300, tone: null },
  { speed: 0.85, before_ms: 600, pause_ms: 700, tone: { hz: 1_000, ms: 400, times: 1 } },
  { speed: 1.15, before_ms: 1_500, pause_ms: 1_200, tone: { hz: 440, ms: 1_000, times: 1 } },
  { speed: 1, before_ms: 3_000, pause_ms: 1_800, tone: { hz: 1_400, ms: 250, times: 1 } },
  { speed: 1.05, before_ms: 5_000, pause_ms: 500, tone: { hz: 850, ms: 200, times: 2 } },
];

/** Every wording in every rendition. Tones follow only what records. */
export function greetings(): Greeting[] {
  return Object.keys(LANGUAGES).flatMap((language) =>
    wordings(language as Language).flatMap((wording) =>
      RENDITIONS.map((rendition) => ({
        ...wording,
        ...rendition,
        tone: wording.speaker === 'voicemail' ? rendition.tone : null,
      })),
    ),
  );
}

/** `speaker | Sentence. / Sentence.`, one a line; every second one is held out. */
function wordings(language: Language) {
  const lines = readFileSync(path.join(import.meta.dirname, `${language}.txt`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line, index) => {
    const [speaker, words = ''] = line.split(' | ');
    const isHeldOut = index % 2 === 1;
    return { speaker: speaker as Speaker, language, sentences: words.split(' / '), isHeldOut };
  });
}
