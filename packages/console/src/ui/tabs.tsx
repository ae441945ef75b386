import { useEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';

interface Props<Id extends string> {
  label: string;
  tabs: readonly (readonly [Id, string])[];
}

/** The tab named in the URL; the first one by default. */
export function useTab<Id extends string>({ tabs }: Pick<Props<Id>, 'tabs'>): Id {
  const [search] = useSearchParams();
  const named = search.get('tab');
  return tabs.find(([id]) => id === named)?.[0] ?? (tabs[0]?.[0] as Id);
}

/** Tabs of a page, one of which is shown; the URL names it. */
export function Tabs<Id extends string>({ label, tabs }: Props<Id>) {
  const [, setSearch] = useSearchParams();
  const current = useTab({ tabs });
  const list = useRef<HTMLElement>(null);
  // On a phone the tabs are wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the current tab changes.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav className="tabs" aria-label={label} ref={list}>
      {tabs.map(([id, title]) => (
        <button
          key={id}
          type="button"
          aria-current={id === current ? 'page' : undefined}
          onClick={() => setSearch({ tab: id })}
        >
          {title}
        </button>
      ))}
    </nav>
  );
}
