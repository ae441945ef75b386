import { useSearchParams } from 'wouter';

/** A text in the URL's query, '' by default. Changes add no entry to the browser's history. */
export function useText(name: string): [string, (text: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (text: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (text) after.set(name, text);
        else after.delete(name);
        return after;
      },
      { replace: true },
    );
  return [search.get(name) ?? '', set];
}

/** A yes-or-no choice in the URL's query. */
export function useFlag(name: string): [boolean, (is: boolean) => void] {
  const [text, setText] = useText(name);
  return [text !== '', (is) => setText(is ? '1' : '')];
}
