import type { Page } from 'playwright-core';
import { publish } from './console.ts';

/**
 * A person who has never seen JSON makes an agent from a template, changes its prompt, tries it in a chat, publishes
 * it, has a call use the new version, and rolls back: by clicks alone, from the list of agents on. `explain` says more
 * about a call without a greeting.
 */
export async function makeAnAgent(page: Page, explain: () => string = () => ''): Promise<void> {
  await page.getByRole('button', { name: /^Front desk/ }).click();
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  // The editor is loaded on demand.
  await prompt.getByText('How you talk').waitFor();
  await prompt.press('Control+End');
  await page.keyboard.type('\nThe pharmacy next door sells stamps.');
  await page.getByRole('textbox', { name: 'Greeting' }).fill('Good morning.');
  await askInChat(page, 'Who sells stamps?', 'The pharmacy next door sells stamps.');
  await publish(page, 'Stamps');
  await isGreeted(page, 'Good morning.', 2, explain);

  await page.getByRole('button', { name: 'Versions', exact: true }).click();
  const row = page.getByRole('row', { name: /Stamps/ });
  // Its share of the calls, and the call.
  await row.getByRole('cell', { name: '100 %' }).first().waitFor();
  await row.getByRole('cell', { name: '1', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Roll back' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
  await page.getByText('Calls get version 1 (100 %).').waitFor();
  await isGreeted(page, 'How can I help you?', 1, explain);
}

async function askInChat(page: Page, question: string, answer: string): Promise<void> {
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await page.getByLabel('Message', { exact: true }).fill(question);
  await page.getByLabel('Message', { exact: true }).press('Enter');
  await page.getByRole('log', { name: 'Messages' }).getByText(answer).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
}

/** Talks to the agent, and comes back. */
async function isGreeted(page: Page, greeting: string, version: number, explain: () => string): Promise<void> {
  await page.getByRole('button', { name: 'Talk', exact: true }).click();
  const heard = page.locator('.transcript').getByText(greeting).first();
  await heard.waitFor().catch(async (error) => {
    throw new Error(`${error}\n${await page.innerText('main')}\n${explain()}`);
  });
  await page.locator('.facts div', { hasText: `Agent version${version}` }).waitFor();
  await page.getByRole('button', { name: 'Hang up' }).first().click();
  await page.getByRole('status').getByText('Completed').waitFor();
  await page.goBack();
}
