import { changedText, extractorChanges } from '../../data/extractor-changes.ts';
import type { Content } from '../../data/extractor-content.ts';
import { ChangedLines, isLongText } from '../../ui/changed-lines.tsx';

/** The changes from one content to another, in the words of the form. */
export function ExtractorChanges({ before, after }: { before: Content; after: Content }) {
  const changes = extractorChanges(before, after);
  if (changes.length === 0) return <p className="muted">Nothing differs.</p>;
  return (
    <ul className="differences" aria-label="Changes">
      {changes.map(({ path, name, before: old, after: now }) => (
        <li key={path.join('.')}>
          <span className="strong">{name}</span>
          {isText(old) && isText(now) && (isLongText(old) || isLongText(now)) ? (
            <ChangedLines before={old} after={now} />
          ) : (
            <span className="change">
              {old !== undefined && <del>{changedText(old)}</del>}
              {now !== undefined && <ins>{changedText(now)}</ins>}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
