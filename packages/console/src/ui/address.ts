import { useSearchParams } from 'wouter';

/** A text that stands in the address, '' without it. A change adds no page to the browser's history. */
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

/** A choice of yes or no that stands in the address. */
export function useFlag(name: string): [boolean, (is: boolean) => void] {
  const [text, setText] = useText(name);
  return [text !== '', (is) => setText(is ? '1' : '')];
}
