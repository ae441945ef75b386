import { type KeyboardEvent, useRef } from 'react';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  isInvalid?: boolean;
}

/** A JSON editor with line numbers. Tab indents; Esc, then Tab, leaves the field. */
export function JsonEditor({ label, value, onChange, isInvalid = false }: Props) {
  const numbers = useRef<HTMLPreElement>(null);
  const leaving = useRef(false);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Tab' && !event.shiftKey && !leaving.current) {
      event.preventDefault();
      const { selectionStart, selectionEnd } = event.currentTarget;
      event.currentTarget.setRangeText('  ', selectionStart, selectionEnd, 'end');
      onChange(event.currentTarget.value);
    }
    leaving.current = event.key === 'Escape';
  };
  const lines = value.split('\n').length;
  return (
    <div className="json-editor" data-invalid={isInvalid || undefined}>
      <pre ref={numbers} aria-hidden="true">
        {Array.from({ length: lines }, (_, line) => line + 1).join('\n')}
      </pre>
      <textarea
        aria-label={label}
        aria-invalid={isInvalid}
        value={value}
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
