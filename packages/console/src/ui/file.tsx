import { SwitchboardError, type ValidationError } from '@switchboard/client';
import { type ChangeEvent, useState } from 'react';
import { messageOf } from './failure.tsx';
import { Icon } from './icon.tsx';

interface FileProps {
  /** Kinds of files, as of the element. */
  accept: string;
  /** Shown until one is chosen. */
  text: string;
  onText: (text: string) => void;
}

/** Reads a file that is chosen. */
export function FileButton({ accept, text, onText }: FileProps) {
  const [name, setName] = useState<string | null>(null);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (!file) return;
    setName(file.name);
    onText(await file.text());
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
  if (problems.length === 0) {
    return (
      <p className="problem" role="alert">
        {messageOf(error)}
      </p>
    );
  }
  return (
    <div className="mistakes" role="alert">
      <p className="problem">
        {problems.length === 1 ? 'One mistake' : `${problems.length} mistakes`}. {text}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <ul tabIndex={0} aria-label="Mistakes">
        {problems.map((problem) => (
          <li key={`${placeOf(problem)} ${problem.msg}`}>
            <span className="strong nowrap">{placeOf(problem)}</span>
            <span>{problem.msg}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function placeOf({ loc: [, list, index, ...field] }: ValidationError): string {
  if (index === undefined) return typeof list === 'number' ? `Character ${list}` : `${list ?? 'The file'}`;
  const place = list === 'line' ? `Line ${index}` : `Entry ${Number(index) + 1}`;
  return [place, ...field].join(', ');
}
