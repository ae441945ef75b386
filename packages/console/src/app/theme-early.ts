// Runs before the first paint: a dark page would flash up light otherwise.
import { applyTheme, storedTheme } from './theme.ts';

applyTheme(storedTheme());
