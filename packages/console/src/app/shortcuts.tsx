import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../ui/dialog.tsx';

const PAGES: Record<string, string> = {
  o: '/',
  l: '/live',
  c: '/calls',
  a: '/agents',
  t: '/tests',
  n: '/numbers',
  $: '/costs',
  d: '/deliveries',
  s: '/settings',
};
const KEYS = [
  ['/', 'Search the calls'],
  ['g o', 'Overview'],
  ['g l', 'Live'],
  ['g c', 'Calls'],
  ['g a', 'Agents'],
  ['g t', 'Tests'],
  ['g n', 'Numbers'],
  ['g $', 'Costs'],
  ['g d', 'Deliveries'],
  ['g s', 'Settings'],
  ['?', 'This list'],
  ['Esc', 'Close'],
] as const;

/** The shortcuts that work on every page, and the list of them. */
export function Shortcuts() {
  const [isShown, setShown] = useState(false);
  const [, navigate] = useLocation();
  useEffect(() => {
    let last = '';
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const to = last === 'g' ? PAGES[event.key] : undefined;
      last = event.key;
      if (to) navigate(to);
      if (event.key === '?') setShown(true);
      if (event.key === '/') {
        event.preventDefault();
        search(navigate);
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [navigate]);
  return (
    <Dialog title="Keys" isOpen={isShown} onClose={() => setShown(false)}>
      <dl className="keys">
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The search field of the current page, or that of the calls. */
function search(navigate: (to: string) => void): void {
  const field = document.querySelector<HTMLInputElement>('[data-search]');
  if (field) field.focus();
  else navigate('/calls?focus=search');
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
