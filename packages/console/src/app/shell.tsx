import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Icon } from '../ui/icon.tsx';
import { ConnectionState } from './connection-state.tsx';
import { ListenBar } from './listen-bar.tsx';
import { Navigation } from './navigation.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { TalkBar } from './talk-bar.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { UserPicker } from './user-picker.tsx';

/** The frame of every page: the navigation, the user, the theme. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useMenu();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        To the content
      </a>
      <header className="topbar">
        <Brand />
        <button
          type="button"
          className="icon-button"
          aria-label="Menu"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
      </header>
      <aside className="sidebar" data-open={isOpen || undefined}>
        <Brand />
        <Navigation />
        <div className="sidebar-end">
          <ConnectionState />
          <UserPicker />
          <div className="sidebar-row">
            <ThemeSwitch />
            <a className="quiet-link" href="/docs">
              API reference
            </a>
          </div>
        </div>
      </aside>
      <main id="main" className="main" tabIndex={-1}>
        {children}
      </main>
      <div className="voices">
        <ListenBar />
        <TalkBar />
      </div>
      <Shortcuts />
    </div>
  );
}

/** Whether the menu of narrow screens is open. A page that was chosen closes it, and so does Escape. */
function useMenu() {
  const [isOpen, setOpen] = useState(false);
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that was chosen closes the menu.
  useEffect(() => setOpen(false), [location]);
  useEffect(() => {
    if (!isOpen) return;
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && setOpen(false);
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isOpen]);
  return [isOpen, setOpen] as const;
}

function Brand() {
  return (
    <div className="brand">
      <img src="/console/icon.svg" alt="" width="22" height="22" />
      Switchboard
    </div>
  );
}
