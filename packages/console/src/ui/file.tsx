import { SwitchboardError, type ValidationError } from '@switchboard/client';
import { type ChangeEvent, useState } from 'react';
import { messageOf } from './failure.tsx';
import { Icon } from './icon.tsx';
import { Problem } from './problem.tsx';

interface FileProps {
  /** Kinds of files, as of the element. */
  accept: string;
  /** Shown until one is chosen. */
  text: string;
  onFile: (file: File) => unknown;
}

/** Lets a file be chosen. */
export function FileButton({ accept, text, onFile }: FileProps) {
  const [name, setName] = useState<string | null>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (!file) return;
    setName(file.name);
    onFile(file);
    // The same file can be chosen again after it was changed.
    target.value = '';
  };
  return (
    <div className="file-row">
      <label className="button plain">
        <Icon name="up" />
        Choose a file
        <input type="file" accept={accept} onChange={choose} />
      </label>
      <span className="muted clip">{name ?? text}</span>
    </div>
  );
}

/** All errors in a file, in the order of its lines; `text` is what became of it. */
export function FileMistakes({ error, text }: { error: unknown; text: string }) {
  const problems = error instanceof SwitchboardError ? error.problems : [];
  if (problems.length === 0) return <Problem>{messageOf(error)}</Problem>;
  return (
    <div className="mistakes" role="alert">
      <p className="problem">
        {problems.length === 1 ? 'One mistake' : `${problems.length} mistakes`}. {text}
      </p>
      <Entries label="Mistakes" entries={problems.map((problem) => [placeOf(problem), problem.msg])} />
    </div>
  );
}

interface EntriesProps {
  label: string;
  entries: (readonly [place: string, text: string])[];
  /** Entries that there are, if more than are listed. */
  total?: number;
}

/** Places in a file, or of a list, each with what there is to say about it. */
export function Entries({ label, entries, total = entries.length }: EntriesProps) {
  const more = total - entries.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <ul tabIndex={0} aria-label={label}>
      {entries.map(([place, text]) => (
        <li key={`${place} ${text}`}>
          <span className="strong nowrap">{place}</span>
          <span>{text}</span>
        </li>
      ))}
      {more > 0 && <li className="muted">{`And ${more.toLocaleString()} more.`}</li>}
    </ul>
  );
}

function placeOf({ loc: [, list, index, ...field] }: ValidationError): string {
  if (index === undefined) return typeof list === 'number' ? `Character ${list}` : `${list ?? 'The file'}`;
  const place = list === 'line' ? `Line ${index}` : `Entry ${Number(index) + 1}`;
  return [place, ...field].join(', ');
}
