import { percentText } from '../../data/call-figures.ts';
import type { Success } from '../../data/success.ts';

interface Props {
  /** Null unless an extractor has judged calls. */
  success: Success | null;
  /** Answered calls of all, from 0 to 1; null without calls. */
  answerRate: number | null;
}

/** The share of calls that reached what they were for; where nothing judges them, of those that were answered. */
export function SuccessShare({ success, answerRate }: Props) {
  if (!success && answerRate === null) return <span className="muted">–</span>;
  return (
    <span
      className="success-share number"
      title={success ? `Calls that reached what they were for, by the extractor ${success.extractor}` : undefined}
    >
      {percentText(success ? success.rate : answerRate)}{' '}
      <span className="muted small nowrap">
        {success ? `of ${success.judged.toLocaleString('en')} judged` : 'answered'}
      </span>
    </span>
  );
}
