import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { seriousViolations } from './console.ts';

const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** Rules of axe that depend on colors. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];
/** How many pixels wider than the window the page is, and the time after which its layout stays as it is. */
const EXCESS = 'document.documentElement.scrollWidth - innerWidth';
const SETTLE_MS = 3_000;
/** The folder of the screenshots: none without this variable. */
const FOLDER = process.env.SCREENSHOTS_DIR;

/** Steps before a page is looked at as on a phone, and after that. */
export interface Narrow {
  before: () => Promise<unknown>;
  after: () => Promise<unknown>;
}

/**
 * Looks at the page as it is, wide and as on a phone, in light and in dark: nothing is wider than the window, and axe
 * finds nothing serious. The page stays what it was: wide and light.
 */
export async function look(page: Page, name: string, narrow?: Narrow): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    if (size === 'phone') await narrow?.before();
    // The style sheets alone follow the scheme: in the dark, a page is the same but for its colors.
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const seen = `${name}, ${size}, ${colorScheme}`;
      // Some frames after the window has another size.
      await page.waitForFunction(`${EXCESS} <= 0`, null, { timeout: SETTLE_MS }).catch(() => {});
      const excess = await page.evaluate<number>(EXCESS);
      assert.ok(excess <= 0, `${seen}: ${excess} pixels too wide`);
      await shoot(page, `${name}-${size}-${colorScheme}`);
      const rules = colorScheme === 'dark' ? OF_COLORS : undefined;
      assert.deepEqual(await seriousViolations(page, rules), [], seen);
    }
    if (size === 'phone') await narrow?.after();
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(SIZES.wide);
}

async function shoot(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  await mkdir(FOLDER, { recursive: true });
  await page.evaluate('scrollTo(0, 0)');
  const fullPage = !(await page.evaluate<boolean>('document.querySelector("dialog[open]") !== null'));
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`), fullPage });
}
