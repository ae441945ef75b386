import { useState } from 'react';
import { Icon } from './icon.tsx';

/** Copies a text, and confirms it for a moment. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button
      type="button"
      className="icon-button small"
      aria-label={isCopied ? 'Copied' : label}
      title={label}
      onClick={copy}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
    </button>
  );
}
