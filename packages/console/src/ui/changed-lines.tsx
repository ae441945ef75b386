import { diffLines, withContext } from '../data/differences.ts';

/** Texts of at least this many characters, or of several lines, are compared by lines. */
const LONG = 80;
const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

/** Whether a text is long enough to be compared by lines. */
export const isLongText = (text: string) => text.length >= LONG || text.includes('\n');

/** Differences of two texts, by lines. */
export function ChangedLines({ before, after }: { before: string; after: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard.
    <pre className="diff" tabIndex={0}>
      {withContext(diffLines(before, after)).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and never move.
        <span key={at} className={`diff-line ${line?.kind ?? 'gap'}`}>
          {line ? `${SIGNS[line.kind]} ${line.text}` : '  …'}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
