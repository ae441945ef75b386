import { useState } from 'react';
import { Icon } from './icon.tsx';

/** Copies a text, and confirms it for a moment. Browsers copy nothing on pages that come over HTTP from elsewhere. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(null), 1500);
    } catch {
      setCopied(false);
    }
  };
  return (
    <>
      <button
        type="button"
        className="icon-button small"
        aria-label={isCopied ? 'Copied' : label}
        title={label}
        onClick={copy}
      >
        <Icon name={isCopied ? 'check' : 'copy'} size={14} />
      </button>
      {isCopied === false && (
        <span className="problem small" role="alert">
          Not copied: select the text and copy it yourself.
        </span>
      )}
    </>
  );
}
