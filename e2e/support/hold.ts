import type { Page } from 'playwright-core';

/** Holds a page's requests of this method and address: `arrived` resolves with the first, `release` sends all. */
export async function hold(page: Page, method: string, url: RegExp) {
  const first = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    first.resolve();
    await held.promise;
    return route.continue();
  });
  return { arrived: first.promise, release: held.resolve };
}
