import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { createPromptView } from './prompt-view.ts';

export interface PromptHandle {
  /** Puts a text in place of the selection. */
  insert: (text: string) => void;
  foldAll: () => void;
  unfoldAll: () => void;
}

interface Props {
  ref: Ref<PromptHandle>;
  label: string;
  hint: string;
  value: string;
  isReadOnly: boolean;
  onChange: (value: string) => void;
}

/** The editor of the prompt. Loaded on demand: it is larger than the rest of the page. */
export default function PromptEditor({ ref, label, hint, value, isReadOnly, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<ReturnType<typeof createPromptView>>(null);
  const latest = useRef({ value, onChange });
  // Texts that were typed here and are still to come back as `value`, while more is typed.
  const typed = useRef<string[]>([]);
  latest.current = { value, onChange };
  useEffect(() => {
    if (!host.current) return;
    const parent = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const created = createPromptView({
      parent,
      text: latest.current.value,
      label,
      hint,
      isReadOnly,
      onChange: (text) => {
        typed.current.push(text);
        latest.current.onChange(text);
      },
    });
    view.current = created;
    return created.destroy;
  }, [label, hint, isReadOnly]);
  useEffect(() => {
    const at = typed.current.indexOf(value);
    if (at >= 0) typed.current.splice(0, at + 1);
    else view.current?.setText(value);
  }, [value]);
  // The same object always: a new one would tell whoever holds it that the editor has changed.
  useImperativeHandle(
    ref,
    () => ({
      insert: (text) => view.current?.insert(text),
      foldAll: () => view.current?.foldAll(),
      unfoldAll: () => view.current?.unfoldAll(),
    }),
    [],
  );
  return <div ref={host} className="prompt-host" />;
}
