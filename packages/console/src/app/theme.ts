export type Theme = 'system' | 'light' | 'dark';

const KEY = 'switchboard.theme';

/** The theme chosen on this machine; `system` follows the operating system. */
export function storedTheme(): Theme {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** Stores a theme, and applies it. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}

/** Applies a theme: the style sheet reads the attribute. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme);
}
