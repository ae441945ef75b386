import { type ReactNode, useEffect, useId, useState } from 'react';
import { type Ask, type ApiCall as Captured, captureCall, LANGUAGES, type Language, textOf } from '../data/api-call.ts';
import { useSession } from '../data/session.tsx';
import { Copy } from './copy.tsx';

interface Props {
  ask: Ask;
  /** Said of the call, such as which one is next. */
  children?: ReactNode;
}

/** Shows what a form does as a call of the API: for curl, TypeScript and Python. It follows what is typed. */
export function ApiCall({ ask, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="raw api-call" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As an API call</summary>
      {isOpen && <Program ask={ask} />}
      {isOpen && children && <p className="hint">{children}</p>}
    </details>
  );
}

function Program({ ask }: { ask: Ask }) {
  const { signedIn } = useSession();
  const call = useCaptured(ask);
  const [language, setLanguage] = useState<Language>('curl');
  const id = useId();
  const text = call ? textOf(call, language, signedIn !== null) : '';
  return (
    <div className="raw-body">
      <div className="api-call-head">
        <label htmlFor={id}>Language</label>
        <select id={id} value={language} onChange={({ target }) => setLanguage(target.value as Language)}>
          {LANGUAGES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <Copy text={text} label={`Copy as ${language}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard. */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}

/** The request of the form as it is now. */
function useCaptured(ask: Ask): Captured | null {
  const { createApi } = useSession();
  const [call, setCall] = useState<Captured | null>(null);
  // Each rendering of the form brings another function.
  useEffect(() => {
    let isOld = false;
    void captureCall(createApi, ask).then((found) => {
      if (!isOld) setCall((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found));
    });
    return () => {
      isOld = true;
    };
  }, [createApi, ask]);
  return call;
}
