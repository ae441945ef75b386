import type { CallDetail } from '@switchboard/client';
import { Copy } from '../../ui/copy.tsx';

/** The call as returned by the API. */
export function RawCall({ call }: { call: CallDetail }) {
  const text = JSON.stringify(call, null, 2);
  return (
    <details className="raw">
      <summary>JSON</summary>
      <div className="raw-body">
        <Copy text={text} label="Copy the JSON" />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <pre tabIndex={0}>{text}</pre>
      </div>
    </details>
  );
}
