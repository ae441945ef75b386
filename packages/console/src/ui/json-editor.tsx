import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { moveCursor } from '../data/text-cursor.ts';

/** The cursor of an editor, and the text that it stood in. */
export type JsonPlace = RefObject<{ text: string; at: number; top: number } | null>;

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  isInvalid?: boolean;
  isReadOnly?: boolean;
  /** Keeps the cursor while the editor is not shown. */
  place?: JsonPlace;
}

/** A JSON editor with line numbers. Tab indents; Esc, then Tab, leaves the field. */
export function JsonEditor({ label, value, onChange, isInvalid = false, isReadOnly = false, place }: Props) {
  const numbers = useRef<HTMLPreElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const leaving = useRef(false);
  useCursor(area, value, place);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Tab' && !event.shiftKey && !leaving.current && !isReadOnly) {
      event.preventDefault();
      const { selectionStart, selectionEnd } = event.currentTarget;
      event.currentTarget.setRangeText('  ', selectionStart, selectionEnd, 'end');
      onChange(event.currentTarget.value);
    }
    // The first Esc is for this field alone: it would close a dialog, and lose the text.
    if (event.key === 'Escape' && !leaving.current && !isReadOnly) event.preventDefault();
    leaving.current = event.key === 'Escape';
  };
  const lines = value.split('\n').length;
  return (
    <div className="json-editor" data-invalid={isInvalid || undefined}>
      <pre ref={numbers} aria-hidden="true">
        {Array.from({ length: lines }, (_, line) => line + 1).join('\n')}
      </pre>
      <textarea
        ref={area}
        aria-label={label}
        aria-invalid={isInvalid}
        value={value}
        readOnly={isReadOnly}
        rows={Math.min(Math.max(lines, 12), 32)}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={press}
        onScroll={(event) => numbers.current?.scrollTo({ top: event.currentTarget.scrollTop })}
      />
    </div>
  );
}

/** Puts the cursor where it was when the editor was last shown, though the text may have changed since. */
function useCursor(area: RefObject<HTMLTextAreaElement | null>, value: string, place?: JsonPlace): void {
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    const { current } = area;
    if (!current || !place) return;
    if (place.current) {
      const { text, at, top } = place.current;
      const now = moveCursor(text, latest.current, at);
      current.focus();
      current.setSelectionRange(now, now);
      current.scrollTop = top;
    }
    return () => {
      place.current = { text: latest.current, at: current.selectionStart, top: current.scrollTop };
    };
  }, [area, place]);
}
