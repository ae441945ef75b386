import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from './browser.ts';

/** A slow machine draws a page within this. */
const TIMEOUT_MS = 30_000;

/** A browser on a console. Everything that a page reports as an error is kept. */
export interface ConsoleBrowser {
  errors: string[];
  /** A page of a visitor who has not been there before. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Starts a Chromium with an empty profile for the console of a service. */
export async function openConsole(url: string): Promise<ConsoleBrowser> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-console-'));
  const browser: Browser = await startBrowser(dir, new Int16Array(24_000));
  const errors: string[] = [];
  return {
    errors,
    visit: async (to, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(TIMEOUT_MS);
      const page = await context.newPage();
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(`${url}${to}`);
      return page;
    },
    close: async () => {
      await browser.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

/** Violations of accessibility rules that are serious or worse, each with its first element. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'));
  const found = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
