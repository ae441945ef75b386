import type { Extractor } from '@switchboard/client';
import { type Content, contentText, readContent } from '../../data/extractor-content.ts';
import { contentOf } from '../../data/extractors.ts';
import { keep, useKept } from '../../data/kept.ts';
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
  const placeOf = (of: string) => `extractor ${user} ${of}`;
  const [edit, put] = useKept(placeOf(key), readEdit);
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
    /** The text, as it is here, was saved. What was typed meanwhile is an edit of that, also if that is a new one. */
    saved: ({ id, version }: Extractor) =>
      put((now) => {
        const typed = now?.text ?? savedText;
        const left = typed === text ? null : { text: typed, from: version, name };
        if (stored) return left;
        keep(placeOf(id), left);
        return null;
      }),
  };
}

export type ExtractorDraft = ReturnType<typeof useExtractorDraft>;

function readEdit({ text, name, from }: Record<string, unknown>): Edit | null {
  if (typeof text !== 'string') return null;
  return { text, from: typeof from === 'number' ? from : null, name: typeof name === 'string' ? name : '' };
}
