import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ConsoleBrowser } from './console.ts';

/** Presses the first button of this name. */
export const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
    .first()
    .click();

/** Shows a section of an agent's form. */
export const section = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name }).click();

/** Closes the dialog. */
export const close = (page: Page, button = 'Cancel') =>
  page.getByRole('dialog').getByRole('button', { name: button }).click();

/** The line that says whether the draft is saved. */
export const stateOf = (page: Page) => page.getByRole('status', { name: 'State of the draft' });

/** Closes the page, in which nothing has failed but what the browser reports of refusals that were provoked. */
export async function leavePage({ errors }: ConsoleBrowser, page: Page, expected: RegExp): Promise<void> {
  const unexpected = errors.splice(0).filter((error) => !expected.test(error));
  assert.deepEqual(unexpected, []);
  await page.context().close();
}
