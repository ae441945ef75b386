import type { CallTotal } from '@switchboard/client';

/** The seconds talked in some calls. The report has the mean per answered call. */
export const talkSeconds = ({ talk, answered }: Pick<CallTotal, 'talk' | 'answered'>) =>
  talk ? talk.mean_s * answered : 0;

/** The cost of a minute of talk time, a decimal; null without any. */
export const costAMinute = (cost: string, seconds: number) =>
  seconds > 0 ? ((Number(cost) * 60) / seconds).toFixed(4) : null;

/** A rate from 0 to 1 as `42 %`. */
export const percentText = (rate: number | null) => (rate === null ? '–' : `${Math.round(rate * 100)} %`);
