import type { Extractor } from '@switchboard/client';
import { useState } from 'react';
import { type Content, contentText, readContent } from '../../data/extractor-content.ts';
import { contentOf } from '../../data/extractors.ts';
import { useSession } from '../../data/session.tsx';

/** A text that is not saved, and the version that it was made of; null for a new extractor. */
interface Edit {
  text: string;
  /** The name of a new extractor. */
  name: string;
  from: number | null;
}

/** The content that is edited. It is kept in this tab of the browser until it is saved or discarded. */
export function useExtractorDraft(key: string, begun: Content, begunName: string, stored: Extractor | null) {
  const { user } = useSession();
  const place = `extractor ${user} ${key}`;
  const [edit, setEdit] = useState<Edit | null>(() => readKept(place));
  const put = (next: Edit | null) => {
    if (next) sessionStorage.setItem(place, JSON.stringify(next));
    else sessionStorage.removeItem(place);
    setEdit(next);
  };
  const savedText = contentText(stored ? contentOf(stored) : begun);
  const text = edit?.text ?? savedText;
  const name = edit?.name ?? begunName;
  const newest = stored?.version ?? null;
  const from = edit ? edit.from : newest;
  const change = (next: string) =>
    put(next === savedText && from === newest && name === begunName ? null : { text: next, from, name });
  return {
    text,
    name,
    setName: (next: string) => put({ text, from, name: next }),
    ...readContent(text),
    isChanged: edit !== null && edit.text !== savedText,
    /** The version that it was made of. */
    from,
    /** Somebody else has saved a version since. */
    isOvertaken: edit !== null && edit.from !== newest,
    change,
    set: (content: Content) => change(contentText(content)),
    discard: () => put(null),
    /** Goes on with the same text on top of the newest version. */
    rebase: () => put({ text, from: newest, name }),
  };
}

export type ExtractorDraft = ReturnType<typeof useExtractorDraft>;

function readKept(place: string): Edit | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null');
    return typeof kept?.text === 'string' ? { text: kept.text, from: kept.from ?? null, name: kept.name ?? '' } : null;
  } catch {
    return null;
  }
}
