// Runs before the first paint, so that a dark page does not flash.
import { applyTheme, storedTheme } from './theme.ts';

applyTheme(storedTheme());
