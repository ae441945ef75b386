/** The figures about greetings for docs/telephony.md. */
import type { AnsweredBy } from './decide.ts';
import { type Greeting, LANGUAGES, type Language, RENDITIONS, SPEAKERS } from './greetings.ts';

/** Those who answer, as `answered_by` names them, and whoever is not known. */
const ANSWERED_BY: AnsweredBy[] = [...SPEAKERS, 'unknown'];

export interface Judged extends Greeting {
  takenFor: AnsweredBy;
}

export const isRight = ({ speaker, takenFor }: Pick<Judged, 'speaker' | 'takenFor'>): boolean => takenFor === speaker;

/** Those who answered, by what they were taken for. */
export function matrix(judged: readonly Judged[]): string {
  const rows = SPEAKERS.map((speaker) => {
    const some = judged.filter((one) => one.speaker === speaker);
    const counts = ANSWERED_BY.map((answer) => some.filter((one) => one.takenFor === answer).length || '');
    return [`\`${speaker}\``, some.length, ...counts];
  });
  return table([['Who answered', 'greetings', ...ANSWERED_BY.map((one) => `\`${one}\``)], ...rows]);
}

/** The share of right answers by language, and by whether the rules were written for the wording. */
export function byLanguage(judged: readonly Judged[]): string {
  const rows = Object.keys(LANGUAGES).map((language) => {
    const some = judged.filter((one) => one.language === language);
    return [LANGUAGES[language as Language], ...halves(some).map(share)];
  });
  const head = ['Right', 'wordings that the rules were written for', 'held out'];
  return table([head, ...rows, ['all', ...halves(judged).map(share)]]);
}

/** The same by silences. */
export function byRendition(judged: readonly Judged[]): string {
  const rows = RENDITIONS.map(({ before_ms, pause_ms, tone }) => {
    const some = judged.filter((one) => one.before_ms === before_ms);
    const sound = tone ? `${tone.times} × ${tone.hz} Hz, ${tone.ms} ms` : 'none';
    const people = some.filter(({ speaker }) => speaker === 'human');
    const machines = some.filter(({ speaker }) => speaker !== 'human');
    return [`${before_ms / 1_000} s`, `${pause_ms / 1_000} s`, sound, share(people), share(machines)];
  });
  return table([['Silence before', 'between sentences', 'tone', 'people: right', 'machines: right'], ...rows]);
}

const halves = (judged: readonly Judged[]) =>
  [false, true].map((isHeldOut) => judged.filter((one) => one.isHeldOut === isHeldOut));

function share(judged: readonly Judged[]): string {
  const right = judged.filter(isRight).length;
  return `${((100 * right) / judged.length).toFixed(0)} % (${right} of ${judged.length})`;
}

function table([head = [], ...rows]: (string | number)[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
