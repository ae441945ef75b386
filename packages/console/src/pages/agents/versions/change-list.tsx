import type { AgentDraft } from '@switchboard/client';
import { DRAFT_LABELS } from '../../../data/agent-draft.ts';
import { changesBetween, namedChanges } from '../../../data/differences.ts';
import { valueText } from '../../../data/value-labels.ts';
import { ChangedLines, isLongText } from '../../../ui/changed-lines.tsx';

/** The content of a version or a draft. */
type Content = Pick<AgentDraft, 'name' | 'description' | 'type' | 'config'>;

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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard.
    <ul className="differences" aria-label="Changes" tabIndex={0}>
      {changes.map(({ path, name, before: old, after: now }) => (
        <li key={path.join('.')}>
          {name ? <span className="strong">{name}</span> : <code>{path.slice(1).join('.')}</code>}
          {isText(old) && isText(now) && (isLongText(old) || isLongText(now)) ? (
            <ChangedLines before={old} after={now} />
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
