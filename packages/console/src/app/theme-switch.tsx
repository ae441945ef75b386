import { useState } from 'react';
import { Icon, type IconName } from '../ui/icon.tsx';
import { setTheme, storedTheme, type Theme } from './theme.ts';

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS: Record<Theme, IconName> = { system: 'system', light: 'sun', dark: 'moon' };

/** Cycles through the themes: system, light, dark. */
export function ThemeSwitch() {
  const [theme, setShown] = useState(storedTheme);
  const change = () => {
    setTheme(NEXT[theme]);
    setShown(NEXT[theme]);
  };
  const label = `Theme: ${theme}. Change to ${NEXT[theme]}`;
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={change}>
      <Icon name={ICONS[theme]} />
    </button>
  );
}
