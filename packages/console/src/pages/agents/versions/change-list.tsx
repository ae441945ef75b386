import { DRAFT_LABELS } from '../../../data/agent-draft.ts';
import { changesBetween, diffLines, namedChanges, withContext } from '../../../data/differences.ts';
import { valueText } from '../../../data/value-labels.ts';

/** The content of a version or a draft. */
export interface Content {
  name: string;
  description: string | null;
  type: string;
  config: Record<string, unknown>;
}

/** Texts of at least this many characters, or of several lines, are compared by lines. */
const LONG = 80;
const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

const FIELDS = ['name', 'description', 'type'] as const;

/** Everything that differs, with the names that the form has for it. */
const allChanges = (before: Content, after: Content) => [
  ...FIELDS.flatMap((field) =>
    changesBetween(before[field], after[field], ['agent', field]).map((change) => ({
      ...change,
      name: DRAFT_LABELS[field],
    })),
  ),
  ...namedChanges(before.config, after.config).map(({ path, ...change }) => ({ ...change, path: ['config', ...path] })),
];

/** The changes from one content to another: fields, and long texts by lines. */
export function ChangeList({ before, after }: { before: Content; after: Content }) {
  const changes = allChanges(before, after);
  if (changes.length === 0) return <p className="muted">Nothing differs.</p>;
  return (
    <ul className="differences" aria-label="Changes">
      {changes.map(({ path, name, before: old, after: now }) => (
        <li key={path.join('.')}>
          {name ? <span className="strong">{name}</span> : <code>{path.slice(1).join('.')}</code>}
          {isText(old) && isText(now) && (isLong(old) || isLong(now)) ? (
            <Lines before={old} after={now} />
          ) : (
            <span className="change">
              {old !== undefined && <del>{valueText(path, old)}</del>}
              {now !== undefined && <ins>{valueText(path, now)}</ins>}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isLong = (text: string) => text.length >= LONG || text.includes('\n');

function Lines({ before, after }: { before: string; after: string }) {
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
